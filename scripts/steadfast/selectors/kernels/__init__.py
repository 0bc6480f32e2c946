"""Compiled loops of selectors."""
