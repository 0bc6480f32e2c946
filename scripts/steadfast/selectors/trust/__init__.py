"""Which features tell something about the class, with a stated error."""
