"""How a study was done, from its declaration, as JSON that a report can print."""

from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.outputs.captions import heading
from steadfast.outputs.results import Measure
from steadfast.study.declaration import Study

#: Keys of a classifier that its label and its kind say already.
_NAMED = ("use", "label")


def describe_study(study: Study, catalogue: Mapping[str, Any]) -> dict[str, Any]:
    """Data sets, folds, selectors, measures and classifiers, and the titles of outputs."""
    return {
        "title": study.title,
        "paper": study.paper,
        "datasets": list(study.datasets),
        "stand_ins": {
            here: catalogue.get(paper, {}).get("title", paper)
            for paper, here in study.stand_ins.items()
            if here in study.datasets
        },
        "left_out": list(study.left_out),
        "folds": _folds(study),
        "bins": study.bins.settings,
        "sizes": _sizes(study.measured_sizes),
        "selectors": _selectors(study),
        "transforms": {
            name: {"label": one["label"], "note": one["note"]}
            for name, one in study.transform_infos.items()
        },
        "measures": [Measure(**one).name for one in study.measure_infos(None)],
        "classifiers": {
            entry.get("label", name): {"kind": entry["use"], **_without(entry, _NAMED)}
            for name, entry in study.classifiers.items()
        },
        "precision": study.precision,
        "runs": declared_runs(study),
        "tables": {name: heading(name, one["title"]) for name, one in study.tables.items()},
        "figures": {name: heading(name, one["title"]) for name, one in study.figures.items()},
    }


def declared_runs(study: Study) -> dict[str, dict[str, Any]]:
    """How many folds selectors are run on, by data set: `most`, and `fewer` by selector."""
    runs = {}
    for dataset in study.datasets:
        own = {name: len(study.folds(dataset, name)) for name in study.selectors}
        most = max(own.values())
        fewer = {name: number for name, number in own.items() if number < most}
        runs[dataset] = {"most": most, "fewer": fewer}
    return runs


def _folds(study: Study) -> dict[str, Any]:
    return {
        "how": study.scheme.describe(study.ratios[-1]),
        "ratios": list(study.ratios),
        "settings": dict(study.resample),
        "number": len(study.scheme.names()),
    }


def _sizes(sizes: str | int | Sequence[int]) -> str:
    if isinstance(sizes, int):
        return f"1 to {sizes}"
    return "all" if isinstance(sizes, str) else ", ".join(map(str, sizes))


def _selectors(study: Study) -> dict[str, dict[str, Any]]:
    """Selectors without their transforms, with the parameters that the study gives."""
    found: dict[str, dict[str, Any]] = {}
    for one in study.selectors.values():
        found.setdefault(
            one.family,
            {
                "label": study.families[one.family],
                "kind": one.use,
                "parameters": dict(one.params),
                "on": "bins" if one.discrete else "numbers",
            },
        )
    return found


def _without(entry: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in keys}
