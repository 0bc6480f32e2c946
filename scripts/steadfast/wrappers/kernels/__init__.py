"""Compiled loops of criteria."""
