"""Resampling: which rows each fold trains and tests on, the same for all selectors.

Inputs    results/data/{dataset}.npz
Outputs   results/{study}/resamples/{dataset}.npz (row numbers), .tsv (sizes, for people)
"""


rule resample:
    input:
        table=PATHS("data"),
        manifest=PATHS("data", "sha256"),
        code=code("resample.py", ask(PLAN.resample_modules)),
    output:
        folds=PATHS("folds"),
        sizes=PATHS("folds", "tsv"),
        manifest=PATHS("folds", "sha256"),
    log:
        PATHS.log("{study}", "resample", "{dataset}"),
    localrule: True
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("resample"),
    params:
        settings=ask(PLAN.resample_settings),
        seed=PLAN.seed,
        code=digest("resample.py", ask(PLAN.resample_modules)),
    message:
        "{wildcards.study}: drawing the folds of {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --study {wildcards.study} --seed {params.seed}"
        " --settings {params.settings:q} --out {output.folds:q} 2> {log:q}"
