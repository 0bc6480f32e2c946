"""Kinds of tables, one file each."""
