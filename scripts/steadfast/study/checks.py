"""What kinds of tables and figures ask of the rest of a study."""

from collections.abc import Mapping
from typing import Any

from steadfast.core.errors import UserError, nearest
from steadfast.measures import declarations
from steadfast.outputs.profiles import CONSISTENCY, PROFILE
from steadfast.resampling import schemes
from steadfast.selectors.running.fold_file import CHOSEN, ZERO_WEIGHTS
from steadfast.study.cells import cell_folds
from steadfast.study.context import ACROSS_DATASETS, OF_TESTS, tested
from steadfast.study.selectors import parameters

#: Kinds of tables and figures on stability that need not say `of`.
OF_STABILITY = (
    *("tradeoff", "knots", "at_stability", "plane", "sensitivity"),
    *("verdict", "perturbation", "peaks", "groups", "by_rank"),
)

#: Kinds on accuracy that need not name a classifier.
OF_ACCURACY = ("tradeoff", "at_stability", "plane", "sensitivity", "by_rank")

#: Kinds that are about one ratio, which a study without others need not name.
OF_ONE_RATIO = (
    *(kind for kind in OF_STABILITY if kind != "perturbation"),
    *("profile", "orders", "picture", "treatments", "gain", *OF_TESTS),
)

#: Columns of a table whose means can be put beside the paper's.
_MEAN_COLUMNS = {
    "profile": (*PROFILE, ZERO_WEIGHTS, "expected_overlap"),
    "tradeoff": ("error", "stability"),
    "verdict": ("stability",),
    "treatments": ("stability", "accuracy"),
}


