"""A page that says which claims of a paper hold in a run, and how close its numbers came."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.outputs.captions import heading
from steadfast.outputs.claim import count_verdicts, in_words, limit_words
from steadfast.outputs.published import MEAN_OF, OWN_MEAN_OF, Pair, group_by, mean_difference
from steadfast.outputs.results import Results
from steadfast.outputs.sources.named_measures import PROFILE, SUBSET_COLUMNS
from steadfast.outputs.table import Labels, Table, frame_of, markdown_rows
from steadfast.outputs.verdict import capital, rule_of_shares
from steadfast.statistics.correlation import spearman
from steadfast.transforms.running import ALL, FROZEN

_SPREADS = ("published_sd", "ours_sd")
_COMPARED = (
    "Published against reproduced. Difference: mean absolute difference. Correlation: "
    "Spearman's between the methods of a row, mean over the rows."
)
_SPREAD_NOTE = (
    "Spread: mean of the standard deviations of a row; `published.csv` has each beside the paper's."
)
_OTHER_DATA = (
    "**The paper's data sets are not those of this study**: its numbers cannot be expected "
    "here, only the order of the methods can be compared (the correlation)."
)


def summary_page(
    results: Results, pairs: Sequence[Pair], claims: Sequence[Mapping[str, Any]]
) -> bytes:
    """Markdown: the verdicts, one section per table with published numbers, one per claim.

    `results` has the context of a summary; `claims` come from `outputs.claim.judge_claims`.
    """
    context = results.context
    parts = [f"# {context['title']}"]
    parts += [f"Reproduced: {context['paper']}."] if context["paper"] else []
    parts += _verdicts(claims, context["verdicts"])
    if context["left_out"]:
        parts.append(f"Left out, for want of what they need: {', '.join(context['left_out'])}.")
    parts += _what_transforms_learnt_from(results.transforms.values())
    parts += _published(pairs, context["tables"], results.labels) if pairs else []
    for claim in claims:
        parts += _claim(claim)
    return ("\n\n".join(parts).rstrip() + "\n").encode()


def _verdicts(claims: Sequence[Mapping[str, Any]], shares: Mapping[str, float]) -> list[str]:
    """How many claims hold, and which."""
    if not claims:
        return []
    rows = [
        [f"[{claim['number']}](#claim-{claim['number']}). {claim['text']}", claim["verdict"]]
        for claim in claims
    ]
    return [
        f"**{in_words(count_verdicts(claims))}**",
        "\n".join(markdown_rows(["Claim", "Verdict"], rows)),
        f"{rule_of_shares(shares)} {limit_words(claims)}".strip(),
    ]


def _claim(claim: Mapping[str, Any]) -> list[str]:
    """The verdict on a claim, and its numbers behind a fold."""
    parts = [f'<a id="claim-{claim["number"]}"></a>']
    parts += [f"## Claim {claim['number']}: {claim['text']}"]
    parts += [f"**{capital(claim['verdict'])}.** {claim['sentence']}"]
    numbers = [part for part in (claim["rule"], claim["details"]) if part]
    folded = ["<details><summary>Numbers</summary>", *numbers, "</details>"] if numbers else []
    return [*parts, *folded]


def _what_transforms_learnt_from(transforms: Iterable[Mapping[str, Any]]) -> list[str]:
    """Which transforms know the test rows, and which are exempt from the perturbation."""
    by_rows: dict[str, list[str]] = {}
    for one in transforms:
        by_rows.setdefault(one["learn"], []).append(one["label"])
    if ALL not in by_rows:
        return []
    frozen = ""
    if FROZEN in by_rows:
        frozen = f"; learnt once from rows that are in no fold: {', '.join(by_rows[FROZEN])}"
    return [
        "**Learnt from all rows before they were split, test rows included, as published**: "
        f"{', '.join(by_rows[ALL])}. Stability and accuracy after these know the "
        f"test rows; all other transforms learn from the training rows of each fold{frozen}."
    ]


# Published numbers


def agreement(pairs: Sequence[Pair]) -> dict[str, float]:
    """Mean absolute difference, and mean over rows of Spearman's correlation of the columns."""
    correlations = [
        spearman(np.array([p.published for p in row]), np.array([p.ours for p in row]))
        for row in group_by(pairs, "row").values()
    ]
    known = [value for value in correlations if not np.isnan(value)]
    mean = float(np.mean(known)) if known else float("nan")
    return {"difference": mean_difference(pairs), "correlation": mean}


