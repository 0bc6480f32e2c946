"""Mutated configurations, and whether they are refused, or can be planned."""
