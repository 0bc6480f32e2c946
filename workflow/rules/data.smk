"""Data sets: load, check, put into bins, and transform before they are split.

Inputs    config/datasets.yaml, config/datasets/*.csv.gz, OpenML, files of the user's
Outputs   results/data/{dataset}.npz, .json
          results/{study}/discrete/{dataset}.npz, .json
          results/{study}/transformed/{dataset}/{transform}.npz, .json (all rows at once)
"""


rule load_data:
    input:
        source=ask(PLAN.source_files),
        code=code("load_data.py", ask(PLAN.load_modules)),
    output:
        table=PATHS("data"),
        about=PATHS("data", "json"),
        manifest=PATHS("data", "sha256"),
    log:
        PATHS.log("data", "{dataset}"),
    localrule: True
    conda:
        DATA_ENVIRONMENT
    resources:
        mem_mb=memory("load_data"),
    params:
        entry=ask(PLAN.catalogue_entry),
        options=ask(PLAN.load_options),
        code=digest("load_data.py", ask(PLAN.load_modules)),
        catalogue=os.path.relpath(PLAN.config["catalogue"]),
        root=os.path.relpath(ROOT),
        cache=PLAN.config["cache"],
    message:
        "Loading the data set {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {wildcards.dataset} --catalogue {params.catalogue:q}"
        " --root {params.root:q} {params.options} --cache {params.cache:q} --out {output.table:q}"
        " 2> {log:q}"


rule discretise:
    input:
        table=PATHS("data"),
        manifest=PATHS("data", "sha256"),
        code=code("discretise.py"),
    output:
        table=PATHS("bins"),
        about=PATHS("bins", "json"),
        manifest=PATHS("bins", "sha256"),
    log:
        PATHS.log("{study}", "discretise", "{dataset}"),
    localrule: True
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("discretise"),
    params:
        settings=ask(PLAN.bin_settings),
        code=digest("discretise.py"),
    message:
        "{wildcards.study}: {wildcards.dataset} into bins"
    shell:
        "python {input.code[0]:q} {input.table:q} --settings {params.settings:q}"
        " --out {output.table:q} 2> {log:q}"


rule transform:
    input:
        table=PATHS("data"),
        manifest=PATHS("data", "sha256"),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        code=code("transform.py", ask(PLAN.transform_modules)),
    output:
        table=PATHS("transformed"),
        about=PATHS("transformed", "json"),
        manifest=PATHS("transformed", "sha256"),
    log:
        PATHS.log("{study}", "transform", "{dataset}", "{transform}"),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("transform"),
    params:
        settings=ask(PLAN.transform_settings),
        learn=ask(PLAN.transform_learns),
        seed=PLAN.seed,
        code=digest("transform.py", ask(PLAN.transform_modules)),
    message:
        "{wildcards.study}: {wildcards.dataset} by {wildcards.transform}, before the folds"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.folds:q}"
        " --settings {params.settings:q} --learn {params.learn} --seed {params.seed} --out {output.table:q} 2> {log:q}"
