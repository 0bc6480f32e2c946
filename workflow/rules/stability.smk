"""Stability of each selector on each data set, for every measure and subset size, and of chance.

Inputs    results/{study}/selections/{dataset}/{selector}/{fold}.tsv, results/data/{dataset}.npz,
          results/{study}/resamples/{dataset}.npz, results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/stability/{dataset}/{selector}.tsv, .units.tsv
          results/{study}/chance/{dataset}.tsv
"""


rule stability:
    input:
        manifests=manifests,
        plan=f"{RESULTS}/{{study}}/resamples/{{dataset}}.npz",
        plan_manifest=f"{RESULTS}/{{study}}/resamples/{{dataset}}.sha256",
        table=f"{RESULTS}/data/{{dataset}}.npz",
        table_manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        bins=f"{RESULTS}/{{study}}/discrete/{{dataset}}.npz",
        bins_manifest=f"{RESULTS}/{{study}}/discrete/{{dataset}}.sha256",
        code=lambda wildcards: code(*stability_code(wildcards)),
    output:
        curves=f"{RESULTS}/{{study}}/stability/{{dataset}}/{{selector}}.tsv",
        units=f"{RESULTS}/{{study}}/stability/{{dataset}}/{{selector}}.units.tsv",
        manifest=f"{RESULTS}/{{study}}/stability/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/stability/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/stability/{{dataset}}/{{selector}}.tsv"
    conda:
        ENVIRONMENT
    params:
        measures=stability_measures,
        sizes=sizes_option,
        runs=runs_option,
        ties=ties_option,
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*stability_code(wildcards)),
    message:
        "{wildcards.study}: stability of {wildcards.selector} on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.manifests:q} --plan {input.plan:q}"
        " --table {input.table:q} --bins {input.bins:q} --measures {params.measures:q}"
        " {params.sizes} {params.runs} --seed {params.seed} {params.ties} --out {output.curves:q} --units {output.units:q}"
        " 2> {log:q}"


rule chance:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        table_manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        bins=f"{RESULTS}/{{study}}/discrete/{{dataset}}.npz",
        bins_manifest=f"{RESULTS}/{{study}}/discrete/{{dataset}}.sha256",
        code=lambda wildcards: code(*chance_code(wildcards)),
    output:
        curves=f"{RESULTS}/{{study}}/chance/{{dataset}}.tsv",
        manifest=f"{RESULTS}/{{study}}/chance/{{dataset}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/chance/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/chance/{{dataset}}.tsv"
    conda:
        ENVIRONMENT
    params:
        measures=stability_measures,
        sizes=sizes_option,
        runs=lambda wildcards: resampling(study_of(wildcards)["resample"]).runs(),
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*chance_code(wildcards)),
    message:
        "{wildcards.study}: stability of random selection on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --bins {input.bins:q}"
        " --measures {params.measures:q} {params.sizes} --runs {params.runs}"
        " --seed {params.seed} --out {output.curves:q} 2> {log:q}"
