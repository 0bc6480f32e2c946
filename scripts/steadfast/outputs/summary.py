"""A page that says which claims of a paper hold in a run, and how close its numbers came."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.outputs.captions import heading
from steadfast.outputs.claim import count_verdicts, in_words, limit_words
from steadfast.outputs.published import (
    MEAN_OF,
    OWN_MEAN_OF,
    Pair,
    group_by,
    mean_difference,
)
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.named_measures import PROFILE, SUBSET_COLUMNS
from steadfast.outputs.verdict import capital, rule_of_shares
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman
from steadfast.transforms.running import ALL, FROZEN

_SPREADS = ("published_sd", "ours_sd")
_SPREAD_NOTE = (
    "Spread: mean of the standard deviations of a row; `published.csv` has each beside the paper's."
)


def summary_page(view: View, pairs: Sequence[Pair], claims: Sequence[Mapping[str, Any]]) -> bytes:
    """Markdown: the verdicts, one section per table with published numbers, one per claim.

    The view's context holds the study's title, paper, tables, data sets and the labels of its
    selectors; `claims` come from `outputs.claim.judge_claims`.
    """
    context = view.context
    lines = [f"# {context['title']}", ""]
    if context["paper"]:
        lines += [f"Reproduced: {context['paper']}.", ""]
    lines += _verdicts(claims, context["verdicts"])
    if context["left_out"]:
        lines += [f"Left out, for want of what they need: {', '.join(context['left_out'])}.", ""]
    lines += _what_transforms_learnt_from(context["transforms"].values())
    by_table = group_by(pairs, "table")
    if by_table:
        lines += _overview(by_table, view)
    for claim in claims:
        lines += _claim(claim)
    return ("\n".join(lines).rstrip() + "\n").encode()


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
        "",
        *markdown_rows(["Claim", "Verdict"], rows),
        "",
        " ".join(filter(None, [rule_of_shares(shares), limit_words(claims)])),
        "",
    ]


def _claim(claim: Mapping[str, Any]) -> list[str]:
    """The verdict on a claim, and its numbers behind a fold."""
    lines = [f'<a id="claim-{claim["number"]}"></a>', ""]
    lines += [f"## Claim {claim['number']}: {claim['text']}", ""]
    lines += [f"**{capital(claim['verdict'])}.** {claim['sentence']}", ""]
    numbers = [part for part in (claim["rule"], claim["details"]) if part]
    if not numbers:
        return lines
    folded = [line for part in numbers for line in (part, "")]
    return [*lines, "<details><summary>Numbers</summary>", "", *folded, "</details>", ""]


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
        f"test rows; all other transforms learn from the training rows of each fold{frozen}.",
        "",
    ]


def agreement(pairs: Sequence[Pair]) -> dict[str, float]:
    """Mean absolute difference, and mean over rows of Spearman's correlation of the columns."""
    correlations = [
        spearman(np.array([p.published for p in row]), np.array([p.ours for p in row]))
        for row in group_by(pairs, "row").values()
    ]
    known = [value for value in correlations if not np.isnan(value)]
    return {
        "difference": mean_difference(pairs),
        "correlation": float(np.mean(known)) if known else float("nan"),
    }


def _overview(by_table: Mapping[str, Sequence[Pair]], view: View) -> list[str]:
    context, lines = view.context, []
    if not all(_has_selector_rows(pairs, view) for pairs in by_table.values()):
        lines = [
            "Published against reproduced. Difference: mean absolute difference. Correlation: "
            "Spearman's between the methods of a row, mean over the rows."
            + (" " + _SPREAD_NOTE if any(map(_has_spreads, by_table.values())) else ""),
            "",
        ]
    if all(pair.is_of_other_data for pairs in by_table.values() for pair in pairs):
        lines += [
            "**The paper's data sets are not those of this study**: its numbers cannot be expected "
            "here, only the order of the methods can be compared (the correlation).",
            "",
        ]
    for table, pairs in by_table.items():
        lines += [f"## {heading(table, context['tables'][table])}", ""]
        if _has_selector_rows(pairs, view):
            lines += [*_side_by_side(pairs, view), ""]
            continue
        methods = [pair for pair in pairs if _is_method(pair, view)]
        same = [pair for pair in methods if not pair.is_of_other_data]
        if _needs_cells(same):
            lines += [*_cell_by_cell(same, view), ""]
        elif same:
            lines += _compare_same_data(same, view)
        for pair in (pair for pair in pairs if pair not in methods):
            title = row_title(pair.row, view)
            lines += [
                f"{title}, {pair.column}: published {pair.published:g}, here {pair.ours:.3f}."
            ]
            lines += [""]
        other = [pair for pair in methods if pair.is_of_other_data]
        if other:
            means = [pair for pair in other if not pair.row.startswith(OWN_MEAN_OF)]
            lines += [_agreement(agreement(means), means), "", *_orders(other, view), ""]
    return lines


def _compare_same_data(pairs: Sequence[Pair], view: View) -> list[str]:
    """How close each row came, where the data sets are the paper's."""
    rows = []
    spreads = _has_spreads(pairs)
    for name, row in group_by(pairs, "row").items():
        close = agreement(row)
        largest = max(row, key=lambda pair: abs(pair.difference))
        rows.append(
            [
                row_title(name, view),
                f"{close['difference']:.2f}",
                "–" if np.isnan(close["correlation"]) else f"{close['correlation']:.2f}",
                f"{largest.difference:+.2f} ({column_label(largest.column, view)})",
                *(_spreads(row) if spreads else ()),
                row[0].note or "–",
            ]
        )
    header = ["Row", "Difference", "Correlation", "Largest difference"]
    header += ["Spread, published", "Spread, here"] if spreads else []
    header.append("Note")
    return [_agreement(agreement(pairs), pairs), "", *markdown_rows(header, rows), ""]


