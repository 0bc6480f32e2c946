"""Input and parameter functions of the page.

Inputs    STUDIES and the functions of common.smk, inputs.smk and outputs.smk
Outputs   none
"""


def probes_code(wildcards):
    _, *files = selector_code(selector_of(wildcards))
    return ["probes.py", *files]


def probes_bins_option(wildcards):
    """Bins are always fitted inside the fold: a shuffled copy has none of all rows."""
    if not selector_of(wildcards)["discrete"]:
        return ""
    return f"--discretise {shlex.quote(as_json(study_of(wildcards)['discretise']))}"


def evidence_context(wildcards):
    """What the page looks at, with the batches of each selector on this data set."""
    asked = page_context(study_of(wildcards)) | {"seed": CONFIG["seed"]}
    for name, about in asked["selectors"].items():
        about["batches"] = len(selection_batches(wildcards.study, wildcards.dataset, name))
    return asked


def evidence_inputs(wildcards):
    study, dataset = wildcards.study, wildcards.dataset
    selectors = page_selectors(STUDIES[study])
    probed = [name for name, about in selectors.items() if about["probes"]]
    files = batch_manifests(study, dataset, selectors) + rows_and_folds(study, [dataset])
    if STUDIES[study]["accuracy"]["classifiers"]:
        files += curve_files(study, "accuracy", [dataset], selectors)
    folder = f"{RESULTS}/{study}/probes/{dataset}"
    files += [f"{folder}/{name}.{suffix}" for name in probed for suffix in ("tsv", "sha256")]
    return {"files": files, "about": descriptions([dataset])}


def page_evidence(wildcards):
    datasets = study_of(wildcards)["datasets"]
    return [f"{RESULTS}/{wildcards.study}/evidence/{dataset}.json" for dataset in datasets]


def page_evidence_manifests(wildcards):
    return [path.replace(".json", ".sha256") for path in page_evidence(wildcards)]


def page_parts():
    """Template, style and script of the page, which its command reads."""
    folder = Path(SCRIPTS) / "steadfast" / "page" / "parts"
    return sorted(str(path) for path in folder.iterdir() if path.is_file())


def page_settings(wildcards):
    study = study_of(wildcards)
    return {
        "study": wildcards.study,
        "title": study["title"],
        "paper": study.get("paper", ""),
        "seed": CONFIG["seed"],
        "method": page_method(study),
        "command": page_command(wildcards),
    }


def page_command(wildcards):
    """The call that makes this page again; where a table lies is nobody's business."""
    if not CONFIG["data"]:
        return f"snakemake --cores all --config 'studies=[{wildcards.study}]' seed={CONFIG['seed']}"
    asked = {key: CONFIG[key] for key in (*OWN_KEYS, "seed") if CONFIG[key] is not None}
    asked["data"] = Path(asked["data"]).name
    given = " ".join(f"{key}={shlex.quote(shown_option(v))}" for key, v in asked.items())
    return f"make advise {given}"


def pages():
    return [f"{RESULTS}/{study}/page.html" for study in STUDIES]
