"""The section of the page on features that pass, with a bound on the number of false ones."""

from collections.abc import Iterator, Mapping
from typing import Any

from steadfast.page import text
from steadfast.page.text import Markup, join, name, tag

#: What the bounds assume in addition to independent rows, by the bound that sets thresholds.
_ASSUMED = {
    "unimodal": "It assumes that how often both halves of a pair select such a feature has a "
    "distribution with one peak.",
    "mb": "It assumes that such features are exchangeable, and that the selector is no worse than "
    "random choice.",
}


def error_bounds_section(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """A row for every selector of a study on halves; nothing for other studies."""
    found = evidence.get("error_bounds")
    if not found or not found["selectors"]:
        return
    yield tag(heading, "At what risk")
    yield tag(
        "p",
        "Stability selection: a feature passes if the share of the runs that select it is at "
        "least the threshold. The threshold is the lowest at which, on average, at most "
        f"{found['pfer']:g} of the features that pass is false: no more likely to be selected than "
        f"one drawn at random. {_ASSUMED[found['bound']]}",
        class_="told",
    )
    header = ["Selector", "Features per run", "Threshold", "Pass", "Features", "Bound"]
    rows = [
        [
            name(one["label"]),
            text.size(one["per_run"]),
            text.share(one["threshold"]),
            str(len(one["features"])),
            join([name(feature) for feature in one["features"]], ", ") or text.NONE,
            one["words"],
        ]
        for one in found["selectors"]
    ]
    yield text.table(header, rows, [1, 2, 3], class_="bounds stack")
