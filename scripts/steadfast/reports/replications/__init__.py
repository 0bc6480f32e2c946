"""Kept runs at full size, how others differ from them, and the report of each paper."""
