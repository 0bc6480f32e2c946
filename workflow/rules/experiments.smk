"""Experiments that run selectors themselves: on parts of a data set, on bootstraps, on synthetic data.

Inputs    results/data/{dataset}.npz, results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/surface/{dataset}/{selector}.tsv
          results/{study}/criterion/{dataset}/{selector}.tsv
          results/{study}/precision/features{number}.tsv
          results/{study}/recovery/{scenario}/{selector}.tsv
"""


rule surface:
    input:
        table=PATHS("data"),
        manifest=PATHS("data", "sha256"),
        code=code("surface.py", ask(PLAN.selector_modules)),
    output:
        table=PATHS("surface"),
        manifest=PATHS("surface", "sha256"),
    log:
        PATHS.log("{study}", "surface", "{dataset}", "{selector}"),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("surface"),
    params:
        selector=ask(PLAN.selector_settings),
        settings=ask(PLAN.surface_settings),
        options=ask(PLAN.selection_options),
        seed=PLAN.seed,
        code=digest("surface.py", ask(PLAN.selector_modules)),
    message:
        "{wildcards.study}: {wildcards.selector} on parts of {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --selector {params.selector:q}"
        " --settings {params.settings:q} {params.options} --study {wildcards.study}"
        " --seed {params.seed} --out {output.table:q} 2> {log:q}"


rule criterion_variation:
    input:
        bins=PATHS("bins"),
        bins_manifest=PATHS("bins", "sha256"),
        code=code("criterion_variation.py"),
    output:
        table=PATHS("variation"),
        manifest=PATHS("variation", "sha256"),
    log:
        PATHS.log("{study}", "criterion", "{dataset}", "{selector}"),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("criterion_variation"),
    params:
        selector=ask(PLAN.selector_settings),
        bootstraps=ask(PLAN.variation_bootstraps),
        seed=PLAN.seed,
        code=digest("criterion_variation.py"),
    message:
        "{wildcards.study}: variation of {wildcards.selector}'s criterion on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.bins:q} --selector {params.selector:q}"
        " --bootstraps {params.bootstraps} --study {wildcards.study} --seed {params.seed}"
        " --out {output.table:q} 2> {log:q}"


rule precision:
    input:
        code=code("precision.py", ask(PLAN.precision_modules)),
    output:
        table=PATHS("precision"),
        manifest=PATHS("precision", "sha256"),
    log:
        PATHS.log("{study}", "precision", "features{number}"),
    wildcard_constraints:
        number=r"\d+",
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("precision"),
    params:
        settings=ask(PLAN.precision_settings),
        seed=PLAN.seed,
        code=digest("precision.py", ask(PLAN.precision_modules)),
    message:
        "{wildcards.study}: relevant features found among {wildcards.number}"
    shell:
        "python {input.code[0]:q} {wildcards.number} --settings {params.settings:q}"
        " --study {wildcards.study} --seed {params.seed} --out {output.table:q} 2> {log:q}"


rule recovery:
    input:
        code=code("recovery.py", ask(PLAN.selector_modules)),
    output:
        table=PATHS("recovery"),
        manifest=PATHS("recovery", "sha256"),
    log:
        PATHS.log(*RECOVERY_LOG),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("recovery"),
    params:
        settings=ask(PLAN.recovery_settings),
        seed=PLAN.seed,
        code=digest("recovery.py", ask(PLAN.selector_modules)),
    message:
        "{wildcards.study}: what {wildcards.selector} finds in {wildcards.scenario}"
    shell:
        "python {input.code[0]:q} {wildcards.scenario} --settings {params.settings:q}"
        " --selector {wildcards.selector} --study {wildcards.study} --seed {params.seed}"
        " --out {output.table:q} 2> {log:q}"
