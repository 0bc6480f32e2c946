"""A folder of results that was never run, with names that hold markup, for tests of the index."""

import base64
import json
from pathlib import Path
from typing import Any

from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import OTHER_DATA, Pair, to_csv
from steadfast.outputs.verdict import VERDICTS

NAN = float("nan")
MARKUP = '<img src=x onerror="alert(1)"> & <b>bold</b>'
WIDE = "| " + " | ".join(f"column{i}" for i in range(20)) + " |"
DETAILS = f"""As *measured*, {MARKUP}.

{WIDE}
| {" | ".join([":---:"] * 20)} |
| {" | ".join(["+0.123"] * 20)} |

![far](https://example.org/x.png) [run](javascript:alert(1))
"""
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

#: table, row, column, published, ours, note
PAIRS = [
    Pair("table1", "wine", "mid", 1.0, 2.0, NAN, NAN, ""),
    Pair("table1", "wine", "miq", 3.0, 3.0, NAN, NAN, ""),
    Pair("table1", "digits", "mid", 5.0, 4.0, NAN, NAN, "digits stands in for letters"),
    Pair("table2", "mid", "runs", 1000.0, 40.0, NAN, NAN, ""),
    Pair("table2", "mid", "rate", 0.25, 0.75, NAN, NAN, ""),
    Pair("table2", "again", "rate", 0.25, 0.5, NAN, NAN, ""),
    Pair("table2", "mid", "size", 7.5, 6.0, NAN, NAN, ""),
    Pair("table3", "mean of jaccard", "mid", 0.2, 0.4, NAN, NAN, f"{OTHER_DATA}; 2 of 2 rows"),
    Pair("table3", "mean of jaccard", "miq", 0.1, 0.3, NAN, NAN, f"{OTHER_DATA}; 2 of 2 rows"),
]


def context() -> dict[str, Any]:
    """As the plan of a run would give it."""
    named = {
        "selectors": {"mid": "MID", "miq": "MIQ", "again": "MID, read again"},
        "families": {},
        "transforms": {},
        "further_readings": ["again"],
    }
    first = _study("one2001", title=f"First {MARKUP}", paper="One (2001), A Paper, chapter 1")
    first |= named | {"has_published": True, "has_times": True, "left_out": ["table9 (cloud)"]}
    second = _study("one2001_more", title="Second", paper="One (2001), A Paper, chapter 2")
    own = _study("mine", title="Mine", paper="")
    changes = {"mine": ["datasets", "sizes"]}
    return {"seed": 7, "studies": [first, second, own], "changes": changes, "settings": []}


def _study(name: str, **given: Any) -> dict[str, Any]:
    usual = {
        "study": name,
        "asks": f"What does {name} ask?",
        "datasets": ["wine", "digits"],
        "tables": {"table1": f"Ranks {MARKUP}", "table2": "Rates", "table3": "Means"},
        "figures": {"figure1": "Curves"},
        "left_out": [],
        "has_published": False,
        "has_times": False,
    }
    return usual | given


def claims(study: str, verdicts: tuple[str, ...] = VERDICTS) -> dict[str, Any]:
    """The verdicts of a study, each with what the page shows of it."""
    return {
        "study": study,
        "rule": "A claim **holds** if most cases are for it.",
        "claims": [
            {
                "number": number,
                "text": f"Claim {number} of {study} {MARKUP}",
                "verdict": verdict,
                "sentence": f"It is so in {number} of 9 cases.",
                "rule": "A case is a data set.",
                "for": number,
                "open": 0,
                "against": 9 - number,
                "details": DETAILS,
            }
            for number, verdict in enumerate(verdicts, start=1)
        ],
    }


def write_results(folder: Path, run: dict[str, Any]) -> None:
    """Every file that the page of the run reads or links to."""
    for study in run["studies"]:
        name = study["study"]
        of = folder / name
        verdicts = () if name == "mine" else VERDICTS
        summary = {
            of / "summary.md": b"# Summary\n",
            of / "claims.json": _json(claims(name, verdicts)),
        }
        write_with_manifest(summary)
        write_with_manifest({of / "page.html": b"<!DOCTYPE html><title>Page</title>"})
        for table in study["tables"]:
            write_with_manifest({of / f"tables/{table}.{end}": b"a,b\n" for end in ("csv", "md")})
        for figure in study["figures"]:
            drawn = {of / f"figures/{figure}.{end}": PICTURE for end in ("svg", "png")}
            write_with_manifest(drawn)
        if study["has_published"]:
            write_with_manifest({of / "published.csv": to_csv(PAIRS)})
        if study["has_times"]:
            times = folder / "benchmarks" / name
            write_with_manifest({times / f"times.{end}": b"a,b\n" for end in ("csv", "md")})
        for dataset in study["datasets"]:
            write_with_manifest({folder / f"data/{dataset}.json": _json(_about(dataset))})


def _about(dataset: str) -> dict[str, Any]:
    return {
        "name": dataset,
        "title": f"{dataset} {MARKUP}",
        "origin": f"bundled config/datasets/{dataset}.csv.gz",
        "rows": 1780,
        "features": 13,
        "classes": {"a": 1000, "b": 780},
        "licence": "CC BY 4.0",
    }


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
