"""A page that says how close a run came to the paper, and which of its claims hold in it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.captions import heading
from steadfast.outputs.claims.gain import gain_claim
from steadfast.outputs.claims.pairs import of_cells, pairs_claim, side_by_side
from steadfast.outputs.curves import Curve, common_sizes, direction, read_curve, up_to
from steadfast.outputs.differences import difference, measure_name, verdict
from steadfast.outputs.published import MEAN_OF, OTHER_DATA, Pair, grouped, mean_difference
from steadfast.outputs.tables.base import dataset_title, markdown_rows, spearman
from steadfast.statistics.ranks import share_better
from steadfast.study.context import treated


def summary_page(
    context: Mapping[str, Any], pairs: Sequence[Pair], folder: Path, data: Path
) -> bytes:
    """Markdown: one section a table with published numbers, one section a claim.

    `context` holds the study's title, paper, tables, claims, data sets and the labels of its
    selectors.
    """
    lines = [f"# {context['title']}", ""]
    if context["paper"]:
        lines += [f"Reproduced: {context['paper']}.", ""]
    if context["left_out"]:
        lines += [f"Left out, for want of what they need: {', '.join(context['left_out'])}.", ""]
    published = [t["label"] for t in context["transforms"].values() if t["as_published"]]
    if published:
        lines += [
            "**Learnt from all rows before they were split, test rows included, as published**: "
            f"{', '.join(published)}. Stability and accuracy after these know the "
            "test rows; all other transforms learn from the training rows of each fold.",
            "",
        ]
    by_table = grouped(pairs, "table")
    if by_table:
        lines += _overview(by_table, context, data)
    for claim in context["claims"]:
        lines += [f"## Claim {claim['number']}: {claim['text'].strip()}", ""]
        lines += _CLAIMS[claim["kind"]](claim, context, by_table, folder, data)
    return ("\n".join(lines).rstrip() + "\n").encode()


def agreement(pairs: Sequence[Pair]) -> dict[str, float]:
    """Mean absolute difference, and mean over rows of Spearman's correlation of the columns."""
    correlations = [
        spearman(np.array([p.published for p in row]), np.array([p.ours for p in row]))
        for row in grouped(pairs, "row").values()
    ]
    known = [value for value in correlations if not np.isnan(value)]
    return {
        "difference": mean_difference(pairs),
        "correlation": float(np.mean(known)) if known else float("nan"),
    }


def _overview(
    by_table: Mapping[str, Sequence[Pair]], context: Mapping[str, Any], data: Path
) -> list[str]:
    lines = []
    if not all(of_cells(pairs, context) for pairs in by_table.values()):
        lines = [
            "Published against reproduced. Difference: mean absolute difference. Correlation: "
            "Spearman's between the methods of a row, mean over the rows.",
            "",
        ]
    if all(_other_data(pair) for pairs in by_table.values() for pair in pairs):
        lines += [
            "**The paper's data sets are not those of this study**: its numbers cannot be expected "
            "here, only the order of the methods can be compared (the correlation).",
            "",
        ]
    for table, pairs in by_table.items():
        lines += [f"## {heading(table, context['tables'][table])}", ""]
        if of_cells(pairs, context):
            lines += [*side_by_side(pairs, context), ""]
            continue
        methods = [pair for pair in pairs if _is_method(pair, context)]
        same = [pair for pair in methods if not _other_data(pair)]
        if same:
            lines += _same_data(same, context, data)
        for pair in (pair for pair in pairs if pair not in methods):
            title = _row_title(pair.row, context, data)
            lines += [
                f"{title}, {pair.column}: published {pair.published:g}, here {pair.ours:.3f}."
            ]
            lines += [""]
        other = [pair for pair in methods if _other_data(pair)]
        if other:
            lines += [_agreement(agreement(other), other), "", *_orders(other, context), ""]
    return lines


def _same_data(pairs: Sequence[Pair], context: Mapping[str, Any], data: Path) -> list[str]:
    """How close each row came, where the data sets are the paper's."""
    rows = []
    for name, row in grouped(pairs, "row").items():
        close = agreement(row)
        largest = max(row, key=lambda pair: abs(pair.difference))
        rows.append(
            [
                _row_title(name, context, data),
                f"{close['difference']:.2f}",
                "–" if np.isnan(close["correlation"]) else f"{close['correlation']:.2f}",
                f"{largest.difference:+.2f} ({_column_label(largest.column, context)})",
                row[0].note or "–",
            ]
        )
    header = ["Row", "Difference", "Correlation", "Largest difference", "Note"]
    return [_agreement(agreement(pairs), pairs), "", *markdown_rows(header, rows), ""]


