"""What one table, figure or claim needs to know of its study."""

from collections.abc import Mapping
from typing import Any

from steadfast.measures import declarations
from steadfast.resampling import schemes
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.study.transforms import NONE, cell_name, wanted_transforms
from steadfast.transforms.running import parameters, told

#: Kinds of tables and claims that go through all of the study's measures.
ACROSS_MEASURES = ("measures", "orders")

#: Kinds that rank selectors over data sets.
ACROSS_DATASETS = ("friedman", "critical_difference")

#: Kinds that test selectors against each other: all but random selection, unless they name some.
OF_TESTS = (*ACROSS_DATASETS, "stability_test")

#: Kinds about selectors after transforms.
OF_TREATMENTS = ("treatments", "by_rank", "gain")

#: Kinds about stability or accuracy at one size, which may be a share of the features.
_OF_ONE_SIZE = (
    *("verdict", "perturbation", "groups", "treatments", "by_rank", "gain"),
    *ACROSS_DATASETS,
)

#: Kinds that make their own data.
_OF_NO_DATASET = ("precision", "illustration")

#: Kinds about all selectors of a study but the random one, unless they name some.
_OF_ALL_SELECTORS = {
    *("curves", "picture", "subsets", "plane"),
    *("profile", "tradeoff", "knots", "wrappers", "at_stability", "cost"),
    *(
        "perturbation",
        "verdict",
        "weights",
        "disjoint",
        "without_fold",
        "groups",
        "surface",
        "peaks",
    ),
}


def context(study: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """All that building one table or figure needs of a study.

    Kept as small as possible: what is not in here can change without a rerun. Colours count along
    the study's selectors, so that a method has one colour in all figures.
    """
    every = list(study["selectors"])
    random = random_selector(study) if entry.get("chance") else None
    chosen = _selectors_of(study, entry, random)
    return {
        "entry": dict(entry),
        "datasets": _datasets_of(study, entry),
        "ratios": schemes.create(study["resample"]).ratios(),
        "selectors": {name: study["selectors"][name]["label"] for name in chosen},
        "colours": {name: every.index(name) for name in chosen},
        "classifiers": classifier_labels(study),
        "measures": measure_infos(study, entry),
        "random": random,
        "ties": study["stability"]["ties"],
        **_treatments(study, entry),
        **({"sizes": measured_sizes(study)} if entry["kind"] in _OF_ONE_SIZE else {}),
    }


def measured_sizes(study: Mapping[str, Any]) -> str | int | list[int]:
    """Subset sizes of a study: `all`, the largest of all up to it, or a list."""
    sizes = study["sizes"]
    return len(sizes) if sizes == list(range(1, len(sizes) + 1)) else sizes


def _selectors_of(
    study: Mapping[str, Any], entry: Mapping[str, Any], random: str | None
) -> list[str]:
    """The selectors that a table or figure is about."""
    every = list(study["selectors"])
    if entry["kind"] in ("classifiers", "published"):
        return every
    if entry["kind"] in OF_TREATMENTS:
        return treated(study, entry)
    if entry["kind"] in OF_TESTS:
        return tested(study, entry)
    if "groups" in entry or "sweeps" in entry:
        groups = entry.get("groups") or [sweep["selectors"] for sweep in entry["sweeps"]]
        named = [name for group in groups for name in group]
        return list(
            dict.fromkeys([*named, *([entry["reference"]] if "reference" in entry else [])])
        )
    if entry["kind"] in _OF_ALL_SELECTORS:
        return entry.get("selectors", [name for name in every if name != random])
    return entry.get("selectors", [entry["selector"]] if "selector" in entry else [])


def tested(study: Mapping[str, Any], entry: Mapping[str, Any]) -> list[str]:
    """Selectors that an entry tests: those it names, or all of the study but random selection."""
    if "pairs" in entry:
        return list(dict.fromkeys(name for pair in entry["pairs"] for name in pair))
    every = [name for name, about in study["selectors"].items() if about["use"] != "random"]
    named = entry.get("selectors", every)
    reference = [entry["reference"]] if "reference" in entry else []
    return list(dict.fromkeys([*reference, *named]))


def treated(study: Mapping[str, Any], entry: Mapping[str, Any]) -> list[str]:
    """Selectors after each of the transforms that an entry names, its baseline included."""
    families = [entry["family"]] if "family" in entry else entry.get("families", study["families"])
    cells = [
        cell_name(family, transform)
        for family in families
        for transform in wanted_transforms(entry)
    ]
    return [cell for cell in cells if cell in study["selectors"]]


def _treatments(study: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """Labels of selectors and transforms, for entries about these."""
    if entry["kind"] not in (*OF_TREATMENTS, "precision"):
        return {}
    return {"families": study["families"], "transforms": transform_infos(study)}


def transform_infos(study: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Transforms with their names in print, what they learn from, and their rank if any."""
    return {
        name: {
            "label": entry["label"],
            "as_published": entry["as_published"],
            "rank": parameters(entry).get("rank"),
            "told": "as they are" if entry["use"] == NONE else told(entry),
        }
        for name, entry in study["transforms"].items()
    }


def measure_infos(study: Mapping[str, Any], *entries: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The study's measures that entries use, with their names in print and what is better."""
    asked = [part for entry in entries for part in (entry, *entry.get("panels", []))]
    every = any(entry["kind"] in ACROSS_MEASURES for entry in entries)
    for entry in entries:
        if entry["kind"] == "pairs":
            names = entry.get(
                "measures", [given["measure"] for given in study["stability"]["measures"]]
            )
            asked += [{"measure": name, "compare": CHOSEN} for name in names]
    return [
        {
            **given,
            "label": declarations()[given["measure"]].label,
            "distance": declarations()[given["measure"]].distance,
        }
        for given in study["stability"]["measures"]
        if every or any(given.items() <= part.items() for part in asked)
    ]


def _datasets_of(study: Mapping[str, Any], entry: Mapping[str, Any]) -> list[str]:
    named = [panel["dataset"] for panel in entry.get("panels", []) if "dataset" in panel]
    named += [name for names in entry.get("dataset_groups", {}).values() for name in names]
    if entry["kind"] in _OF_NO_DATASET:
        return []
    if "dataset" in entry:
        named.append(entry["dataset"])
    return list(dict.fromkeys(named)) or study["datasets"]


def random_selector(study: Mapping[str, Any]) -> str | None:
    """The study's selector that chooses at random, the baseline of accuracies."""
    entries = study["selectors"].items()
    return next((name for name, entry in entries if entry["use"] == "random"), None)


def classifier_labels(study: Mapping[str, Any]) -> dict[str, str]:
    """Classifiers to their names in print."""
    entries = study["accuracy"]["classifiers"]
    return {name: entry.get("label", name) for name, entry in entries.items()}
