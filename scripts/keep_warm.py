"""Processes that are kept warm for the jobs of a run: started and ended by the workflow."""

import argparse

from steadfast.command.warm.server import Server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="the socket to listen to, until standard input is closed")
    Server(parser.parse_args().address).serve()


if __name__ == "__main__":
    main()
