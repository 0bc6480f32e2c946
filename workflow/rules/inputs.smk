"""Input and parameter functions, one section a stage.

Inputs    STUDIES, CATALOGUE, LOCAL_FILES and the helpers of common.smk
Outputs   none
"""

# Data


def source_files(wildcards):
    """The file that a data set comes from, if it comes from one; a change of it reruns."""
    local = LOCAL_FILES[wildcards.dataset]
    entry = CATALOGUE.get(wildcards.dataset, {})
    if local is not None:
        return [str(local)]
    return [os.path.relpath(ROOT / entry["path"])] if "path" in entry else []


def catalogue_entry(wildcards):
    """The entry, and the one that it refers to."""
    entry = CATALOGUE.get(wildcards.dataset, {})
    return as_json([entry, CATALOGUE.get(entry.get("without_rows_of"))])


def local_file(wildcards):
    local = LOCAL_FILES[wildcards.dataset]
    return "" if local is None else f"--local-file {shlex.quote(str(local))}"


def bin_settings(wildcards):
    entry = study_of(wildcards)["discretise"]
    return as_json({key: entry[key] for key in ("method", "bins")})


# Selection


@cache
def selection_batches(study, dataset, selector):
    return cell_batches(STUDIES[study], dataset, selector, CONFIG["folds_per_job"])


def selector_settings(entry):
    return as_json({key: entry[key] for key in ("use", "params", "time_limit") if key in entry})


def selector_code(entry):
    """The script and, unless the selector is a class of another package, the selector's file."""
    declared = DECLARED.get(entry["use"])
    return ["select_features.py", *([declared.file] if declared else []), *base_files(entry)]


def for_selection(study):
    """Input and parameter functions of the selection rules of one study."""
    selectors = STUDIES[study]["selectors"]
    discretise = STUDIES[study]["discretise"]
    inside_folds = discretise["fit_on"] == "train"

    def bins_option(wildcards):
        wanted = inside_folds and selectors[wildcards.selector]["discrete"]
        return f"--discretise {shlex.quote(as_json(discretise))}" if wanted else ""

    return {
        "table": lambda wildcards: table_for(
            study, selectors[wildcards.selector]["discrete"] and not inside_folds
        ),
        "code": lambda wildcards: code(*selector_code(selectors[wildcards.selector])),
        "code_hash": lambda wildcards: code_hash(*selector_code(selectors[wildcards.selector])),
        "settings": lambda wildcards: selector_settings(selectors[wildcards.selector]),
        "bins_option": bins_option,
    }


# Stability and accuracy


def selections(study):
    """Where the folds of a selector on a data set are."""
    return f"{RESULTS}/{study}/selections/{{dataset}}/{{selector}}"


def manifests(wildcards):
    """The batches' checksums, which stand for the files of all folds.

    Fifty files a job as inputs would cost Snakemake more time than many of the jobs take.
    """
    batches = selection_batches(wildcards.study, wildcards.dataset, wildcards.selector)
    return [f"{selections(wildcards.study)}/batch{number}.sha256" for number in range(len(batches))]


def runs_option(wildcards):
    """Only where a cell takes fewer runs than the study."""
    every = len(resampling(study_of(wildcards)["resample"]).names())
    own = len(cell_folds(study_of(wildcards), wildcards.dataset, wildcards.selector))
    return "" if own == every else f"--runs {own}"


def sizes_option(wildcards):
    sizes = study_of(wildcards)["sizes"]
    return "" if sizes == "all" else "--sizes " + " ".join(map(str, sizes))


def ties_option(wildcards):
    """Only where a study asks for it, so that the others do not depend on the seed."""
    if study_of(wildcards)["stability"]["ties"] == "column":
        return ""
    return f"--ties random --seed {CONFIG['seed']}"


def stability_measures(wildcards):
    return as_json(study_of(wildcards)["stability"]["measures"])


def measure_code(script):
    """The script and the files of the study's measures."""

    def files(wildcards):
        asked = study_of(wildcards)["stability"]["measures"]
        declared = measures_declared()
        return [script, *sorted({declared[given["measure"]].file for given in asked})]

    return files


stability_code, chance_code = measure_code("stability.py"), measure_code("chance.py")


def classifier_settings(wildcards):
    """Classifiers without their names in print: those may change without a rerun."""
    entries = study_of(wildcards)["accuracy"]["classifiers"].items()
    return as_json(
        {name: {k: v for k, v in entry.items() if k != "label"} for name, entry in entries}
    )


