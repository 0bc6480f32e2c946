"""Kinds of figures, one class per file under `@figure("name")`."""
