"""What a kind of table, figure or claim declares to a study: its keys, and what it reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.accuracy.scores import USUAL
from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.core.paths import name_after

if TYPE_CHECKING:
    from steadfast.core.paths import Paths
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Reads:
    """The files that a kind reads, of the data sets and selectors that an entry is about.

    Attributes
    ----------
    stability, accuracy
        Curves of the selectors.
    chance
        The expected stability of random selection.
    selections
        What the selectors selected on every fold; rows and folds with them.
    rows
        The data sets themselves, and which rows the folds have.
    published
        The published numbers beside ours.
    places
        Other files of a data set and a selector, by their place in `core.paths`.
    """

    stability: bool = False
    accuracy: bool = False
    chance: bool = False
    selections: bool = False
    rows: bool = False
    published: bool = False
    places: tuple[str, ...] = ()


def run_there(study: "Study", entry: Entry, selectors: Sequence[str]) -> list[str]:
    """Selectors that are run on the data set of an entry; all where it names none."""
    dataset = entry.get("dataset")
    return [name for name in selectors if dataset is None or study.is_run(dataset, name)]


class Kind:
    """A kind of table, figure or claim; its docstring's first line is its documentation."""

    #: Its own keys.
    keys: ClassVar[Keys] = {}

    #: Keys that every kind of its sort has.
    common: ClassVar[Keys] = {}

    #: The files that it reads.
    reads: ClassVar[Reads] = Reads()

    #: Whether it is about all selectors but the random one, where an entry names none.
    all_selectors: ClassVar[bool] = True

    #: Columns whose means over the rows can be put beside a paper's (`published_means`).
    mean_columns: ClassVar[Sequence[str]] = ()

    #: Whether its cells are named as those of published tables are: rows and columns.
    has_published_cells: ClassVar[bool] = False

    #: Whether it is about the cost of selections, of which times are then collected.
    is_timed: ClassVar[bool] = False

    #: Whether its size may be any, because it cuts rankings itself or takes what a curve has.
    any_size: ClassVar[bool] = False

    #: Whether it draws numbers, so that it needs the seed. Kinds that read selections have it too.
    draws: ClassVar[bool] = False

    # What an entry is about

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """The one that it names, or those of its dataset groups, or all of the study."""
        named = [name for names in entry.get("dataset_groups", {}).values() for name in names]
        if "dataset" in entry:
            named.append(entry["dataset"])
        return list(dict.fromkeys(named)) or study.datasets

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those that it names, or all of the study but the random one that it draws beside them.

        An entry about one data set is about the selectors that are run on it.
        """
        named = [entry["selector"]] if "selector" in entry else []
        if not self.all_selectors:
            return run_there(study, entry, entry.get("selectors", named))
        random = self.random_selector(study, entry)
        every = [name for name in study.selectors if name != random]
        return run_there(study, entry, entry.get("selectors", named or every))

    def scored_selectors(
        self, study: "Study", entry: Entry, selectors: Sequence[str]
    ) -> Sequence[str]:
        """Those of its selectors whose accuracies it reads, if it reads any."""
        return selectors

    def random_selector(self, study: "Study", entry: Entry) -> str | None:
        """The selector that stands for chance beside the others, where an entry asks for it."""
        return study.random_selector if entry.get("chance") else None

    def reads_of(self, entry: Entry) -> Reads:
        """The files that an entry reads, where that depends on its keys.

        A kind whose entries say `of` reads the curves of that.
        """
        if "of" not in self.keys:
            return self.reads
        about = {"stability": False, "accuracy": False, entry["of"]: True}
        return Reads(**{**self.reads.__dict__, **about})

    def more_files(self, study: "Study", entry: Entry, paths: "Paths") -> list[str]:
        """Files that are not those of a data set and a selector."""
        return []

    def project_files(self, entry: Entry) -> list[str]:
        """Files of the project that it reads, from its folder on; for `view.project_file`."""
        return []

    def code(self, study: "Study", entry: Entry) -> list[str]:
        """Files of the project that it runs by name, beside its own."""
        return []

    def measures(self, study: "Study", entry: Entry) -> Sequence[Entry] | None:
        """Uses of measures that its entries show; None is all of the study's."""
        return [entry]

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """What it needs to know of a study beside what all kinds do, for `view.context`.

        `published` is what the paper prints under the entry's name: row to column to value.
        """
        return {}

    # Completing and checking an entry

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        """Fill in what an entry leaves to the study: ratio, measure, classifier."""
        fill_from_study(study, entry, self.keys)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Refuse what the study cannot give, with one line that begins with `where`."""
        check_from_study(study, entry, self.keys, where)

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside nested parts of an entry: where each stands, what sort it is, the name."""
        yield from ()

    def needs_ratio(self, entry: Entry) -> bool:
        """Whether an entry must name a ratio where the study has several."""
        return "ratio" in self.keys

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        """Why an entry is left out of a run whose data sets are not all there; else empty."""
        if entry.get("dataset") not in {None, *study.datasets}:
            return entry["dataset"]
        return ""