def entries(study: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Tables, figures and claims with where they stand."""
    parts = ("tables", "figures")
    found = [(f"{part}.{name}", study[part][name]) for part in parts for name in study[part]]
    return found + [(f"claims.{i}", claim) for i, claim in enumerate(study["claims"])]


def check_bins(study: Mapping[str, Any], source: str) -> None:
    """Bins that look at the classes must not see the rows that test."""
    bins, features = study["discretise"], study["accuracy"]["features"]
    if bins["method"] == "mdl" and bins["fit_on"] == "all":
        raise UserError(
            f"{source}: discretise.fit_on: mdl looks at the classes, so that bins from all rows "
            "would know those of the test rows; use fit_on: train"
        )
    if features == "bins" and bins["fit_on"] == "train":
        raise UserError(
            f"{source}: accuracy.features: bins of each fold are not kept for classifiers; use "
            "features: raw, or discretise.fit_on: all"
        )


def check_runs(study: Mapping[str, Any], source: str) -> None:
    """Only draws that do not hang together can be left out."""
    scheme = schemes.create(study["resample"])
    for at, cells in enumerate(study["runs"]):
        if "runs" not in cells:
            continue
        if not isinstance(scheme, schemes.Subsample):
            raise UserError(
                f"{source}: runs.{at}.runs: the folds of {study['resample']['scheme']} belong "
                "together; only draws of subsample and halves can be left out"
            )
        if cells["runs"] > scheme.runs():
            raise UserError(
                f"{source}: runs.{at}.runs: {cells['runs']} are more than resample.repeats, "
                f"{scheme.runs()}"
            )


def check_entry(study: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """One table or figure."""
    kind = entry["kind"]
    if kind == "tradeoff":
        _check_tradeoff(study, entry, where)
    for at, sweep in enumerate(entry.get("sweeps", [])):
        _check_sweep(study, sweep, f"{where}.sweeps.{at}.parameter")
    knots = kind == "knots" or entry.get("knots")
    for asked in (entry, *entry.get("panels", [])):
        name = asked.get("measure")
        if knots and name and declarations()[name].distance:
            raise UserError(f"{where}: {name} is a distance; knots are those of a similarity")
    if kind in OF_TESTS:
        _check_test(study, entry, where)
    if kind == "published" and study["published_means"]:
        raise UserError(f"{where}: draws ranks of the paper's data sets, which are not these")


def _check_test(study: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """A test needs two selectors, and runs that are one sample."""
    names = tested(study, entry)
    if len(names) < 2:
        raise UserError(f"{where}.selectors: {names[0] if names else 'none'}; a test needs two")
    if entry["kind"] in ACROSS_DATASETS:
        if "size" in entry and entry.get("compare") == CHOSEN:
            raise UserError(f"{where}.size: subsets that selectors chose have their own; leave out")
        return
    if entry["compare"] not in ("all_pairs", CHOSEN):
        raise UserError(
            f"{where}.compare: the test is on runs compared with each other; use all_pairs, or "
            f"{CHOSEN} for the subsets that selectors chose"
        )
    scheme = schemes.create(study["resample"])
    if isinstance(scheme, (schemes.NestedCrossValidation, schemes.RepeatedCrossValidation)):
        raise UserError(
            f"{where}: the folds of {study['resample']['scheme']} come in several groups, and the "
            "test wants one sample of runs; use cv, subsample, halves, shrinking_bootstrap or "
            "perturbed"
        )


def _check_sweep(study: Mapping[str, Any], sweep: Mapping[str, Any], where: str) -> None:
    """All selectors of a sweep must have the parameter, as a number, and not all the same."""
    values = set()
    for name in sweep["selectors"]:
        named = parameters(study["selectors"][name])
        value = named.get(sweep["parameter"])
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise UserError(
                f"{where}: {sweep['parameter']} of {name} is {value!r}, no number of at least 0; "
                f"{nearest(sweep['parameter'], named)}"
            )
        values.add(value)
    if len(values) < 2:
        raise UserError(f"{where}: {sweep['parameter']} is the same in all of its selectors")


def _check_tradeoff(study: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    classifier = study["accuracy"]["classifiers"][entry["classifier"]]
    if not classifier.get("outcomes"):
        raise UserError(
            f"{where}.classifier: McNemar's test needs the rows that {entry['classifier']} was "
            f"wrong on; set accuracy.classifiers.{entry['classifier']}.outcomes: true (svm)"
        )
    for sizes in (classifier.get("sizes"), study["sizes"]):
        missing = set(entry["sizes"]) - set(sizes) if isinstance(sizes, list) else set()
        if missing:
            raise UserError(f"{where}.sizes: {min(missing)} is not among the sizes that are scored")


def check_chosen(study: Mapping[str, Any], source: str) -> None:
    """Tables and claims about chosen subsets want folds that are all compared, of one ratio."""
    parts = [(f"tables.{name}", entry["kind"]) for name, entry in study["tables"].items()]
    parts += [(f"claims.{at}", claim["kind"]) for at, claim in enumerate(study["claims"])]
    scheme = schemes.create(study["resample"])
    mixed = len(scheme.ratios()) > 1 or isinstance(scheme, schemes.NestedCrossValidation)
    chosen = [given for given in study["stability"]["measures"] if given["compare"] == CHOSEN]
    for where, kind in parts:
        if kind in ("wrappers", "pairs") and mixed:
            raise UserError(
                f"{source}: {where}: {study['resample']['scheme']} has folds of several kinds; "
                f"{kind} needs subsample, halves or cv"
            )
        if kind == "pairs" and not chosen:
            raise UserError(f"{source}: {where}: no measure is compared by chosen")


def check_pairs(study: Mapping[str, Any], source: str) -> None:
    """Selectors whose subsets are compared run by run must have the same runs."""
    for at, claim in enumerate(study["claims"]):
        for first, second in claim.get("pairs", []):
            for dataset in study["datasets"]:
                runs = [len(cell_folds(study, dataset, name)) for name in (first, second)]
                if runs[0] != runs[1]:
                    raise UserError(
                        f"{source}: claims.{at}.pairs: {first} has {runs[0]} runs on {dataset}, "
                        f"{second} {runs[1]}; give both the same under `runs`"
                    )


def check_means(study: Mapping[str, Any], source: str) -> None:
    """Means beside the paper's must be of tables and columns that there are."""
    for table, columns in study["published_means"].items():
        where = f"{source}: published_means.{table}"
        if table not in study["tables"]:
            raise UserError(f"{where}: unknown table; {nearest(table, study['tables'])}")
        known = _MEAN_COLUMNS.get(study["tables"][table]["kind"], ())
        for column in columns:
            if column not in known:
                raise UserError(f"{where}: unknown column {column!r}; {nearest(column, known)}")


def check_scored(study: Mapping[str, Any], asked: Mapping[str, Any], where: str) -> None:
    """A classifier must be scored at the ratios that are asked of it."""
    classifiers = study["accuracy"]["classifiers"]
    ratios = {*asked.get("ratios", []), *([asked["ratio"]] if "ratio" in asked else [])}
    named = classifiers if asked.get("kind") == "classifiers" else [asked.get("classifier")]
    for name in named:
        for ratio in sorted(ratios - set(classifiers.get(name, {}).get("ratios", ratios))):
            raise UserError(f"{where}: {name} is not scored at ratio {ratio:g}")


def check_compared(study: Mapping[str, Any], asked: Mapping[str, Any], where: str) -> None:
    """A measure must be measured in the way that is asked of it."""
    wanted = [{key: asked.get(key) for key in ("measure", "compare")}]
    if asked.get("kind") == "profile":
        wanted = [{"measure": name, "compare": "all_pairs"} for name in PROFILE]
    elif asked.get("kind") == "wrappers":
        wanted = [{"measure": name, "compare": CHOSEN} for name in CONSISTENCY]
    elif asked.get("kind") == "pairs":
        wanted = [{"measure": name, "compare": CHOSEN} for name in asked.get("measures", [])]
    elif asked.get("of") != "stability" and asked.get("kind") not in OF_STABILITY:
        return
    for given in wanted:
        if given not in study["stability"]["measures"]:
            raise UserError(
                f"{where}: {given['measure']} is not measured by {given['compare']}; add "
                f"{{measure: {given['measure']}, compare: {given['compare']}}} to "
                "stability.measures"
            )


def check_complete(asked: Mapping[str, Any], entry: Mapping[str, Any], where: str) -> None:
    """What only some studies may leave out must be there."""
    needs_ratio = asked.get("kind") in OF_ONE_RATIO or (asked is not entry and "of" in asked)
    if needs_ratio and "ratio" not in asked:
        raise UserError(f"{where}: ratio: is missing; the study has several")
    if asked is not entry and "dataset" not in {*asked, *entry}:
        raise UserError(f"{where}: dataset: is missing, in the figure or in the panel")


def check_groups(study: Mapping[str, Any], catalogue: Mapping[str, Any], source: str) -> None:
    """Splits inside wrappers and inside the tuning of classifiers know of no groups."""
    grouped = [name for name in study["datasets"] if "groups" in catalogue.get(name, {})]
    if not grouped:
        return
    for name, entry in study["selectors"].items():
        if "classifier" in parameters(entry):
            raise UserError(
                f"{source}: selectors.{name}: a wrapper splits rows itself, and would tear the "
                f"groups of {grouped[0]} apart; take one of them out"
            )
    for name, entry in study["accuracy"]["classifiers"].items():
        if "tune" in entry:
            raise UserError(
                f"{source}: accuracy.classifiers.{name}.tune: it splits rows itself, and tears "
                f"the groups of {grouped[0]} apart; take it out"
            )
