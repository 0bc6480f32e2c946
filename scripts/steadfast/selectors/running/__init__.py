"""Running selectors: one fold, its file, rankings of other programs, the contract."""
