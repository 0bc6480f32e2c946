"""docs/reliability.md shows the kept figures of `make chaos`, and they keep the bar."""

import csv

from chaos.figures import HEADER, KEPT
from shown import as_markdown, shown


def kept() -> list[list[str]]:
    with KEPT.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == HEADER
    return rows


def test_the_table_of_disturbed_runs_is_the_kept_one():
    assert shown("chaos") == as_markdown(HEADER, kept())


def test_nothing_was_wrong_silently_in_enough_trials():
    of_all = dict(zip(HEADER, kept()[-1], strict=True))
    assert int(of_all["kills"]) >= 100
    assert int(of_all["damaged files"]) >= 300
    assert [of_all[sort] for sort in ("wrong silently", "traces", "dead ends")] == ["0", "0", "0"]
