"""What outputs about α and the subset size share: which files they read, and their numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.files import manifest_of, parse_table, read_verified
from steadfast.core.keys import Key, one_of
from steadfast.core.paths import with_manifest
from steadfast.core.seeds import generator
from steadfast.outputs.differences import Interval
from steadfast.outputs.kind import Entry, Kind
from steadfast.outputs.verdict import judge
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from steadfast.core.paths import Paths
    from steadfast.study.declaration import Study

#: What α and sizes are chosen for, and their names in print.
AIMS = {"stability": "stability", "accuracy": "accuracy", "both": "both"}

AIM = one_of("What is aimed at: `stability`, `accuracy`, or `both`, their mean.", *AIMS)

#: Questions, and what stands in print for the rules that answer them.
QUESTION = one_of(
    "What is asked: `alpha` (means over all sizes), `size` (at α = 0.5), or `both`.",
    *("alpha", "size", "both"),
    default="alpha",
)
RULES = {
    "best": "best afterwards",
    "auto": "auto, inside the training rows",
    "once": "auto, chosen once and kept",
    "settled": "auto that stays at 0.9 unless significantly worse",
    "half": "always α = 0.5",
    "average": "best on the average of other data sets",
    "nearest": "best on the five most similar data sets",
    "regression": "regression on characteristics",
    "least_variance": "α of the least variance",
    "knot": "knot of stability",
    "peak": "highest peak of stability",
    "one_se": "one standard error",
    "blind": "blindly: mean over all",
}

#: In the place of `half`, where sizes are asked for.
SIZE_RULES = {
    **RULES,
    "settled": "smallest that is not significantly worse",
    "half": "always 10 features",
}
BOTH_RULES = {
    **RULES,
    "settled": "α near 0.9, smallest size, not significantly worse",
    "half": "always α = 0.5 and 10 features",
}

#: Which data sets count: those whose relevant features are known are made.
TRUTH = one_of(
    "Data sets that count, by whether their relevant features are `known` or `unknown`; or `any`.",
    *("any", "known", "unknown"),
    default="any",
)

#: What of a criterion is looked at, and its name in print.
TERMS = {"variance": "variance", "noise": "share of noise"}
TERM = one_of(
    "`variance` of the chosen feature's score, or `noise`: its share in how candidates differ.",
    *TERMS,
    default="variance",
)

#: Rules that choose inside the training rows, whose subsets can be held against the truth: question
#: and rule of their rows, and their names in print.
NESTED = {
    "auto": ("size", "auto", RULES["auto"]),
    "auto_both": ("both", "auto", "auto, α too"),
    "settled": ("size", "settled", SIZE_RULES["settled"]),
    "settled_both": ("both", "settled", BOTH_RULES["settled"]),
    "knot": ("size", "knot", RULES["knot"]),
    "peak": ("size", "peak", RULES["peak"]),
    "one_se": ("size", "one_se", RULES["one_se"]),
}

#: Rules that answer one question only.
ONLY = {"once": "alpha", "least_variance": "alpha"} | dict.fromkeys(
    ("knot", "peak", "one_se"), "size"
)

#: Bootstraps of the folds, for the interval of the best α.
_BOOTSTRAPS = 1000


def rule_label(question: str, rule: str) -> str:
    """The name of a rule in print."""
    return {"alpha": RULES, "size": SIZE_RULES, "both": BOTH_RULES}[question][rule]


#: Names of rules that need an article in a sentence, and those that are called otherwise there.
_WITH_ARTICLE = ("best", "α of", "regression", "knot", "highest", "smallest")
_IN_WORDS = {"one_se": "the rule of one standard error"}


def in_words(question: str, rule: str) -> str:
    """A rule, or one of `NESTED`, in a sentence."""
    label = rule_label(question, rule) if rule in RULES else NESTED[rule][2]
    named = f"the {label}" if label.startswith(_WITH_ARTICLE) else label
    return _IN_WORDS.get(rule, named)


def margin_of(default: float) -> Key:
    """How far a number must be from a limit to count."""
    return Key(
        "How far beyond the limit a number must be to speak for the claim, or against it.",
        {"type": "number", "minimum": 0},
        default=default,
    )


def judge_beyond(entry: Entry, value: float) -> int:
    """What a number says of an entry's `expect`: it is open up to the `margin` from the limit."""
    margin = entry["margin"]
    return judge(entry["expect"], Interval(value, value - margin, value + margin))


