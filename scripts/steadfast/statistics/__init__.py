"""Statistics on plain arrays: intervals, tests, ranks, information."""
