"""Kinds of claims."""
