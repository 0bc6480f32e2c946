"""The machine that disturbs runs: kills, damaged files, full disks, and two runs at once."""
