"""Experiments that make data of their own: parts of a data set, and synthetic data.

Inputs    results/data/{dataset}.npz
Outputs   results/{study}/surface/{dataset}/{selector}.tsv
          results/{study}/precision/features{number}.tsv
"""


rule surface:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        code=lambda wildcards: code(*surface_code(wildcards)),
    output:
        table=f"{RESULTS}/{{study}}/surface/{{dataset}}/{{selector}}.tsv",
        manifest=f"{RESULTS}/{{study}}/surface/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/surface/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/surface/{{dataset}}/{{selector}}.tsv"
    conda:
        ENVIRONMENT
    params:
        selector=lambda wildcards: selector_settings(selector_of(wildcards)),
        settings=surface_settings,
        bins_option=lambda wildcards: for_selection(wildcards.study)["bins_option"](wildcards),
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*surface_code(wildcards)),
    message:
        "{wildcards.study}: {wildcards.selector} on parts of {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --selector {params.selector:q}"
        " --settings {params.settings:q} {params.bins_option} --study {wildcards.study}"
        " --seed {params.seed} --out {output.table:q} 2> {log:q}"


rule precision:
    input:
        code=lambda wildcards: code(*precision_code(wildcards)),
    output:
        table=f"{RESULTS}/{{study}}/precision/features{{number}}.tsv",
        manifest=f"{RESULTS}/{{study}}/precision/features{{number}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/precision/features{{number}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/precision/features{{number}}.tsv"
    wildcard_constraints:
        number=r"\d+",
    conda:
        ENVIRONMENT
    params:
        settings=precision_settings,
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*precision_code(wildcards)),
    message:
        "{wildcards.study}: relevant features found among {wildcards.number}"
    shell:
        "python {input.code[0]:q} {wildcards.number} --settings {params.settings:q}"
        " --study {wildcards.study} --seed {params.seed} --out {output.table:q} 2> {log:q}"
