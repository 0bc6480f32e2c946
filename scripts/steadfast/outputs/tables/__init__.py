"""Kinds of tables."""
