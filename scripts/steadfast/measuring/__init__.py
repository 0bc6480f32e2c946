"""Stability of a selector: its curves, values by chance, runs of other programs."""
