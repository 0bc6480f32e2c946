"""The machine that reads odd tables and mutated configs: right, or a line that says no."""
