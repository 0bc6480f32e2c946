"""The page of the whole run."""
