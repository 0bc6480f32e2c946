"""The command `steadfast` as `python -m steadfast`."""

from steadfast.command.main import main

if __name__ == "__main__":
    main()