def fill_from_study(study: "Study", entry: dict[str, Any], keys: Keys) -> None:
    """Ratio, measure and classifier where an entry, or a panel of one, leaves them out."""
    of = entry.get("of")
    if "ratio" in keys and len(study.ratios) == 1:
        entry.setdefault("ratio", study.ratios[0])
    if "classifier" in keys and of != "stability" and study.classifiers:
        entry.setdefault("classifier", next(iter(study.classifiers)))
    if "measure" in keys and of != "accuracy":
        entry.setdefault("measure", study.measures[0]["measure"])
        same = [given for given in study.measures if given["measure"] == entry["measure"]]
        entry.setdefault("compare", (same or study.measures)[0]["compare"])


def check_from_study(study: "Study", entry: Entry, keys: Keys, where: str) -> None:
    """The measure must be measured that way, the classifier scored at the ratios."""
    of = entry.get("of")
    if "measure" in keys and of != "accuracy":
        require_measured(study, entry, where)
    if "classifier" in keys and of != "stability":
        require_accuracy(study, where)
        ratios = {*entry.get("ratios", []), *([entry["ratio"]] if "ratio" in entry else [])}
        require_scored(study, entry["classifier"], ratios, where)


def require_measured(study: "Study", entry: Entry, where: str) -> None:
    """A measure must be measured in the way that an entry names."""
    given = {key: entry.get(key) for key in ("measure", "compare")}
    if given not in study.measures:
        raise UserError(
            f"{where}: {given['measure']} is not measured by {given['compare']}; add "
            f"{{measure: {given['measure']}, compare: {given['compare']}}} to stability.measures"
        )


def require_accuracy(study: "Study", where: str) -> None:
    """There must be a classifier at all."""
    if not study.classifiers:
        raise UserError(f"{where}: is about accuracy; accuracy.classifiers names none")


def require_rates(study: "Study", where: str) -> None:
    """Accuracy must be what it says, and no other score."""
    if study.classifiers and study.scoring[0] not in USUAL:
        raise UserError(
            f"{where}: is about rates; accuracy.scoring must name accuracy first, and others after"
        )


def require_scored(study: "Study", classifier: str, ratios: set[float], where: str) -> None:
    """A classifier must be scored at the ratios that an entry names."""
    scored = study.classifiers.get(classifier, {}).get("ratios", ratios)
    for ratio in sorted(ratios - set(scored)):
        raise UserError(f"{where}: {classifier} is not scored at ratio {ratio:g}")


def require_transforms(study: "Study", selector: str, transforms: list[str], where: str) -> None:
    """A selector must be run after each of some transforms."""
    for transform in transforms:
        if name_after(selector, transform) not in study.selectors:
            raise UserError(
                f"{where}: {selector} is not run after {transform}; add it to its transforms"
            )


def refuse_rules(study: "Study", names: list[str], where: str) -> None:
    """Experiments with data of their own run selectors themselves, which a rule is not for."""
    for name in study.rule_selectors:
        if {name, study.family(name)} & set(names):
            raise UserError(
                f"{where}: {name} is a rule, and this makes data that no rule sees; name selectors "
                "that are none"
            )
