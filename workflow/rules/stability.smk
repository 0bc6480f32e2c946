"""Stability of each selector on each data set, for every measure and subset size, and of chance.

Inputs    results/{study}/selections/{dataset}/{selector}/batch{batch}.sha256, {fold}.tsv,
          results/data/{dataset}.npz, results/{study}/resamples/{dataset}.npz,
          results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/stability/{dataset}/{selector}.tsv, .units.tsv, .units.npz
          results/{study}/chance/{dataset}.tsv
"""


rule stability:
    input:
        batches=ask(PLAN.family_batches),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        table=PATHS("data"),
        table_manifest=PATHS("data", "sha256"),
        bins=ask(PLAN.measure_bins),
        code=code("stability.py", ask(PLAN.measure_modules)),
    output:
        curves=PATHS("stability"),
        units=PATHS("stability", "units.tsv"),
        units_by_size=PATHS("stability", "units.npz"),
        manifest=PATHS("stability", "sha256"),
    log:
        PATHS.log("{study}", "stability", "{dataset}", "{selector}"),
    wildcard_constraints:
        selector=MEASURED,
    group:
        "measure"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("stability"),
    params:
        measures=ask(PLAN.measure_settings),
        options=ask(PLAN.measure_options),
        runs=ask(PLAN.runs_option),
        seed=PLAN.seed,
        code=digest("stability.py", ask(PLAN.measure_modules)),
    message:
        "{wildcards.study}: stability of {wildcards.selector} on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.batches:q} --plan {input.folds:q} --table {input.table:q}"
        " --measures {params.measures:q} {params.options} {params.runs} --seed {params.seed}"
        " --out {output.curves:q} 2> {log:q}"


rule chance:
    input:
        table=PATHS("data"),
        table_manifest=PATHS("data", "sha256"),
        bins=ask(PLAN.measure_bins),
        code=code("chance.py", ask(PLAN.measure_modules)),
    output:
        curves=PATHS("chance"),
        manifest=PATHS("chance", "sha256"),
    log:
        PATHS.log("{study}", "chance", "{dataset}"),
    group:
        "measure"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("chance"),
    params:
        measures=ask(PLAN.measure_settings),
        options=ask(PLAN.chance_options),
        seed=PLAN.seed,
        code=digest("chance.py", ask(PLAN.measure_modules)),
    message:
        "{wildcards.study}: stability of random selection on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --measures {params.measures:q} {params.options}"
        " --seed {params.seed} --out {output.curves:q} 2> {log:q}"
