"""`python -m chaos`, as `make chaos` calls it."""

from chaos.command import main

main()
