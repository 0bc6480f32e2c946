"""What the general part of a study asks of itself; kinds of outputs check their own entries."""

from collections.abc import Mapping
from typing import Any

from steadfast.accuracy import classifiers
from steadfast.core import registry
from steadfast.core.errors import UserError, suggest
from steadfast.core.paths import name_after
from steadfast.selectors.running.auto import AUTO, GRIDS, SIZE, TUNED
from steadfast.study.declaration import Study
from steadfast.transforms.running import FROZEN


def check_study(study: Study) -> None:
    """Refuse a study that contradicts itself, with one line."""
    _check_bins(study)
    _check_runs(study)
    _check_means(study)
    _check_probes(study)
    _check_independence(study)
    _check_frozen(study)
    _check_scoring(study)
    if study.precision:
        _check_precision(study)
    if study.recovery:
        _check_recovery(study)
    if study.alpha:
        _check_alpha(study)
    if not (study.datasets or study.precision or study.recovery):
        raise UserError(f"{study.source}: datasets: none; name one, or scenarios under `recovery`")


def check_compared(study: Study) -> None:
    """The scheme must have references where a measure compares folds with them."""
    wanted = any(given["compare"] == "reference" for given in study.measures)
    if wanted and not study.scheme.has_reference:
        raise UserError(
            f"{study.source}: stability.compare: {study.resample['scheme']} has no reference to "
            "compare with; use compare: all_pairs"
        )


def _check_bins(study: Study) -> None:
    """Bins must not know the classes of test rows, and must be those of the rows selected on."""
    bins, where = study.bins, f"{study.source}: discretise.fit_on"
    if bins.method == "mdl" and not bins.inside_folds:
        raise UserError(
            f"{where}: mdl looks at the classes, so that bins from all rows would know those of "
            "the test rows; use fit_on: train"
        )
    if study.accuracy_features == "bins" and bins.inside_folds:
        raise UserError(
            f"{study.source}: accuracy.features: bins of each fold are not kept for classifiers; "
            "use features: raw, or discretise.fit_on: all"
        )
    if study.transforms and not bins.inside_folds:
        raise UserError(
            f"{where}: bins of all rows are not those of transformed rows; use fit_on: train"
        )


def _check_scoring(study: Study) -> None:
    """Every classifier must give what every score needs."""
    for name, entry in study.classifiers.items():
        try:
            classifiers.create(entry, scoring=study.scoring)
        except UserError as error:
            raise UserError(f"{study.source}: accuracy.classifiers.{name}: {error}") from None


def _check_independence(study: Study) -> None:
    """A page needs selectors whose stability it may judge."""
    for dataset in study.datasets:
        if not study.judged_selectors(dataset):
            raise UserError(
                f"{study.source}: selectors: runs of all of them depend on each other, see all "
                f"rows, or are not made on {dataset}; add one whose runs do not, mid say, for the "
                "page"
            )


def _check_runs(study: Study) -> None:
    """Only independent draws can be left out, for one selector as many after every transform."""
    for at, entry in enumerate(study.runs):
        where = f"{study.source}: runs.{at}.runs"
        if "runs" not in entry:
            continue
        if not study.scheme.independent_draws:
            raise UserError(
                f"{where}: the folds of {study.resample['scheme']} belong together; only draws of "
                "subsample and halves can be left out"
            )
        if entry["runs"] > study.scheme.runs():
            raise UserError(
                f"{where}: {entry['runs']} are more than resample.repeats, {study.scheme.runs()}"
            )
    for family, members in study.members.items():
        for dataset in study.datasets:
            if len({len(study.folds(dataset, member)) for member in members}) > 1:
                raise UserError(
                    f"{study.source}: runs: {family} must have the same number after all transforms"
                )


def _check_means(study: Study) -> None:
    """Means beside the paper's must be of tables and columns that there are."""
    for table, columns in study.published_means.items():
        where = f"{study.source}: published_means.{table}"
        if table not in study.tables:
            raise UserError(f"{where}: unknown table; {suggest(table, study.tables)}")
        known = registry.load("table", study.tables[table]["kind"]).kind.mean_columns
        for column in columns:
            if column not in known:
                raise UserError(f"{where}: unknown column {column!r}; {suggest(column, known)}")


def _check_probes(study: Study) -> None:
    """Copies and q-values are about the columns of the table, which transforms would mix."""
    for key in ("probes", "trust"):
        if getattr(study, key) and study.transforms:
            raise UserError(
                f"{study.source}: {key}: it does not go with transforms; take one of them out"
            )


def _check_frozen(study: Study) -> None:
    """A frozen transform learns from rows that are set aside: there must be some."""
    frozen = [name for name, one in study.transforms.items() if one.learn == FROZEN]
    if frozen and not study.resample.get("set_aside"):
        raise UserError(
            f"{study.source}: transforms.{frozen[0]}.learn: frozen needs rows that are in no fold; "
            "set resample: {scheme: cv, set_aside: 0.5}"
        )


