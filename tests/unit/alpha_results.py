"""Made files about α, and the outputs that read them."""

import json
from pathlib import Path

from steadfast.core import registry
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.experiments.alpha.choices import CHOICES
from steadfast.experiments.alpha.curves import UNITS
from steadfast.experiments.alpha.facts import HEADER as FACTS
from steadfast.experiments.alpha.prediction import HEADER as RULES
from steadfast.experiments.alpha.variance import HEADER as VARIANCE

CRITERIA = ("0", "0.5", "1", "miq")
CONTEXT = {
    "study": "s",
    "ratios": [],
    "selectors": {},
    "classifiers": {"knn": "3-NN"},
    "families": {},
    "scenarios": {},
    "transforms": {},
    "measures": [],
    "scoring": "accuracy",
    "seed": 1,
    "ties": "column",
    "dataset_families": {},
    "alpha_classifier": "knn",
}


def write_dataset(folder, dataset, worth, spread, choices, facts, title):
    """The files of a data set; every fold is worth the same.

    `worth` is stability, matching and accuracy of each criterion, `spread` its variance and noise.
    """
    write_with_manifest({folder / f"data/{dataset}.json": json.dumps({"title": title}).encode()})
    parts = {
        "tsv": (UNITS, []),
        "units": (UNITS, [(a, f, *own) for a, own in zip(CRITERIA, worth) for f in "xy"]),
        "variance": (VARIANCE, [(a, *own, 0, 0) for a, own in zip(CRITERIA, spread)]),
        "choices": (CHOICES, choices),
        "facts": (FACTS, facts.items()),
    }
    path = folder / f"s/alpha/{dataset}"
    write_with_manifest(
        {
            Path(f"{path}.{name}" + ".tsv" * (name != "tsv")): table_to_bytes(*part)
            for name, part in parts.items()
        }
    )


def write_rules(folder, rows):
    """What rules take and lose."""
    write_with_manifest({folder / "s/alpha_rules.tsv": table_to_bytes(RULES, rows)})


def make(folder, sort, name, context, **entry):
    """The output of an entry."""
    kind = registry.load(sort, name).kind
    defaults = {key: one.default for key, one in kind.keys.items() if one.has_default}
    entry = {"title": "T", **defaults, **entry}
    return kind.make(kind.source({**CONTEXT, **context, "entry": entry}, str(folder)))
