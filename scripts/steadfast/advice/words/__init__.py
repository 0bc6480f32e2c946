"""Advice in words."""