def _has_spreads(pairs: Sequence[Pair]) -> bool:
    """Whether paper and run have a standard deviation of every number."""
    return not np.isnan([getattr(pair, key) for pair in pairs for key in _SPREADS]).any()


def _spreads(pairs: Sequence[Pair]) -> list[str]:
    """Mean of the standard deviations of a row, published and here."""
    return [f"{np.mean([getattr(p, key) for p in pairs]):.2f}" for key in _SPREADS]


def _is_method(pair: Pair, view: View) -> bool:
    """Whether a column is a selector or transform, and not a number of the data set."""
    name = pair.column.partition(" ")[0]
    return name in view.context["transforms"] or name in view.selectors


def _needs_cells(pairs: Sequence[Pair]) -> bool:
    """Whether methods cannot be compared along a row: one alone, or columns of different things."""
    columns = {pair.column for pair in pairs}
    return len(columns) == 1 or len({column.partition(" ")[2] for column in columns}) > 1


def _cell_by_cell(pairs: Sequence[Pair], view: View) -> list[str]:
    """Every number beside the published one, one row per data set and method."""
    columns = list(dict.fromkeys(pair.column.partition(" ")[2] for pair in pairs))
    rows, notes = [], []
    for name, row in group_by(pairs, "row").items():
        for label in dict.fromkeys(column_label(pair.column, view) for pair in row):
            own = [pair for pair in row if column_label(pair.column, view) == label]
            cells = {pair.column.partition(" ")[2]: _pair_text(pair) for pair in own}
            title = row_title(name, view)
            rows.append([title, label, *(cells.get(column, "–") for column in columns)])
        notes += [pair.note for pair in row]
    header = ["Row", "Method", *(PROFILE.get(name, name.replace("_", " ")) for name in columns)]
    lines = ["Here, and in brackets as published.", "", *markdown_rows(header, rows)]
    return [*lines, "", *(f"- {note}" for note in dict.fromkeys(filter(None, notes)))]


def _orders(pairs: Sequence[Pair], view: View) -> list[str]:
    """The methods from the largest mean to the smallest, published and here."""
    rows = []
    for name, row in group_by(pairs, "row").items():
        orders = []
        for key in ("published", "ours"):
            ordered = sorted(row, key=lambda pair: -getattr(pair, key))
            orders.append(
                ", ".join(f"{column_label(p.column, view)} {getattr(p, key):.3f}" for p in ordered)
            )
        correlation = (
            float("nan") if name.startswith(OWN_MEAN_OF) else agreement(row)["correlation"]
        )
        note = _merge_notes(row)
        rows.append([name, *orders, "–" if np.isnan(correlation) else f"{correlation:.2f}", note])
    header = ["Mean over data sets", "Published, largest first", "Here", "Correlation", "Note"]
    return markdown_rows(header, rows)


def _merge_notes(row: Sequence[Pair]) -> str:
    """What is to know of a row, without that it is of other data: each once, with its cells."""
    cells: dict[str, list[str]] = {}
    for part in dict.fromkeys(part for pair in row for part in pair.note.split("; ")[1:]):
        cell, colon, text = part.partition(": ")
        cells.setdefault(text if colon else part, []).extend([cell] if colon else [])
    merged = (f"{', '.join(names)}: {text}" if names else text for text, names in cells.items())
    return "; ".join(merged) or "–"


def _agreement(whole: Mapping[str, float], pairs: Sequence[Pair]) -> str:
    correlation = f"rank correlation {whole['correlation']:.2f} ({len(pairs)} numbers)."
    if pairs[0].is_of_other_data:
        return f"Means over all data sets, the paper's and these: {correlation}"
    return f"Mean absolute difference {whole['difference']:.2f}, {correlation}"


def row_title(name: str, view: View) -> str:
    if name in view.datasets:
        return view.title(name)
    family, _, dataset = name.partition(" ")
    families = view.context["families"]
    if family in families and dataset in view.datasets:
        return f"{families[family]}, {view.title(dataset)}"
    if family in view.datasets:
        return f"{view.title(family)}, N = {dataset}"
    return name if name.startswith((MEAN_OF, OWN_MEAN_OF)) else f"r = {name}"


def column_label(column: str, view: View) -> str:
    """A selector or transform in print; columns may say of what, after a blank."""
    name = column.partition(" ")[0]
    if name in view.context["transforms"]:
        return view.context["transforms"][name]["label"]
    return view.selectors.get(name, column)


def _has_selector_rows(pairs: Sequence[Pair], view: View) -> bool:
    """Whether a table has selectors as rows and different things in its columns."""
    return all(pair.row in view.selectors for pair in pairs)


def _side_by_side(pairs: Sequence[Pair], view: View) -> list[str]:
    """Every number beside the published one, one row per selector."""
    columns = list(dict.fromkeys(pair.column for pair in pairs))
    rows = []
    for selector, row in group_by(pairs, "row").items():
        cells = {pair.column: _pair_text(pair) for pair in row}
        rows.append([view.selectors[selector], *(cells.get(name, "–") for name in columns)])
    lines = ["Here, and in brackets as published.", ""]
    header = ["Selector", *(SUBSET_COLUMNS.get(name, name) for name in columns)]
    return [*lines, *markdown_rows(header, rows)]


def _pair_text(pair: Pair) -> str:
    form = ".0f" if pair.column == "runs" else ".2f" if pair.column == "size" else ".3f"
    return f"{pair.ours:{form}} ({pair.published:{form}})"