def row_title(name: str, labels: Labels) -> str:
    """A row in print: a data set, with a selector or a size, or a ratio."""
    datasets, selectors = labels["dataset"], labels["selector"]
    first, _, rest = name.partition(" ")
    if name in datasets:
        return datasets[name]
    if first in selectors and rest in datasets:
        return f"{selectors[first]}, {datasets[rest]}"
    if first in datasets:
        return f"{datasets[first]}, N = {rest}"
    return name if name.startswith((MEAN_OF, OWN_MEAN_OF)) else f"r = {name}"


def column_label(column: str, labels: Labels) -> str:
    """A selector or transform in print; columns may say of what, after a blank."""
    methods = {**labels["selector"], **labels["transform"]}
    return methods.get(column.partition(" ")[0], column)


def is_method(column: str, labels: Labels) -> bool:
    """Whether a column is a selector or transform, and not a number of the data set."""
    return column.partition(" ")[0] in {**labels["selector"], **labels["transform"]}


def _published(pairs: Sequence[Pair], titles: Mapping[str, str], labels: Labels) -> list[str]:
    """Every table with published numbers, and how they were compared."""
    by_table, parts = group_by(pairs, "table"), []
    if not _are_selectors(pairs, labels):
        spreads = any(map(_has_spreads, by_table.values()))
        parts.append(f"{_COMPARED} {_SPREAD_NOTE}" if spreads else _COMPARED)
    parts += [_OTHER_DATA] if all(pair.is_of_other_data for pair in pairs) else []
    for table, own in by_table.items():
        parts += [f"## {heading(table, titles[table])}", *_table(own, labels)]
    return parts


def _table(pairs: Sequence[Pair], labels: Labels) -> list[str]:
    """The numbers of a table: each, or how close rows of methods came, or their order alone."""
    if _are_selectors(pairs, labels):
        return _cell_by_cell(pairs, labels)
    methods = [pair for pair in pairs if is_method(pair.column, labels)]
    same = [pair for pair in methods if not pair.is_of_other_data]
    other = [pair for pair in methods if pair.is_of_other_data]
    means = [pair for pair in other if not pair.row.startswith(OWN_MEAN_OF)]
    columns = {pair.column for pair in same}
    # One method alone, or columns of different things, cannot be compared along a row.
    is_mixed = len(columns) == 1 or len({column.partition(" ")[2] for column in columns}) > 1
    parts = []
    if same:
        parts += _cell_by_cell(same, labels) if is_mixed else _row_by_row(same, labels)
    for pair in (pair for pair in pairs if pair not in methods):
        begin = f"{row_title(pair.row, labels)}, {pair.column}"
        parts.append(f"{begin}: published {pair.published:g}, here {pair.ours:.3f}.")
    return [*parts, *([_agreement(means), _orders(other, labels)] if other else [])]


def _are_selectors(pairs: Sequence[Pair], labels: Labels) -> bool:
    """Whether tables have selectors as rows and different things in their columns."""
    return all(pair.row in labels["selector"] for pair in pairs)


def _has_spreads(pairs: Sequence[Pair]) -> bool:
    """Whether paper and run have a standard deviation of every number."""
    return not np.isnan([getattr(pair, key) for pair in pairs for key in _SPREADS]).any()