def classifier_table(wildcards):
    return table_for(wildcards.study, study_of(wildcards)["accuracy"]["features"] == "bins")


# Tables and figures


def curve_files(study, of, datasets, selectors):
    """Curves and the checksums that vouch for them."""
    suffixes = ["tsv", "sha256", *(["units.tsv"] if of == "stability" else [])]
    return [
        f"{RESULTS}/{study}/{of}/{dataset}/{selector}.{suffix}"
        for dataset in datasets
        for selector in selectors
        for suffix in suffixes
    ]


def chance_files(study, dataset):
    return [f"{RESULTS}/{study}/chance/{dataset}.{suffix}" for suffix in ("tsv", "sha256")]


def descriptions(datasets):
    return [
        f"{RESULTS}/data/{dataset}.{suffix}"
        for dataset in datasets
        for suffix in ("json", "sha256")
    ]


def published_files(study):
    return [f"{RESULTS}/{study}/published.{suffix}" for suffix in ("csv", "sha256")]


# What kinds of tables read besides what they name.
CURVES_OF = {
    "classifiers": ["accuracy"],
    "measures": ["stability"],
    "orders": ["stability"],
    "profile": ["stability"],
    "tradeoff": ["stability", "accuracy"],
    "knots": ["stability"],
    "wrappers": ["stability", "accuracy"],
    "at_stability": ["stability", "accuracy"],
    "plane": ["stability", "accuracy"],
    "sensitivity": ["stability", "accuracy"],
}

# Kinds of tables and figures that read the selections of a data set themselves.
OF_SELECTIONS = ("wrappers", "cost", "subsets", "picture", "sensitivity")


def with_cells(study, asked):
    """A context with how many batches of runs each selector has on its data set."""
    entry = asked["entry"]
    if entry["kind"] not in OF_SELECTIONS:
        return asked
    cells = {}
    for selector in asked["selectors"]:
        found = selection_batches(study, entry["dataset"], selector)
        cells[selector] = {"batches": len(found)}
    return asked | {"cells": cells, "seed": CONFIG["seed"]}


def table_context(wildcards):
    study = study_of(wildcards)
    asked = with_cells(wildcards.study, context(study, study["tables"][wildcards.table]))
    if asked["entry"]["kind"] == "wrappers":
        asked |= {"scored_by": scored_by(study), "published": printed_rows(wildcards)}
    if asked["entry"]["kind"] == "cost":
        asked["passes"] = {name: passes(study["selectors"][name]) for name in asked["selectors"]}
    return asked


def printed_rows(wildcards):
    """What the paper prints in a table: row to column to value, spreads as `column sd`."""
    return rows_of_table(PUBLISHED.get(wildcards.study, []), wildcards.table)


def table_inputs(wildcards):
    asked = table_context(wildcards)
    entry = asked["entry"]
    kinds = [entry["of"]] if "of" in entry else CURVES_OF.get(entry["kind"], [])
    curves = [
        path
        for of in kinds
        for path in curve_files(wildcards.study, of, asked["datasets"], asked["selectors"])
    ]
    if entry["kind"] == "knots":
        for dataset in asked["datasets"]:
            curves += chance_files(wildcards.study, dataset)
    if entry["kind"] in OF_SELECTIONS:
        curves += picture_files(wildcards.study, entry["dataset"], asked["selectors"])
    return {"curves": curves, "about": descriptions(asked["datasets"])}


def published_numbers(wildcards):
    """The file of a paper's printed numbers, if there is one."""
    path = published_file(ROOT, wildcards.study)
    return [os.path.relpath(path)] if path.is_file() else []


def rank_tables(wildcards):
    return [
        f"{RESULTS}/{wildcards.study}/tables/{name}.csv"
        for name, entry in study_of(wildcards)["tables"].items()
        if entry["kind"] in ("ranks", "wrappers")
    ]


def mean_tables(wildcards):
    """Tables whose means are compared with the paper's."""
    study = study_of(wildcards)
    return [
        f"{RESULTS}/{wildcards.study}/tables/{name}.csv"
        for name in study["published_means"]
        if name in study["tables"]
    ]


