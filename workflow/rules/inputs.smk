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


def own_entry(wildcards):
    """The entry of a table of the user's own, which the catalogue's file does not have."""
    if not CONFIG["data"]:
        return ""
    return f"--entry {shlex.quote(as_json(CATALOGUE[wildcards.dataset]))}"


def bin_settings(wildcards):
    entry = study_of(wildcards)["discretise"]
    return as_json({key: entry[key] for key in ("method", "bins")})


def transform_of(wildcards):
    return study_of(wildcards)["transforms"][wildcards.transform]


# Selection


@cache
def selection_batches(study, dataset, selector):
    return cell_batches(STUDIES[study], dataset, selector, CONFIG["folds_per_job"])


def selector_settings(entry):
    return as_json({key: entry[key] for key in ("use", "params", "time_limit") if key in entry})


def learnt_from_all(entry):
    """Whether a selector is run on rows that were transformed before they were split."""
    return entry.get("transform", {}).get("as_published", False)


def transform_settings(entry):
    return as_json({key: entry[key] for key in ("use", "params")})


def transform_option(entry):
    """What a job is told of the transform: to run it, unless a rule has, and to say so."""
    if "transform" not in entry:
        return ""
    note = f"--note {shlex.quote(told(entry['transform']))}"
    if learnt_from_all(entry):
        return note
    return f"{note} --transform {shlex.quote(transform_settings(entry['transform']))}"


def transform_code(entry):
    """The file of a transform, unless it is a class of another package."""
    declared = registry.declared("transform").get(entry["use"])
    return [declared.file] if declared else []


def selector_code(entry):
    """The script and the files of selector and transform, unless they are of another package."""
    declared = DECLARED.get(entry["use"])
    inside = "transform" in entry and not learnt_from_all(entry)
    return [
        "select_features.py",
        *([declared.file] if declared else []),
        *base_files(entry),
        *(transform_code(entry["transform"]) if inside else []),
    ]


def for_selection(study):
    """Input and parameter functions of the selection rules of one study."""
    selectors = STUDIES[study]["selectors"]
    discretise = STUDIES[study]["discretise"]
    inside_folds = discretise["fit_on"] == "train"

    def bins_option(wildcards):
        wanted = inside_folds and selectors[wildcards.selector]["discrete"]
        return f"--discretise {shlex.quote(as_json(discretise))}" if wanted else ""

    def table(wildcards):
        entry = selectors[wildcards.selector]
        if learnt_from_all(entry):
            return f"{RESULTS}/{study}/transformed/{{dataset}}/{entry['transform']['name']}.npz"
        return table_for(study, entry["discrete"] and not inside_folds)

    return {
        "table": table,
        "transform_option": lambda wildcards: transform_option(selectors[wildcards.selector]),
        "code": lambda wildcards: code(*selector_code(selectors[wildcards.selector])),
        "code_hash": lambda wildcards: code_hash(*selector_code(selectors[wildcards.selector])),
        "settings": lambda wildcards: selector_settings(selectors[wildcards.selector]),
        "bins_option": bins_option,
    }


def fold_batches(study):
    """The folds that jobs write as text together, for selectors that are a rule."""
    if not by_rule(STUDIES[study]):
        return []
    return batches(resampling(STUDIES[study]["resample"]).names(), CONFIG["folds_per_job"])


def rankings(study):
    """Where a rule puts the rankings of a selector on a data set."""
    return f"{RESULTS}/{study}/rankings/{{dataset}}/{{selector}}"


def require_ranking_rules():
    """End the run with one line where nothing makes the rankings that a study asks for."""
    for study, declared in STUDIES.items():
        for selector in by_rule(declared):
            for dataset in declared["datasets"]:
                fold = cell_folds(declared, dataset, selector)[0]
                path = f"{rankings(study)}/{fold}.tsv".format(dataset=dataset, selector=selector)
                if not any(found.is_producer(path) for found in workflow.rules):
                    sys.exit(without_rule(f"study {study}", selector, path, CONFIG["rules"]))


# Stability and accuracy


def selections(study):
    """Where the folds of a selector on a data set are."""
    return f"{RESULTS}/{study}/selections/{{dataset}}/{{selector}}"


def measured_together(study):
    """Selectors that one job measures: the files it writes, its name, and the selectors of these.

    One selector after different transforms is measured by one job, every other by a job of its own.
    """
    every = families(STUDIES[study])
    alone = [name for name, members in every.items() if members == [name]]
    together = [(members, name, members) for name, members in every.items() if name not in alone]
    return [*([(["{selector}"], "{selector}", alone)] if alone else []), *together]


def in_message(name):
    """Messages name wildcards otherwise than files do."""
    return name.replace("{selector}", "{wildcards.selector}")


def own_selectors(members, wildcards):
    return [member.format(**dict(wildcards)) for member in members]


def manifests(study, members):
    """The batches' checksums, which stand for the files of all folds.

    Fifty files a job as inputs would cost Snakemake more time than many of the jobs take.
    """

    def files(wildcards):
        return batch_manifests(study, wildcards.dataset, own_selectors(members, wildcards))

    return files


def batch_manifests(study, dataset, names):
    return [
        f"{RESULTS}/{study}/selections/{dataset}/{selector}/batch{number}.sha256"
        for selector in names
        for number in range(len(selection_batches(study, dataset, selector)))
    ]


def runs_option(study, members):
    """Only where a cell takes fewer runs than the study."""

    def option(wildcards):
        every = len(resampling(STUDIES[study]["resample"]).names())
        first = own_selectors(members, wildcards)[0]
        own = len(cell_folds(STUDIES[study], wildcards.dataset, first))
        return "" if own == every else f"--runs {own}"

    return option


def sizes_option(study):
    sizes = STUDIES[study]["sizes"]
    return "" if sizes == "all" else "--sizes " + " ".join(map(str, sizes))


def ties_option(study):
    return "--ties random" if STUDIES[study]["stability"]["ties"] == "random" else ""


def seed_option(study):
    """Only where accuracy needs it, so that that of other studies does not depend on the seed."""
    kinds = [entry["use"] for entry in STUDIES[study]["accuracy"]["classifiers"].values()]
    drawn = ties_option(study) or "kmeans" in kinds
    return f"--seed {CONFIG['seed']}" if drawn else ""


def stability_measures(study):
    return as_json(STUDIES[study]["stability"]["measures"])


def measure_code(script):
    """The script and the files of the study's measures."""

    def files(study):
        asked = STUDIES[study]["stability"]["measures"]
        declared = measures_declared()
        return [script, *sorted({declared[given["measure"]].file for given in asked})]

    return files


def bins_for_measures(study):
    """The bins of a data set, if a measure of the study reads them."""
    asked = STUDIES[study]["stability"]["measures"]
    if all(measures_declared()[given["measure"]].similarity != "su" for given in asked):
        return []
    bins = table_for(study, discrete=True)
    return [bins, bins.replace(".npz", ".sha256")]


def bins_for_measures_option(wildcards, input):
    return "".join(f"--bins {shlex.quote(path)}" for path in list(input.get("bins", []))[:1])


stability_code, chance_code = measure_code("stability.py"), measure_code("chance.py")


def classifier_settings(study):
    """Classifiers without their names in print: those may change without a rerun."""
    entries = STUDIES[study]["accuracy"]["classifiers"].items()
    return as_json(
        {name: {k: v for k, v in entry.items() if k != "label"} for name, entry in entries}
    )
