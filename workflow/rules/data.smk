"""Data sets: load, check, and put into bins.

Inputs    config/datasets.yaml, config/datasets/*.csv.gz, OpenML, files of the user's
Outputs   results/data/{dataset}.npz, .json
          results/{study}/discrete/{dataset}.npz, .json
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
    conda:
        ENVIRONMENT
    params:
        entry=catalogue_entry,
        local_file=local_file,
        code=code_hash("load_data.py"),
        catalogue=os.path.relpath(CONFIG["catalogue"]),
        root=os.path.relpath(ROOT),
        cache=CONFIG["cache"],
    message:
        "Loading the data set {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {wildcards.dataset} --catalogue {params.catalogue:q}"
        " --root {params.root:q} {params.local_file} --cache {params.cache:q} --out {output.table:q}"
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
