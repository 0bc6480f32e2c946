"""Which features tell something about the class, with a stated error."""

#: Features of a q-value up to this are trusted.
LEVEL = 0.05

#: Whether a trusted feature tells something beyond the other trusted ones.
OWN, BORROWED, OPEN = "own", "borrowed", "cannot tell"