def _other_data(pair: Pair) -> bool:
    return pair.note.startswith(OTHER_DATA)


def _is_method(pair: Pair, context: Mapping[str, Any]) -> bool:
    """Whether a column is a selector or transform, and not a number of the data set."""
    name = pair.column.partition(" ")[0]
    return name in context["transforms"] or name in context["selectors"]


def _orders(pairs: Sequence[Pair], context: Mapping[str, Any]) -> list[str]:
    """The methods from the largest mean to the smallest, published and here."""
    rows = []
    for name, row in grouped(pairs, "row").items():
        orders = []
        for key in ("published", "ours"):
            ordered = sorted(row, key=lambda pair: -getattr(pair, key))
            orders.append(
                ", ".join(
                    f"{_column_label(p.column, context)} {getattr(p, key):.3f}" for p in ordered
                )
            )
        correlation = agreement(row)["correlation"]
        note = row[0].note.partition("; ")[2] or "–"
        rows.append([name, *orders, "–" if np.isnan(correlation) else f"{correlation:.2f}", note])
    header = ["Mean over data sets", "Published, largest first", "Here", "Correlation", "Note"]
    return markdown_rows(header, rows)


def _agreement(whole: Mapping[str, float], pairs: Sequence[Pair]) -> str:
    correlation = f"rank correlation {whole['correlation']:.2f} ({len(pairs)} numbers)."
    if _other_data(pairs[0]):
        return f"Means over all data sets, the paper's and these: {correlation}"
    return f"Mean absolute difference {whole['difference']:.2f}, {correlation}"


def _row_title(name: str, context: Mapping[str, Any], data: Path) -> str:
    if name in context["datasets"]:
        return dataset_title(data, name)
    family, _, dataset = name.partition(" ")
    if family in context["families"] and dataset in context["datasets"]:
        return f"{context['families'][family]}, {dataset_title(data, dataset)}"
    return name if name.startswith(MEAN_OF) else f"r = {name}"


def _column_label(column: str, context: Mapping[str, Any]) -> str:
    """A selector or transform in print; columns may say of what, after a blank."""
    name = column.partition(" ")[0]
    if name in context["transforms"]:
        return context["transforms"][name]["label"]
    return context["selectors"].get(name, column)


def _compare(claim, context, by_table, folder: Path, data: Path) -> list[str]:
    """At which share of the sizes one selector beats the other."""
    rows, shares, below, differences = [], [], [], []
    for dataset in claim.get("datasets", context["datasets"]):
        for ratio in claim["ratios"]:
            asked = {**claim, "dataset": dataset, "ratio": ratio}
            pair = [read_curve(folder, asked, claim[key]) for key in ("better", "than")]
            sign = direction(context, asked)
            pair = [up_to(curve, claim.get("largest")) for curve in common_sizes(pair)]
            first, second = (sign * curve.values for curve in pair)
            better, equal = share_better(first, second)
            shares.append(better)
            below.append(1 - better - equal)
            differences.append(float(np.mean(first - second)))
            title = dataset_title(data, dataset)
            rows.append([title, f"{ratio:g}", str(first.size), f"{better:.0%}", f"{equal:.0%}"])
            apart = first - second
            rows[-1] += [f"{differences[-1]:+.3f}", f"{apart.min():+.3f} to {apart.max():+.3f}"]
            rows[-1].append(_interval(claim, asked, folder, pair[0], sign))
    better, than = (context["selectors"][claim[key]] for key in ("better", "than"))
    mostly = sum(share > 0.5 for share in shares)
    never_below = sum(worse < 1e-9 for worse in below)
    return [
        f"As measured: {claim['of']} of {better} is above that of {than} at more than half of the "
        f"subset sizes in {mostly} of {len(shares)} cases, at no size below it in {never_below}. "
        f"Mean difference {np.mean(differences):+.3f}, from {min(differences):+.3f} to "
        f"{max(differences):+.3f}.",
        "",
        *markdown_rows(
            [
                *("Dataset", "r", "Sizes", f"{better} better", "Equal", "Mean difference"),
                *("At single sizes", "95% interval of the mean"),
            ],
            rows,
        ),
        "",
    ]


