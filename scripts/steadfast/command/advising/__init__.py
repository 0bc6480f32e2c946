"""How many subsamples advice takes, and what it costs."""
