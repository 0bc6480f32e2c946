"""A study: its declaration, how it is read and checked, and the plan of its files."""
