"""What is known of every α on each data set, and the rules that choose α and the subset size."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.files import manifest_of
from steadfast.core.keys import list_of, one_of
from steadfast.core.seeds import generator
from steadfast.outputs.arguments import Argument, Entry
from steadfast.outputs.results import Results, read_columns
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: What α and sizes are chosen for.
AIMS = ("stability", "accuracy", "both")

#: Names of the criteria α = 0.5 and V / W in the files.
MID, MIQ = "0.5", "miq"

#: Rules and their names in print.
RULES = {
    "best": "best afterwards",
    "auto": "auto, inside the training rows",
    "auto_both": "auto, α too",
    "once": "auto, chosen once and kept",
    "settled": "auto that stays at 0.9 unless significantly worse",
    "settled_both": "α near 0.9, smallest size, not significantly worse",
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

#: The names of those that are called otherwise where sizes are asked for.
_LABELS = {
    "size": {"settled": "smallest that is not significantly worse", "half": "always 10 features"},
    "both": {"settled": RULES["settled_both"], "half": "always α = 0.5 and 10 features"},
}

#: Rules that answer one question only.
_ONLY = {"once": "alpha", "least_variance": "alpha"} | dict.fromkeys(
    ("auto_both", "settled_both", "knot", "peak", "one_se"), "size"
)

#: Bootstraps of the folds, for the interval of the best α.
_BOOTSTRAPS = 1000


class RuleArgument(Argument):
    """A rule, or a list of rules, which must answer the entry's question."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        rules = entry[name] if isinstance(entry[name], list) else [entry[name]]
        for rule in rules:
            question = _ONLY.get(rule, entry["question"])
            if question != entry["question"]:
                raise UserError(f"{where}.{name}: {rule} answers the question {question} only")


Aim = Literal["stability", "accuracy", "both"]
Question = Literal["alpha", "size", "both"]
Rule = Annotated[str, RuleArgument(one_of("Rule.", *RULES, required=True))]
Rules = Annotated[
    list[str],
    RuleArgument(list_of("Rules.", {"enum": [*RULES]}, default=["regression", "nearest", "auto"])),
]
Truth = Literal["any", "known", "unknown"]


