"""What kinds of one theme share: what they read, and the numbers that several of them show."""
