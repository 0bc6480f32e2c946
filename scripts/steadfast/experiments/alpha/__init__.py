"""α and the subset size from the data: every α on every fold, and rules that choose them."""
