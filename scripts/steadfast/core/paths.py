"""Where everything lies in a folder of results: the one place that knows."""

from dataclasses import dataclass, field
from typing import Any

#: Folders of results that are no study's, and the page of the whole run.
RESERVED = ("data", "logs", "benchmarks", "replications", "index.html")

#: A name that becomes part of a path: not one that a system reserves, nor one that names another
#: folder; `study.schema.yaml` has the same. Two of them and an ending fit the name of a file.
NAME = (
    r"^(?!(?i:con|prn|aux|nul|com\d|lpt\d)(\.|$))"
    r"(?=.{1,80}$)[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?$(?!\n)"
)

#: What lies where. Names in braces are wildcards of Snakemake's rules until they are given.
PLACES = {
    "data": "data/{dataset}.npz",
    "bins": "{study}/discrete/{dataset}.npz",
    "transformed": "{study}/transformed/{dataset}/{transform}.npz",
    # Which rows each fold trains and tests on, and the training rows as text for other programs.
    "folds": "{study}/resamples/{dataset}.npz",
    "fold_rows": "{study}/folds/{dataset}/{fold}.csv",
    # What a rule of the user's ranks; what was selected on a fold; the folds of one job.
    "ranking": "{study}/rankings/{dataset}/{selector}/{fold}.tsv",
    "selection": "{study}/selections/{dataset}/{selector}/{fold}.tsv",
    "batch": "{study}/selections/{dataset}/{selector}/batch{batch}.sha256",
    # A selector after all of its transforms is one file.
    "stability": "{study}/stability/{dataset}/{selector}.tsv",
    "accuracy": "{study}/accuracy/{dataset}/{selector}.tsv",
    "chance": "{study}/chance/{dataset}.tsv",
    # All curves of a study, and the part of each fold in them.
    "curves": "{study}/curves.parquet",
    "units": "{study}/units.parquet",
    # Experiments with data of their own.
    "surface": "{study}/surface/{dataset}/{selector}.tsv",
    "variation": "{study}/criterion/{dataset}/{selector}.tsv",
    "precision": "{study}/precision/features{number}.tsv",
    "recovery": "{study}/recovery/{scenario}/{selector}.tsv",
    # Every α of mRMR on every fold; what rules for it lose.
    "alpha": "{study}/alpha/{dataset}.tsv",
    "alpha_rules": "{study}/alpha_rules.tsv",
    "probes": "{study}/probes/{dataset}/{selector}.tsv",
    "trust": "{study}/trust/{dataset}.tsv",
    # What is printed.
    "table": "{study}/tables/{table}.csv",
    "figure": "{study}/figures/{figure}.svg",
    "published": "{study}/published.csv",
    "summary": "{study}/summary.md",
    # The verdict on each claim, with its sentence and its numbers.
    "claims": "{study}/claims.json",
    "evidence": "{study}/evidence/{dataset}.json",
    "page": "{study}/page.html",
    "times": "benchmarks/{study}/times.csv",
    # The whole run; one report per paper, from the kept full-size run.
    "index": "index.html",
    "replication": "replications/{paper}.html",
}

#: The time of each selection of a job stands in its log.
SELECT_LOG = ("{study}", "select", "{dataset}", "{selector}_batch{batch}")

#: So does that of each data set of a scenario.
RECOVERY_LOG = ("{study}", "recovery", "{scenario}", "{selector}")

#: What stands between a selector and a transform in the name of the two.
AFTER = "+"


def name_after(selector: str, transform: str) -> str:
    """The name of a selector after a transform, in paths and wherever a study names selectors."""
    return f"{selector}{AFTER}{transform}"


def split_name(name: str) -> tuple[str, str]:
    """The selector and the transform of such a name; without a transform, the second is empty."""
    selector, _, transform = name.partition(AFTER)
    return selector, transform


def paper_of(study: str) -> str:
    """The paper that a study is named after: `alelyani2013` of `alelyani2013_causes`."""
    return study.partition("_")[0]


@dataclass(frozen=True)
class Paths:
    """Paths below a folder of results; `bound` are names that all of them share."""

    root: str
    bound: dict[str, Any] = field(default_factory=dict)

    def within(self, **names: Any) -> "Paths":
        """These paths with some names given."""
        return Paths(self.root, {**self.bound, **names})

    def __call__(self, place: str, ending: str = "", /, **names: Any) -> str:
        """A path by its place in `PLACES`.

        Parameters
        ----------
        ending
            Of the file, where it is not the usual one: `json`, `sha256`, …
        names
            What stands for the names in braces; those left out stay wildcards.
        """
        path = PLACES[place]
        if ending:
            path = f"{path.rpartition('.')[0]}.{ending}"
        return f"{self.root}/{self._fill(path, names)}"

    def log(self, *parts: str, **names: Any) -> str:
        """The log of a job."""
        return f"{self.root}/{self._fill('/'.join(('logs', *parts)), names)}.log"

    def _fill(self, path: str, names: dict[str, Any]) -> str:
        for name, value in {**self.bound, **names}.items():
            path = path.replace(f"{{{name}}}", str(value))
        return path


def with_manifest(path: str) -> list[str]:
    """A file and the checksums that vouch for it: `wine.npz` and `wine.sha256`."""
    return [path, f"{path.rpartition('.')[0]}.sha256"]
