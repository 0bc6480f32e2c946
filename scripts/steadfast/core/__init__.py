"""What every stage shares: errors, files, seeds, commands, finding things by name."""