def _cell_by_cell(pairs: Sequence[Pair], labels: Labels) -> list[str]:
    """Every number and the published one: a row per selector, or per printed row and method."""
    rows = []
    for pair in pairs:
        if pair.row in labels["selector"]:
            key, thing = {"Selector": labels["selector"][pair.row]}, pair.column
            thing = SUBSET_COLUMNS.get(thing, thing)
        else:
            method, thing = column_label(pair.column, labels), pair.column.partition(" ")[2]
            key = {"Row": row_title(pair.row, labels), "Method": method}
            thing = PROFILE.get(thing, thing.replace("_", " "))
        form = {"runs": ".0f", "size": ".2f"}.get(pair.column, ".3f")
        rows.append({**key, "_": thing, "text": f"{pair.ours:{form}} ({pair.published:{form}})"})
    cells = {name: f"{{{name}}}" for name in key}
    notes = [f"- {note}" for note in dict.fromkeys(pair.note for pair in pairs) if note]
    table = Table(frame_of(rows), cells, wide=("_", "{text}"))
    parts = ["Here, and in brackets as published.", "\n".join(table.lines({}))]
    return [*parts, "\n".join(notes)] if notes and "Row" in key else parts


def _row_by_row(pairs: Sequence[Pair], labels: Labels) -> list[str]:
    """How close each row came, where the data sets are the paper's."""
    rows = []
    for name, own in group_by(pairs, "row").items():
        largest = max(own, key=lambda pair: abs(pair.difference))
        row = {"row": row_title(name, labels), **agreement(own), "largest": largest.difference}
        row |= {"column": column_label(largest.column, labels), "note": own[0].note or None}
        row |= {key: np.mean([getattr(pair, key) for pair in own]) for key in _SPREADS}
        rows.append(row)
    cells = {"Row": "{row}", "Difference": "{difference:.2f}", "Correlation": "{correlation:.2f}"}
    cells["Largest difference"] = "{largest:+.2f} ({column})"
    if _has_spreads(pairs):
        cells |= {"Spread, published": "{published_sd:.2f}", "Spread, here": "{ours_sd:.2f}"}
    table = Table(frame_of(rows), {**cells, "Note": "{note}"})
    return [_agreement(pairs), "\n".join(table.lines({}))]


def _agreement(pairs: Sequence[Pair]) -> str:
    """How close the numbers of a table came."""
    close = agreement(pairs)
    correlation = f"rank correlation {close['correlation']:.2f} ({len(pairs)} numbers)."
    if pairs[0].is_of_other_data:
        return f"Means over all data sets, the paper's and these: {correlation}"
    return f"Mean absolute difference {close['difference']:.2f}, {correlation}"


def _orders(pairs: Sequence[Pair], labels: Labels) -> str:
    """The methods from the largest mean to the smallest, published and here."""
    rows = []
    for name, own in group_by(pairs, "row").items():
        is_own = name.startswith(OWN_MEAN_OF)
        row = {"row": name, "note": _merged_notes(own)}
        row["correlation"] = None if is_own else agreement(own)["correlation"]
        for key in ("published", "ours"):
            values = [(getattr(one, key), column_label(one.column, labels)) for one in own]
            ordered = sorted(values, key=lambda value: -value[0])
            row[key] = ", ".join(f"{label} {value:.3f}" for value, label in ordered)
        rows.append(row)
    cells = {"Mean over data sets": "{row}", "Published, largest first": "{published}"}
    cells |= {"Here": "{ours}", "Correlation": "{correlation:.2f}", "Note": "{note}"}
    return "\n".join(Table(frame_of(rows), cells).lines({}))


def _merged_notes(row: Sequence[Pair]) -> str | None:
    """What is to know of a row, without that it is of other data: each once, with its cells."""
    cells: dict[str, list[str]] = {}
    for part in dict.fromkeys(part for pair in row for part in pair.note.split("; ")[1:]):
        cell, colon, text = part.partition(": ")
        cells.setdefault(text if colon else part, []).extend([cell] if colon else [])
    merged = (f"{', '.join(names)}: {text}" if names else text for text, names in cells.items())
    return "; ".join(merged) or None
