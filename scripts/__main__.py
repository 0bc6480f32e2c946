"""The command `steadfast` from a checkout, without installing it: `python scripts --help`."""

from steadfast.command.main import main

if __name__ == "__main__":
    main()
