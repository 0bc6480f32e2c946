"""`python -m machines`, as `make machines` and `make executors` call it."""

import argparse
import sys

from machines import executors, nodes, planning, submitting

PARTS = {
    "nodes": nodes.main,
    "submitting": submitting.main,
    "planning": planning.main,
    "executors": executors.main,
}


def main() -> None:
    """Run the parts that are named, in their order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", choices=PARTS)
    parser.add_argument("--most", type=int, default=10_000, help="jobs of the largest plan")
    given = parser.parse_args()
    faults = sum(PARTS[part](given) or 0 for part in given.parts)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