def rule_beyond(unit: str, number: str, entry: Entry) -> str:
    """What a case is, and when it speaks for the claim, by `judge_beyond`."""
    ((condition, limit),) = entry["expect"].items()
    low, high = (f"{limit + turn * entry['margin'] + 0.0:g}" for turn in (-1, 1))
    for_it, against = {
        "above": (f"above {high}", f"at {low} or below"),
        "below": (f"below {low}", f"at {high} or above"),
        "within": (f"within ±{low}", f"beyond ±{high}"),
    }[condition]
    return (
        f"A case is {unit}. It speaks for the claim where {number} is {for_it}, and against it "
        f"where it is {against} (single values); else it is open."
    )


class OfAlpha(Kind):
    """A kind about the study's `alpha`."""

    draws = True

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """None: it is about every α."""
        return []

    def more_files(self, study: "Study", entry: Entry, paths: "Paths") -> list[str]:
        """What is known of every α on each data set, and what rules lose."""
        files = with_manifest(paths("alpha_rules"))
        for dataset in self.datasets(study, entry):
            for ending in ("tsv", "units.tsv", "choices.tsv", "facts.tsv", "variance.tsv"):
                files.append(paths("alpha", ending, dataset=dataset))
            files.append(paths("alpha", "sha256", dataset=dataset))
        return files

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """Families of data sets, by their names in print."""
        given = (study.alpha or {}).get("families", {})
        families = {
            name: [dataset for dataset in own if dataset in study.datasets]
            for name, own in given.items()
        }
        return {"families": {name: own for name, own in families.items() if own}}

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        if not study.alpha:
            raise UserError(f"{where}: the study has no `alpha`")


def read_part(view: View, dataset: str, ending: str) -> dict[str, list[str]]:
    """A file of a data set, by its ending."""
    path = Path(view.paths("alpha", ending, dataset=dataset))
    manifest = manifest_of(Path(view.paths("alpha", dataset=dataset)))
    return parse_table(read_verified(path, manifest))


class Curves(NamedTuple):
    """Values by α (rows) and size or fold (columns); the last row is MIQ's."""

    names: list[str]
    stability: np.ndarray
    matching: np.ndarray
    accuracy: np.ndarray

    @property
    def both(self) -> np.ndarray:
        return (self.stability + self.accuracy) / 2

    @property
    def alphas(self) -> np.ndarray:
        """The values of α, without MIQ."""
        return np.array(self.names[:-1], dtype=float)


def read_units(view: View, dataset: str) -> Curves:
    """By fold: its part in the mean over sizes."""
    return _curves(read_part(view, dataset, "units.tsv"))


def _curves(table: dict[str, list[str]]) -> Curves:
    names = list(dict.fromkeys(table["alpha"]))
    parts = (
        np.array(table[of], dtype=float).reshape(len(names), -1)
        for of in ("stability", "matching", "accuracy")
    )
    return Curves(names, *parts)


class BestAlpha(NamedTuple):
    """The best α, and the ends of the 95% interval of where the best lies."""

    alpha: float
    low: float
    high: float


def best_alpha(view: View, dataset: str, of: str) -> BestAlpha:
    """The α of the largest mean; its interval is that of the best α of bootstraps of the folds."""
    units = read_units(view, dataset)
    values = getattr(units, of)[:-1]
    n = values.shape[1]
    draw = generator(view.context["seed"], "best alpha", dataset, of)
    rows = draw.integers(n, size=(_BOOTSTRAPS, n))
    means = values[:, rows].mean(axis=2)
    best = units.alphas[np.argmax(means, axis=0)]
    low, high = np.quantile(best, [0.025, 0.975], method="nearest")
    return BestAlpha(float(units.alphas[np.argmax(values.mean(axis=1))]), float(low), float(high))


def read_facts(view: View, dataset: str) -> dict[str, float]:
    """Characteristics of a data set by name."""
    table = read_part(view, dataset, "facts.tsv")
    return dict(zip(table["fact"], map(float, table["value"]), strict=True))


def read_variance(view: View, dataset: str) -> dict[str, dict[str, float]]:
    """Variances by α (or `miq`), each by its name: `variance`, `noise`, …"""
    table = read_part(view, dataset, "variance.tsv")
    values = {key: map(float, column) for key, column in table.items() if key != "alpha"}
    rows = zip(*values.values(), strict=True)
    return {
        name: dict(zip(values, row, strict=True))
        for name, row in zip(table["alpha"], rows, strict=True)
    }


