"""`make fuzz`."""

from fuzz.command import main

main()