def _check_precision(study: Study) -> None:
    """Selectors must be run after the transforms, and neither be something that needs real rows."""
    where = f"{study.source}: precision"
    for selector in study.precision["selectors"]:
        require_transforms(study, selector, study.precision["transforms"], where)
    for name in study.precision["transforms"]:
        if study.transforms[name].before_folds:
            raise UserError(
                f"{where}.transforms: {name} does not learn from the training rows, but here are "
                "no others; name one that does"
            )
    refuse_rules(study, study.precision["selectors"], where)


def _check_alpha(study: Study) -> None:
    """Its selectors must choose what they are named for, among the same α; 0.5 is MID."""
    where = f"{study.source}: alpha"
    grids = []
    for question, by_rule in study.alpha["selectors"].items():
        for rule, name in by_rule.items():
            grids += _check_chooser(study, question, name, f"{where}.selectors.{question}.{rule}")
    if any(grid != grids[0] for grid in grids):
        raise UserError(f"{where}.selectors: must try the same α")
    if len(grids[0]) < 2 or 0.5 not in grids[0]:
        raise UserError(f"{where}.selectors: α: must be two values at least, 0.5 among them")
    if not isinstance(study.sizes, list):
        raise UserError(f"{study.source}: sizes: must have a largest one for `alpha`")
    if not study.bins.inside_folds:
        raise UserError(f"{study.source}: discretise.fit_on: must be train for `alpha`")
    if "sizes" in study.classifiers[study.alpha["classifier"]] or not study.scored_usually:
        raise UserError(f"{where}.classifier: must be scored by accuracy, at every size")


def _check_chooser(study: Study, question: str, name: str, where: str) -> list[list[float]]:
    """The α that a selector tries; none where it chooses the size of MID."""
    one = study.selectors[name]
    if one.use != TUNED or one.time_limit is not None:
        raise UserError(f"{where}: {name}: must leave something to the data, without a time_limit")
    named, base = one.parameters, "mid" if question == "size" else "mid_alpha"
    over = GRIDS.get(named["base"], {}) if named["over"] is None else named["over"]
    if named["base"] != base or list(over) != ([] if question == "size" else ["alpha"]):
        wanted = "mid" if question == "size" else "mid_alpha with alpha: auto"
        raise UserError(f"{where}: {name}: must be {wanted}, and leave nothing else to the data")
    if (named[SIZE] == AUTO) != (question != "alpha"):
        raise UserError(f"{where}: {name}: {SIZE}: must be auto for size and both, not for alpha")
    return [over["alpha"]] if over else []


def _check_recovery(study: Study) -> None:
    """Selectors are run on scenarios as they are."""
    where = f"{study.source}: recovery"
    if study.transforms:
        raise UserError(f"{where}: it does not go with transforms; take one of them out")
    refuse_rules(study, study.recovery["selectors"], where)


def check_groups(study: Study, catalogue: Mapping[str, Any]) -> None:
    """Splits inside wrappers and inside the tuning of classifiers know of no groups."""
    grouped = [name for name in study.datasets if "groups" in catalogue.get(name, {})]
    if not grouped:
        return
    for name, selector in study.selectors.items():
        if selector.declared and selector.declared.tears_groups:
            what = "a wrapper" if selector.declared.wraps else "it"
            raise UserError(
                f"{study.source}: selectors.{name}: {what} splits rows itself, and would tear "
                f"the groups of {grouped[0]} apart; take one of them out"
            )
    for name, entry in study.classifiers.items():
        if classifiers.create(entry).splits_rows:
            raise UserError(
                f"{study.source}: accuracy.classifiers.{name}.tune: it splits rows itself, and "
                f"tears the groups of {grouped[0]} apart; take it out"
            )
        if classifiers.create(entry, scoring=study.scoring).splits_rows:
            raise UserError(
                f"{study.source}: accuracy.scoring: for probabilities {name} splits rows itself, "
                f"and tears the groups of {grouped[0]} apart; take log_loss and brier out"
            )


def require_transforms(study: Study, selector: str, transforms: list[str], where: str) -> None:
    """A selector must be run after each of some transforms."""
    for transform in transforms:
        if name_after(selector, transform) not in study.selectors:
            raise UserError(
                f"{where}: {selector} is not run after {transform}; add it to its transforms"
            )


def refuse_rules(study: Study, names: list[str], where: str) -> None:
    """Experiments with simulated data run selectors themselves, which external rules cannot."""
    for name in study.rule_selectors:
        if {name, study.family(name)} & set(names):
            raise UserError(
                f"{where}: {name} is an external Snakemake rule and cannot run on simulated data; "
                "name selectors that are none"
            )
