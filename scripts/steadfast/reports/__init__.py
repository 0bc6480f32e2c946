"""What is written of a whole run, and of a paper."""
