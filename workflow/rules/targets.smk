"""What a whole run makes, and what of it was lost.

Inputs    STUDIES and the functions of common.smk and inputs.smk
Outputs   none
"""


def lost(first, others):
    """Files of a job that were deleted while its first file stayed: asked for, they come back."""
    return [other for other in others if not Path(other).exists()] if Path(first).exists() else []


def lost_folds(study, dataset, selector):
    folder = selections(study).format(dataset=dataset, selector=selector)
    return [
        path
        for number, folds in enumerate(selection_batches(study, dataset, selector))
        for path in lost(f"{folder}/batch{number}.sha256", [f"{folder}/{f}.tsv" for f in folds])
    ]


def lost_beside(first, *suffixes):
    stem = first.rpartition(".")[0]
    return lost(first, [f"{stem}.{suffix}" for suffix in (*suffixes, "sha256")])


def with_others(first, *suffixes):
    """A file to be made, and those of the same job that were lost."""
    return [first, *lost_beside(first, *suffixes)]


def lost_chance(study, entry):
    if not reads_chance(entry):
        return []
    datasets = context(STUDIES[study], entry)["datasets"]
    return [path for dataset in datasets for path in lost_beside(chance_files(study, dataset)[0])]


def final_outputs():
    """Stability and accuracy of every selector, tables, figures and summary of every study."""
    targets = []
    for name, study in STUDIES.items():
        folder = f"{RESULTS}/{name}"
        for dataset in study["datasets"]:
            targets += lost_beside(f"{RESULTS}/data/{dataset}.npz", "json")
            targets += lost_beside(f"{folder}/discrete/{dataset}.npz", "json")
            targets += lost_beside(f"{folder}/resamples/{dataset}.npz", "tsv")
            for transform, entry in study["transforms"].items():
                if entry["as_published"]:
                    targets += lost_beside(
                        f"{folder}/transformed/{dataset}/{transform}.npz", "json"
                    )
            for selector in study["selectors"]:
                targets += lost_folds(name, dataset, selector)
                targets += with_others(f"{folder}/stability/{dataset}/{selector}.tsv", "units.tsv")
                if study["accuracy"]["classifiers"]:
                    targets += with_others(f"{folder}/accuracy/{dataset}/{selector}.tsv")
        for table, entry in study["tables"].items():
            targets += with_others(f"{folder}/tables/{table}.csv", "md")
            targets += lost_chance(name, entry)
        for figure, entry in study["figures"].items():
            targets += with_others(f"{folder}/figures/{figure}.svg", "png")
            targets += lost_chance(name, entry)
            if entry["kind"] == "surface":
                for selector in context(study, entry)["selectors"]:
                    targets += lost_beside(f"{folder}/surface/{entry['dataset']}/{selector}.tsv")
            if entry["kind"] == "criterion":
                curves = f"{folder}/criterion/{entry['dataset']}/{entry['selector']}.tsv"
                targets += lost_beside(curves)
        if "precision" in study:
            for path in precision_files(name)[::2]:
                targets += with_others(path)
        if timed_cells(name):
            targets += with_others(f"{RESULTS}/benchmarks/{name}/times.csv", "md")
        targets += with_others(f"{folder}/summary.md")
        targets += with_others(f"{folder}/page.html")
        if name in PUBLISHED:
            targets += with_others(f"{folder}/published.csv")
    return targets
