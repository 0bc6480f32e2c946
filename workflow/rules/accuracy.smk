"""Accuracy of classifiers on the subsets of each selector, for every subset size.

Inputs    results/{study}/selections/{dataset}/{selector}/batch{batch}.sha256, {fold}.tsv,
          results/{study}/resamples/{dataset}.npz, results/data/{dataset}.npz
Outputs   results/{study}/accuracy/{dataset}/{selector}.tsv
"""


rule accuracy:
    input:
        batches=ask(PLAN.family_batches),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        table=ask(PLAN.accuracy_table),
        code=code("accuracy.py", ask(PLAN.classifier_modules)),
    output:
        curves=PATHS("accuracy"),
        manifest=PATHS("accuracy", "sha256"),
    log:
        PATHS.log("{study}", "accuracy", "{dataset}", "{selector}"),
    wildcard_constraints:
        selector=MEASURED,
    group:
        "measure"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("accuracy"),
    params:
        classifiers=ask(PLAN.classifier_settings),
        options=ask(PLAN.accuracy_options),
        runs=ask(PLAN.runs_option),
        rows=once_loaded(PLAN.accuracy_rows),
        code=digest("accuracy.py", ask(PLAN.classifier_modules)),
    message:
        "{wildcards.study}: accuracy of {wildcards.selector} on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.batches:q} --plan {input.folds:q}"
        " --table {input.table[0]:q} --classifiers {params.classifiers:q} {params.options}"
        " {params.runs} {params.rows} --out {output.curves:q} 2> {log:q}"