def _interval(
    claim: Mapping[str, Any], asked: Mapping[str, Any], folder: Path, compared: Curve, sign: int
) -> str:
    """Of the mean difference in stability, where that is over all sizes; accuracies have none.

    `sign` is −1 for distances.
    """
    if claim["of"] != "stability":
        return "–"
    whole = read_curve(folder, asked, claim["better"]).sizes.size
    found = difference(folder, asked, claim["better"], claim["than"])
    if compared.sizes.size != whole or np.isnan(found[1]):
        return "–"
    low, high = sorted(sign * end for end in found[1:])
    return f"{low:+.3f} to {high:+.3f}"


def _best(claim, context, by_table, folder: Path, data: Path) -> list[str]:
    """The best column of each row of a table, published and reproduced."""
    pairs = by_table.get(claim["table"], [])
    if not pairs:
        return ["Not tested: config/published has no numbers for the rows of this run.", ""]
    rows, same, same_side = [], 0, 0
    columns = list(dict.fromkeys(pair.column for pair in pairs))
    pivot = columns.index(claim["pivot"])
    for name, row in grouped(pairs, "row").items():
        sides = []
        for key in ("published", "ours"):
            best = min(row, key=lambda pair: getattr(pair, key))
            sides.append((best.column, np.sign(columns.index(best.column) - pivot)))
        (published, their_side), (ours, our_side) = sides
        same += published == ours
        same_side += their_side == our_side
        labels = [context["selectors"][column] for column in (published, ours)]
        rows.append([dataset_title(data, name), *labels, "yes" if their_side == our_side else "no"])
    pivot_label = context["selectors"][claim["pivot"]]
    return [
        f"As measured: the best of a row is the published one in {same} of {len(rows)} rows, and "
        f"lies on the same side of {pivot_label} in {same_side} of {len(rows)}.",
        "",
        *markdown_rows(["Dataset", "Best, published", "Best, here", "Same side"], rows),
        "",
    ]


def _measures(claim, context, by_table, folder: Path, data: Path) -> list[str]:
    """In how many cases the interval of the difference lies on either side, for each measure."""
    better, than = (context["selectors"][claim[key]] for key in ("better", "than"))
    cases = [(dataset, ratio) for dataset in context["datasets"] for ratio in claim["ratios"]]
    rows, sides = [], []
    for info in context["measures"]:
        found = [
            difference(
                folder, {**info, "dataset": dataset, "ratio": ratio}, claim["better"], claim["than"]
            )
            for dataset, ratio in cases
        ]
        found = [each for each in found if not np.isnan(each[0])]
        signs = [verdict(each, info["distance"]) for each in found]
        sides.append([signs.count(side) for side in (1, 0, -1)])
        name = measure_name(info)
        mean = f"{np.mean([each[0] for each in found]):+.3f}" if found else "–"
        rows.append([name, *(f"{count} of {len(found)}" for count in sides[-1]), mean])
    more = sum(for_it > against for for_it, _, against in sides)
    return [
        f"As measured: the 95% interval of the difference lies on the side of {better} more often "
        f"than on that of {than} under {more} of {len(rows)} measures. A case is a data set and a "
        "ratio; stability is the mean over all subset sizes.",
        "",
        *markdown_rows(
            ["Measure", f"{better} more stable", "Open", f"{than} more stable", "Mean difference"],
            rows,
        ),
        "",
    ]


_CLAIMS = {
    "compare": _compare,
    "best": _best,
    "measures": _measures,
    "pairs": pairs_claim,
    "gain": gain_claim,
}


def needed_selectors(
    claims: Sequence[Mapping[str, Any]], study: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """What is measured, and of which selector, for the claims."""
    for claim in claims:
        if claim["kind"] == "gain":
            yield from ((claim["of"], name) for name in treated(study, claim))
        if claim["kind"] in ("compare", "measures"):
            of = claim.get("of", "stability")
            yield from ((of, claim[key]) for key in ("better", "than"))
        for pair in claim.get("pairs", []):
            yield from (("stability", name) for name in pair)
