"""Input and parameter functions of tables, figures, published numbers and the summary.

Inputs    STUDIES, PUBLISHED and the functions of common.smk and inputs.smk
Outputs   none
"""

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


def reads_chance(entry):
    """Whether a table or figure shows the stability of random selection, or needs it."""
    return entry.get("chance") or entry.get("knots") or entry["kind"] in ("knots", "groups")


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
    "verdict": ["stability"],
    "perturbation": ["stability"],
    "peaks": ["stability"],
    "groups": ["stability"],
    "by_rank": ["stability", "accuracy"],
}

# Kinds of tables and figures that read the selections of a data set themselves.
OF_SELECTIONS = (
    *("wrappers", "cost", "subsets", "picture", "sensitivity"),
    *("weights", "disjoint", "without_fold", "stability_test"),
)


def with_cells(study, asked):
    """A context with how many batches of runs each selector has on its data set, or on each."""
    entry = asked["entry"]
    if entry["kind"] not in OF_SELECTIONS:
        return asked
    cells = {
        dataset: {
            selector: {"batches": len(selection_batches(study, dataset, selector))}
            for selector in asked["selectors"]
        }
        for dataset in asked["datasets"]
    }
    own = cells[entry["dataset"]] if "dataset" in entry else cells
    return asked | {"cells": own, "seed": CONFIG["seed"]}


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
    if reads_chance(entry):
        for dataset in asked["datasets"]:
            curves += chance_files(wildcards.study, dataset)
    if entry["kind"] in OF_SELECTIONS:
        for dataset in asked["datasets"]:
            curves += picture_files(wildcards.study, dataset, asked["selectors"])
    if entry["kind"] == "verdict":
        curves += rows_and_folds(wildcards.study, asked["datasets"])
    return {"curves": curves, "about": descriptions(asked["datasets"])}


def published_numbers(wildcards):
    """The file of a paper's printed numbers, if there is one."""
    path = published_file(ROOT, wildcards.study)
    return [os.path.relpath(path)] if path.is_file() else []


def rank_tables(wildcards):
    return [
        f"{RESULTS}/{wildcards.study}/tables/{name}.csv"
        for name, entry in study_of(wildcards)["tables"].items()
        if entry["kind"] in ("ranks", "wrappers", "verdict", "treatments")
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
        "families": study["families"],
        "transforms": transform_infos(study),
        "sizes": measured_sizes(study),
    }


def summary_inputs(wildcards):
    study = study_of(wildcards)
    inputs = {"about": descriptions(study["datasets"]), "curves": []}
    if published_numbers(wildcards):
        inputs["published"] = published_files(wildcards.study)
    for of, selector in sorted(set(needed_selectors(study["claims"], study))):
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
        path
        for cell in cells
        for path in batch_manifests(wildcards.study, cell["dataset"], [cell["selector"]])
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
    if asked["entry"]["kind"] == "precision":
        asked["entry"].setdefault("features", study["precision"]["features"])
        asked["relevant"] = study["precision"]["relevant"]
    if asked["entry"]["kind"] == "illustration":
        asked["seed"] = CONFIG["seed"]
    return asked


def figure_code(wildcards):
    """The script, and the transform that an illustration runs."""
    kind = study_of(wildcards)["figures"][wildcards.figure]["kind"]
    shown = transform_code({"use": "low_rank"}) if kind == "illustration" else []
    return ["figure.py", *shown]


def figure_inputs(wildcards):
    asked = figure_context(wildcards)
    entry = asked["entry"]
    if entry["kind"] == "published":
        return published_files(wildcards.study)
    if entry["kind"] == "precision":
        return precision_files(wildcards.study, entry["features"])
    files = []
    if entry["kind"] == "surface":
        files = surface_files(wildcards.study, entry["dataset"], asked["selectors"])
    if entry["kind"] == "verdict":
        files = rows_and_folds(wildcards.study, asked["datasets"])
    if entry["kind"] in OF_SELECTIONS:
        files += picture_files(wildcards.study, entry["dataset"], asked["selectors"])
    kinds = {asked_of["of"] for asked_of in (entry, *entry.get("panels", [])) if "of" in asked_of}
    kinds |= (
        {"criterion"} if entry["kind"] == "criterion" else set(CURVES_OF.get(entry["kind"], []))
    )
    drawn = [*asked["selectors"], *([asked["random"]] if asked["random"] else [])]
    files += [
        path
        for kind in sorted(kinds)
        for path in curve_files(wildcards.study, kind, asked["datasets"], drawn)
    ]
    if reads_chance(entry) and "stability" in kinds:
        for dataset in asked["datasets"]:
            files += chance_files(wildcards.study, dataset)
    return files + descriptions(asked["datasets"])


def picture_files(study, dataset, selectors):
    """The selections of all folds (by their checksums), the folds and the data set."""
    return batch_manifests(study, dataset, selectors) + rows_and_folds(study, [dataset])


def rows_and_folds(study, datasets):
    """Data sets and their folds."""
    stems = [f"{RESULTS}/{study}/resamples/{dataset}" for dataset in datasets]
    stems += [f"{RESULTS}/data/{dataset}" for dataset in datasets]
    return [f"{stem}.{suffix}" for stem in stems for suffix in ("npz", "sha256")]


# Experiments with data of their own


def surface_files(study, dataset, selectors):
    folder = f"{RESULTS}/{study}/surface/{dataset}"
    return [f"{folder}/{name}.{suffix}" for name in selectors for suffix in ("tsv", "sha256")]


def surface_settings(wildcards):
    """The grid of the figure about this data set, and the subset size."""
    figures = study_of(wildcards)["figures"].values()
    asked = {"kind": "surface", "dataset": wildcards.dataset}
    entry = next(entry for entry in figures if asked.items() <= entry.items())
    return as_json({"grid": entry["grid"], "size": entry["size"]})


def selector_of(wildcards):
    return study_of(wildcards)["selectors"][wildcards.selector]


def surface_code(wildcards):
    _, *files = selector_code(selector_of(wildcards))
    return ["surface.py", *files]


def precision_files(study, features=None):
    wanted = features or STUDIES[study]["precision"]["features"]
    stems = [f"{RESULTS}/{study}/precision/features{number}" for number in wanted]
    return [f"{stem}.{suffix}" for stem in stems for suffix in ("tsv", "sha256")]


def precision_cells(study):
    """Selectors after transforms, as a study of precision runs them."""
    asked = study["precision"]
    names = [cell_name(s, t) for s in asked["selectors"] for t in asked["transforms"]]
    return {name: study["selectors"][name] for name in names}


def precision_settings(wildcards):
    """All but the numbers of features, of which every job has one."""
    study = study_of(wildcards)
    asked = {key: value for key, value in study["precision"].items() if key != "features"}
    cells = {}
    for name, entry in precision_cells(study).items():
        cells[name] = {key: entry[key] for key in ("use", "params", "discrete")}
        if "transform" in entry:
            cells[name]["transform"] = {key: entry["transform"][key] for key in ("use", "params")}
    return as_json({**asked, "cells": cells, "discretise": study["discretise"]})


def precision_code(wildcards):
    cells = precision_cells(study_of(wildcards)).values()
    files = {file for entry in cells for file in selector_code(entry)[1:]}
    return ["precision.py", *sorted(files)]
