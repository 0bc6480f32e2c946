"""The table of all stability measures, and what is to be known of one."""

import argparse

from steadfast.measures.catalogue import explain, markdown, put_into, text_table


def run(given: argparse.Namespace) -> None:
    """Print the table, or one measure."""
    if given.measure:
        print(explain(given.measure))
    elif given.into:
        put_into(given.into)
    else:
        print(markdown() if given.markdown else text_table())