def summary_context(wildcards):
    study = study_of(wildcards)
    return {
        "title": study["title"],
        "paper": study.get("paper", ""),
        "claims": study["claims"],
        "datasets": study["datasets"],
        "left_out": study["left_out"],
        "selectors": {name: entry["label"] for name, entry in study["selectors"].items()},
        "measures": measure_infos(study, *study["claims"]),
        "tables": {name: entry["title"] for name, entry in study["tables"].items()},
        "table_datasets": {name: entry.get("dataset") for name, entry in study["tables"].items()},
        "ratios": resampling(study["resample"]).ratios(),
    }


def summary_inputs(wildcards):
    study = study_of(wildcards)
    inputs = {"about": descriptions(study["datasets"]), "curves": []}
    if published_numbers(wildcards):
        inputs["published"] = published_files(wildcards.study)
    for of, selector in sorted(set(needed_selectors(study["claims"]))):
        inputs["curves"] += curve_files(wildcards.study, of, study["datasets"], [selector])
    return inputs


def timed_cells(name):
    """The cells that tables of wrappers and of costs are about, with the paper's times."""
    study, cells = STUDIES[name], []
    for table, entry in study["tables"].items():
        if entry["kind"] not in ("wrappers", "cost"):
            continue
        printed = rows_of_table(PUBLISHED.get(name, []), table)
        for selector, label in context(study, entry)["selectors"].items():
            found = selection_batches(name, entry["dataset"], selector)
            cells.append(
                {
                    "dataset": entry["dataset"],
                    "selector": selector,
                    "label": label,
                    "runs": sum(map(len, found)),
                    "batches": len(found),
                    "published": printed.get(selector, {}).get("seconds"),
                    "published_runs": printed.get(selector, {}).get("runs"),
                }
            )
    return cells


def times_context(wildcards):
    study = study_of(wildcards)
    return {
        "title": f"Time of the selections: {study['title']}",
        "cells": timed_cells(wildcards.study),
    }


def times_inputs(wildcards):
    """The selections whose logs are read, and the data sets' descriptions."""
    cells = timed_cells(wildcards.study)
    files = [
        f"{selections(wildcards.study).format(**cell)}/batch{number}.sha256"
        for cell in cells
        for number in range(cell["batches"])
    ]
    return files + descriptions(dict.fromkeys(cell["dataset"] for cell in cells))


def published_option(wildcards, input):
    return f"--published {shlex.quote(input.published[0])}" if "published" in input.keys() else ""


def criterion_bootstraps(wildcards):
    """As many as the figure of this selector and data set asks for."""
    asked = {"kind": "criterion", "dataset": wildcards.dataset, "selector": wildcards.selector}
    figures = study_of(wildcards)["figures"].values()
    return max(
        (entry["bootstraps"] for entry in figures if asked.items() <= entry.items()), default=50
    )


def figure_context(wildcards):
    study = study_of(wildcards)
    asked = with_cells(wildcards.study, context(study, study["figures"][wildcards.figure]))
    if asked["entry"]["kind"] == "sensitivity":
        asked["values"] = {
            name: parameters(study["selectors"][name]) for name in asked["selectors"]
        }
    return asked


def figure_inputs(wildcards):
    asked = figure_context(wildcards)
    entry = asked["entry"]
    if entry["kind"] == "published":
        return published_files(wildcards.study)
    files = []
    if entry["kind"] in OF_SELECTIONS:
        files = picture_files(wildcards.study, entry["dataset"], asked["selectors"])
    kinds = {panel["of"] for panel in entry.get("panels", [])}
    kinds |= (
        {"criterion"} if entry["kind"] == "criterion" else set(CURVES_OF.get(entry["kind"], []))
    )
    drawn = [*asked["selectors"], *([asked["random"]] if asked["random"] else [])]
    files += [
        path
        for kind in sorted(kinds)
        for path in curve_files(wildcards.study, kind, asked["datasets"], drawn)
    ]
    if (entry.get("chance") or entry.get("knots")) and "stability" in kinds:
        for dataset in asked["datasets"]:
            files += chance_files(wildcards.study, dataset)
    return files + descriptions(asked["datasets"])


def picture_files(study, dataset, selectors):
    """The selections of all folds (by their checksums), the folds and the data set."""
    batches_of = [
        f"{RESULTS}/{study}/selections/{dataset}/{selector}/batch{number}.sha256"
        for selector in selectors
        for number in range(len(selection_batches(study, dataset, selector)))
    ]
    stems = [f"{RESULTS}/{study}/resamples/{dataset}", f"{RESULTS}/data/{dataset}"]
    return batches_of + [f"{stem}.{suffix}" for stem in stems for suffix in ("npz", "sha256")]