def read_choices(view: View, dataset: str) -> list[dict[str, str]]:
    """What rules chose inside the training rows: a row each, as text."""
    table = read_part(view, dataset, "choices.tsv")
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


class Rule(NamedTuple):
    """What a rule takes on a data set, and what it loses against the best there is.

    `lost_…` is the best that any choice reaches, less what this one has.
    """

    question: str
    aim: str
    dataset: str
    rule: str
    alpha: float
    k: float
    stability: float
    accuracy: float
    both: float
    lost_stability: float
    lost_accuracy: float
    lost_both: float

    @property
    def lost(self) -> float:
        """In what it aims at."""
        return getattr(self, f"lost_{self.aim}")


def read_rules(view: View, question: str, aim: str) -> dict[str, dict[str, Rule]]:
    """By rule and data set."""
    table = view.columns("alpha_rules")
    found: dict[str, dict[str, Rule]] = {}
    for row in zip(*table.values(), strict=True):
        if row[:2] == (question, aim):
            one = Rule(*row[:4], *map(float, row[4:]))
            found.setdefault(one.rule, {})[one.dataset] = one
    return found


# What several outputs compute of them


def known_truth(view: View, dataset: str) -> bool:
    """Whether the relevant features of a data set are known, because it is made."""
    return any(row["precision"] != "nan" for row in read_choices(view, dataset))


def datasets_by_truth(view: View, truth: str) -> list[str]:
    """Those that count, see `TRUTH`."""
    if truth == "any":
        return view.datasets
    return [name for name in view.datasets if known_truth(view, name) == (truth == "known")]


def losses(
    view: View, question: str, aim: str, rule: str, datasets: Sequence[str]
) -> np.ndarray | None:
    """What a rule loses on each data set, in what it aims at; None without other data sets."""
    found = read_rules(view, question, aim).get(rule, {})
    if not datasets or not set(datasets) <= set(found):
        return None
    return np.array([found[dataset].lost for dataset in datasets])


def shown_loss(lost: Interval) -> str:
    """A mean loss and its interval, in print; – where there is none."""
    if np.isnan(lost.mean):
        return "–"
    mean, low, high = (round(value, 3) + 0.0 for value in lost)  # no −0.000
    return f"{mean:.3f}" + ("" if np.isnan(low) else f" [{low:.3f}, {high:.3f}]")


def by_alpha(view: View, dataset: str, of: str) -> np.ndarray:
    """Mean over sizes for each α, without MIQ."""
    return getattr(read_units(view, dataset), of)[:-1].mean(axis=1)


def best_on_mean(view: View, datasets: Sequence[str], of: str) -> float:
    """The α of the largest mean over data sets."""
    mean = np.mean([by_alpha(view, dataset, of) for dataset in datasets], axis=0)
    return float(read_units(view, datasets[0]).alphas[np.argmax(mean)])


def term_by_alpha(view: View, dataset: str, term: str) -> np.ndarray:
    """A term of the criterion (`TERMS`) for each α, without MIQ."""
    return np.array([row[term] for row in read_variance(view, dataset).values()][:-1])


def term_correlation(view: View, dataset: str, term: str) -> float:
    """Spearman's, over the α, of a term of the criterion with stability."""
    return spearman(term_by_alpha(view, dataset, term), by_alpha(view, dataset, "stability"))


class Against(NamedTuple):
    """The subsets of a rule held against the truth, means over folds."""

    k: float
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def against_truth(view: View, dataset: str, rule: str) -> Against:
    """Of a rule of `NESTED`; NaN where the truth is not known."""
    row = _choice(view, dataset, rule)
    return Against(*(float(row[key]) for key in Against._fields))


def share_found(view: View, dataset: str, rule: str) -> float:
    """The share of folds in which a rule of `NESTED` found what it looks for."""
    return float(_choice(view, dataset, rule)["found"])


def is_chosen(view: View, rule: str) -> bool:
    """Whether the study has a rule of `NESTED`: not all have every selector that chooses."""
    question, name, _ = NESTED[rule]
    rows = read_choices(view, view.datasets[0])
    return any((row["question"], row["rule"]) == (question, name) for row in rows)


def _choice(view: View, dataset: str, rule: str) -> dict[str, str]:
    question, name, _ = NESTED[rule]
    return next(
        row
        for row in read_choices(view, dataset)
        if (row["question"], row["rule"]) == (question, name)
    )
