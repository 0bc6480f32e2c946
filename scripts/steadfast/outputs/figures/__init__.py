"""Kinds of figures."""
