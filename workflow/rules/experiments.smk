"""Experiments that run selectors themselves: on parts of a data set, on bootstraps, on synthetic data.

Inputs    results/data/{dataset}.npz, results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/surface/{dataset}/{selector}.tsv
          results/{study}/criterion/{dataset}/{selector}.tsv
          results/{study}/precision/features{number}.tsv
          results/{study}/recovery/{scenario}/{selector}.tsv
          results/{study}/alpha/{dataset}.tsv, .units.tsv, .choices.tsv, .facts.tsv, .variance.tsv
          results/{study}/alpha_rules.tsv
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


rule alpha:
    input:
        table=PATHS("data"),
        table_manifest=PATHS("data", "sha256"),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        batches=ask(PLAN.alpha_batches),
        code=code("alpha.py", ask(PLAN.alpha_modules)),
    output:
        curves=PATHS("alpha"),
        units=PATHS("alpha", "units.tsv"),
        choices=PATHS("alpha", "choices.tsv"),
        facts=PATHS("alpha", "facts.tsv"),
        variance=PATHS("alpha", "variance.tsv"),
        manifest=PATHS("alpha", "sha256"),
    log:
        PATHS.log("{study}", "alpha", "{dataset}"),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("alpha"),
    params:
        settings=ask(PLAN.alpha_settings),
        seed=PLAN.seed,
        code=digest("alpha.py", ask(PLAN.alpha_modules)),
    message:
        "{wildcards.study}: every α on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.folds:q}"
        " --manifests {input.batches:q} --settings {params.settings:q}"
        " --study {wildcards.study} --seed {params.seed} --out {output.curves:q} 2> {log:q}"


rule alpha_rules:
    input:
        curves=ask(PLAN.alpha_files),
        manifests=ask(PLAN.alpha_manifests),
        code=code("alpha_rules.py"),
    output:
        table=PATHS("alpha_rules"),
        manifest=PATHS("alpha_rules", "sha256"),
    log:
        PATHS.log("{study}", "alpha_rules"),
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("alpha_rules"),
    params:
        kin=ask(PLAN.alpha_kin),
        code=digest("alpha_rules.py"),
    message:
        "{wildcards.study}: what rules for α and the size lose"
    shell:
        "python {input.code[0]:q} {input.curves:q} --kin {params.kin:q}"
        " --out {output.table:q} 2> {log:q}"
