"""Odd tables, what they mean, and whether they are read so."""