class Alpha(Results):
    """Every α and MIQ on each data set, what rules choose, and what they lose."""

    reads = ("alpha",)

    @classmethod
    def check(cls, study: "Study", entry: Entry, where: str) -> None:
        if not study.alpha:
            raise UserError(f"{where}: the study has no `alpha`")

    @classmethod
    def context_of(cls, study: "Study", entry: Entry) -> dict[str, Any]:
        every = study.alpha.get("families", {}).items()
        families = {
            family: [one for one in names if one in study.datasets] for family, names in every
        }
        families = {family: names for family, names in families.items() if names}
        return {"dataset_families": families, "alpha_classifier": study.alpha["classifier"]}

    def rules(self, question: str) -> dict[str, str]:
        """Rules and their names in print, as answers to a question."""
        return RULES | _LABELS.get(question, {})

    def frame(self, part: str) -> pd.DataFrame:
        """The files `units`, `variance`, `facts` or `choices` of all data sets as one."""
        frames = []
        for dataset in self.datasets:
            manifest = str(manifest_of(Path(self.paths("alpha", dataset=dataset))))
            path = self.paths("alpha", f"{part}.tsv", dataset=dataset)
            frames.append(pd.DataFrame({"dataset": dataset, **read_columns(path, manifest)}))
        return pd.concat(frames, ignore_index=True)

    # Frames with a row per data set

    @cached_property
    def units(self) -> pd.DataFrame:
        """Means over sizes by data set, criterion (`alpha`) and fold."""
        units = self.frame("units")
        return units.assign(both=(units["stability"] + units["accuracy"]) / 2)

    def by_criterion(self, quantity: str) -> pd.DataFrame:
        """A quantity of every α and of MIQ (columns), mean over sizes and folds.

        `stability`, `matching` (the paper's), `accuracy` or `both`; or `variance`, `noise`,
        `relevance_variance` or `redundancy_variance` of the criterion.
        """
        frame = self.units if quantity in self.units else self.frame("variance")
        groups = frame.groupby(["dataset", "alpha"])[quantity]
        means = groups.agg(lambda values: values.to_numpy().mean())
        return means.unstack("alpha").loc[self.datasets]

    def by_alpha(self, quantity: str) -> pd.DataFrame:
        """The same without MIQ; the names of the columns are numbers."""
        return self.by_criterion(quantity).drop(columns=MIQ).rename(columns=float)

    def best_on_mean(self, quantity: str) -> float:
        """The α of the largest mean over data sets."""
        return self.by_alpha(quantity).mean().idxmax()

    def best(self, quantity: str) -> pd.DataFrame:
        """The best α, and the ends of its 95% interval over bootstraps of the folds."""
        rows = []
        for dataset in self.datasets:
            units = self.units[(self.units["dataset"] == dataset) & (self.units["alpha"] != MIQ)]
            alphas = units["alpha"].unique().astype(float)
            values = units[quantity].to_numpy().reshape(len(alphas), -1)
            n = values.shape[1]
            random = generator(self.seed, "best alpha", dataset, quantity)
            drawn = values[:, random.integers(n, size=(_BOOTSTRAPS, n))].mean(axis=2)
            ends = np.quantile(alphas[drawn.argmax(axis=0)], [0.025, 0.975], method="nearest")
            rows.append((alphas[values.mean(axis=1).argmax()], *ends))
        index = pd.Index(self.datasets, name="dataset")
        return pd.DataFrame(rows, columns=["alpha", "low", "high"], index=index)

    def correlations(self, term: str) -> pd.Series:
        """Spearman's of `variance` or `noise` and stability over the α."""
        return correlations(self.by_alpha(term), self.by_alpha("stability"))

    def taken(self, question: str, aim: str, column: str) -> pd.DataFrame:
        """What rules (columns) take: the column `alpha` or `k`, or a loss."""
        rows = pd.DataFrame(self.columns("alpha_rules"))
        rows = rows[(rows["question"] == question) & (rows["aim"] == aim)]
        return rows.pivot(index="dataset", columns="rule", values=column).reindex(self.datasets)

    def losses(self, question: str, aim: str, datasets: list[str]) -> pd.DataFrame:
        """What rules (columns) lose of an aim; of those that take something on all the data sets.

        Some need other data sets to learn from. The aim `truth` is the F1 of chosen sizes.
        """
        lost = 1 - self.chosen("f1") if aim == "truth" else self.taken(question, aim, f"lost_{aim}")
        lost = lost.loc[datasets, [rule for rule in RULES if rule in lost]]
        return lost.dropna(axis=1, thresh=max(1, len(datasets)))

    def chosen(self, quantity: str) -> pd.DataFrame:
        """What rules for the size (columns) choose inside the training rows, mean over folds.

        `k`, `found`, and where the truth is known `precision`, `recall` and `f1`. Rules that choose
        α, too, are those that end in `_both`.
        """
        rows = self.frame("choices").query("question != 'alpha'")
        rules = rows["rule"] + rows["question"].map({"size": "", "both": "_both"})
        total = rows["precision"] + rows["recall"]
        f1 = (2 * rows["precision"] * rows["recall"] / total).where(total != 0, 0.0)
        rows = rows.assign(rule=rules, f1=f1)
        return rows.pivot(index="dataset", columns="rule", values=quantity).reindex(self.datasets)

    def of_truth(self, truth: str) -> list[str]:
        """Data sets whose relevant features are `known`, because they are made, or `unknown`."""
        known = self.chosen("precision").notna().any(axis=1)
        return self.datasets if truth == "any" else list(known.index[known == (truth == "known")])


def correlations(first: pd.DataFrame, second: pd.DataFrame) -> pd.Series:
    """Spearman's of each row of two frames, over the columns where both have a number."""
    pairs = (pair[:, ~np.isnan(pair).any(axis=0)] for pair in np.stack([first, second], axis=1))
    return pd.Series([spearman(*pair) for pair in pairs], index=first.index)
