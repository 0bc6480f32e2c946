"""The evidence of a report as data frames and as a figure."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from steadfast.api.extras import need
from steadfast.core.errors import UserError, look_up
from steadfast.outputs.figures.panels import COLOURS, LINES
from steadfast.page.data import asks_for_trust, best_point, score_of
from steadfast.page.features import reason, tells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Evidence = Mapping[str, Any]


def selector_rows(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """One row per selector at its recommended size, in the order in which they were given."""
    advised = evidence["advice"]["selector"]
    for selector in evidence["selectors"]:
        point = best_point(evidence, selector)
        row: dict[str, Any] = {"selector": selector["label"]}
        row["size"] = None if point is None else point.size
        for of in ("stability", "accuracy"):
            value = None if point is None else getattr(point, of)
            shown = of if of == "stability" else score_of(evidence).name
            row[shown] = None if value is None else value.value
            row[f"{shown}_low"] = None if value is None else value.low
            row[f"{shown}_high"] = None if value is None else value.high
        row["recommended"] = selector["id"] == advised
        yield row


#: Columns of a data frame that are no numbers.
_WORDS = ("direction", "recommended", "tells", "trusted", "why")

#: Columns of effect sizes, and where the evidence has them.
_EFFECTS = {
    **{"difference": "difference", "difference_low": "low", "difference_high": "high"},
    **{"auc": "auc", "auc_low": "auc_low", "auc_high": "auc_high"},
}

#: Columns of the features, in order.
FEATURE_COLUMNS = [
    *("frequency", "mean_rank", "direction", "agreement", *_EFFECTS),
    *("votes", "q", "tells", "trusted", "why"),
]


def feature_rows(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """One row per feature of the recommended subsets, and of those trusted; these come first."""
    asked = asks_for_trust(evidence["advice"])
    for row in evidence["advice"]["consensus"]:
        feature = evidence["features"][row["feature"]]
        effect = feature.get("effect") or {}
        yield {
            "feature": feature["name"],
            "frequency": row["frequency"],
            "mean_rank": row["mean_rank"],
            "direction": feature["direction"],
            "agreement": feature["agreement"],
            **{column: effect.get(key) for column, key in _EFFECTS.items()},
            "votes": row["votes"],
            "q": row.get("q"),
            "tells": tells(row) if row.get("how") else None,
            "trusted": row["trusted"] if asked else None,
            "why": "".join(reason(evidence, row)) or None,
        }


def to_frame(rows: Iterator[dict[str, Any]], index: str, columns: list[str], what: str) -> Any:
    """Rows as a data frame with these columns, if there are any rows or not."""
    pandas = need("pandas", what)
    found = pandas.DataFrame(list(rows), columns=[index, *columns]).set_index(index)
    numbers = [name for name in columns if name not in _WORDS]
    return found.astype(dict.fromkeys(numbers, float))


def figure(evidence: Evidence, classifier: str | None = None) -> "Figure":
    """Stability and accuracy by size, a panel each."""
    known = evidence["classifiers"]
    if classifier is not None:
        look_up("classifier", classifier, known)
    name = classifier or next(iter(known), None)
    pyplot = need("matplotlib.pyplot", "plot()")
    n_panels = 1 if name is None else 2
    made, axes = pyplot.subplots(
        *(1, n_panels), figsize=(4.5 * n_panels, 3.6), squeeze=False, layout="constrained"
    )
    _panel(axes[0, 0], evidence, "stability", lambda one: one["stability"])
    axes[0, 0].set_ylabel(f"Stability ({evidence['measure']})")
    if name is not None:
        _panel(axes[0, 1], evidence, "accuracy", lambda one: one["accuracy"].get(name), name)
        axes[0, 1].set_ylabel(f"{score_of(evidence).label} ({known[name]})")
    made.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    made.suptitle(evidence["dataset"]["title"])
    return made


def _panel(ax: "Axes", evidence: Evidence, of: str, curve_of: Any, classifier: str = "") -> None:
    for at, one in enumerate(evidence["selectors"]):
        look = {"color": COLOURS[at % len(COLOURS)], "linestyle": LINES[at % len(LINES)]}
        own = one["own"]
        if own is not None:
            value = own[of] if of == "stability" else own[of].get(classifier)
            if value:
                ax.plot(own["size"], value["value"], "o", color=look["color"], label=one["label"])
            continue
        curve = curve_of(one)
        if curve is None:
            continue
        columns = (evidence["sizes"], curve["value"], curve["low"], curve["high"])
        points = [row for row in zip(*columns) if row[1] is not None]
        if not points:
            continue
        sizes, values, low, high = zip(*points)
        ax.plot(sizes, values, label=one["label"], **look)
        ends = [
            [value if end is None else end for value, end in zip(values, e)] for e in (low, high)
        ]
        ax.fill_between(sizes, *ends, color=look["color"], alpha=0.15, linewidth=0)
    ax.set_xlabel("Number of features")


def check_fitted(report: Any) -> None:
    """Refuse to show a report that has not been fitted."""
    if not hasattr(report, "evidence_"):
        raise UserError("this StabilityReport is not fitted yet: call fit(X, y)")
