"""Data sets: load, check, put into bins, and transform as published.

Inputs    config/datasets.yaml, config/datasets/*.csv.gz, OpenML, files of the user's
Outputs   results/data/{dataset}.npz, .json
          results/{study}/discrete/{dataset}.npz, .json
          results/{study}/transformed/{dataset}/{transform}.npz, .json (all rows at once)
"""


rule load_data:
    input:
        source=source_files,
        code=code("load_data.py"),
    output:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        about=f"{RESULTS}/data/{{dataset}}.json",
        manifest=f"{RESULTS}/data/{{dataset}}.sha256",
    log:
        f"{RESULTS}/logs/data/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/{{dataset}}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        entry=catalogue_entry,
        local_file=local_file,
        own_entry=own_entry,
        code=code_hash("load_data.py"),
        catalogue=os.path.relpath(CONFIG["catalogue"]),
        root=os.path.relpath(ROOT),
        cache=CONFIG["cache"],
    message:
        "Loading the data set {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {wildcards.dataset} --catalogue {params.catalogue:q}"
        " {params.own_entry} --root {params.root:q} {params.local_file} --cache {params.cache:q} --out {output.table:q}"
        " 2> {log:q}"


rule discretise:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        code=code("discretise.py"),
    output:
        table=f"{RESULTS}/{{study}}/discrete/{{dataset}}.npz",
        about=f"{RESULTS}/{{study}}/discrete/{{dataset}}.json",
        manifest=f"{RESULTS}/{{study}}/discrete/{{dataset}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/discretise/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/discretise/{{dataset}}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=bin_settings,
        code=code_hash("discretise.py"),
    message:
        "{wildcards.study}: {wildcards.dataset} into bins"
    shell:
        "python {input.code[0]:q} {input.table:q} --settings {params.settings:q}"
        " --out {output.table:q} 2> {log:q}"


rule transform:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        code=lambda wildcards: code("transform.py", *transform_code(transform_of(wildcards))),
    output:
        table=f"{RESULTS}/{{study}}/transformed/{{dataset}}/{{transform}}.npz",
        about=f"{RESULTS}/{{study}}/transformed/{{dataset}}/{{transform}}.json",
        manifest=f"{RESULTS}/{{study}}/transformed/{{dataset}}/{{transform}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/transform/{{dataset}}/{{transform}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/transform/{{dataset}}/{{transform}}.tsv"
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: transform_settings(transform_of(wildcards)),
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash("transform.py", *transform_code(transform_of(wildcards))),
    message:
        "{wildcards.study}: all rows of {wildcards.dataset} by {wildcards.transform} (as published)"
    shell:
        "python {input.code[0]:q} {input.table:q} --settings {params.settings:q}"
        " --seed {params.seed} --out {output.table:q} 2> {log:q}"
