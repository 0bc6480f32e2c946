"""Experiments that run selectors on data of their own."""
