"""Stability of each selector on each data set, for every measure and subset size, and of chance.

Inputs    results/{study}/selections/{dataset}/{selector}/{fold}.tsv, results/data/{dataset}.npz,
          results/{study}/resamples/{dataset}.npz, results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/stability/{dataset}/{selector}.tsv, .units.tsv
          results/{study}/chance/{dataset}.tsv
"""

for study in STUDIES:
    for number, (MEMBERS, NAME, OWN_SELECTORS) in enumerate(measured_together(study)):
        FILES = f"{RESULTS}/{study}/stability/{{dataset}}"

        rule:
            name:
                f"stability_{study}_{number}"
            input:
                manifests=manifests(study, MEMBERS),
                plan=f"{RESULTS}/{study}/resamples/{{dataset}}.npz",
                plan_manifest=f"{RESULTS}/{study}/resamples/{{dataset}}.sha256",
                table=f"{RESULTS}/data/{{dataset}}.npz",
                table_manifest=f"{RESULTS}/data/{{dataset}}.sha256",
                bins=bins_for_measures(study),
                code=code(*stability_code(study)),
            output:
                curves=[f"{FILES}/{member}.tsv" for member in MEMBERS],
                units=[f"{FILES}/{member}.units.tsv" for member in MEMBERS],
                manifests=[f"{FILES}/{member}.sha256" for member in MEMBERS],
            log:
                f"{RESULTS}/logs/{study}/stability/{{dataset}}/{NAME}.log",
            benchmark:
                f"{RESULTS}/benchmarks/{study}/stability/{{dataset}}/{NAME}.tsv"
            wildcard_constraints:
                selector=environment.one_of(OWN_SELECTORS),
            group:
                "measure"
            conda:
                ENVIRONMENT
            params:
                measures=stability_measures(study),
                bins=bins_for_measures_option,
                sizes=sizes_option(study),
                runs=runs_option(study, MEMBERS),
                ties=ties_option(study),
                seed=CONFIG["seed"],
                code=code_hash(*stability_code(study)),
                folder=FILES,
            message:
                f"{study}: stability of {in_message(NAME)} on {{wildcards.dataset}}"
            shell:
                "python {input.code[0]:q} {input.manifests:q} --plan {input.plan:q}"
                " --table {input.table:q} {params.bins} --measures {params.measures:q}"
                " {params.sizes} {params.runs} --seed {params.seed} {params.ties}"
                " --out {params.folder:q} 2> {log:q}"


rule chance:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        table_manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        bins=lambda wildcards: bins_for_measures(wildcards.study),
        code=lambda wildcards: code(*chance_code(wildcards.study)),
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
        measures=lambda wildcards: stability_measures(wildcards.study),
        bins=bins_for_measures_option,
        sizes=lambda wildcards: sizes_option(wildcards.study),
        runs=lambda wildcards: resampling(study_of(wildcards)["resample"]).runs(),
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*chance_code(wildcards.study)),
    message:
        "{wildcards.study}: stability of random selection on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} {params.bins}"
        " --measures {params.measures:q} {params.sizes} --runs {params.runs}"
        " --seed {params.seed} --out {output.curves:q} 2> {log:q}"
