"""Feature selection: one ranking per selector and fold, a batch of folds per job.

Only the checksums of a batch are an output that Snakemake knows; the files of its folds lie beside
them. Fifty outputs per job cost Snakemake more time than many of the jobs take. Where results go to a
storage, which holds what Snakemake knows, the files go there in a pack.

Inputs    results/{study}/discrete/{dataset}.npz or results/data/{dataset}.npz, or, after transforms
          that learn from all rows, results/{study}/transformed/{dataset}/{transform}.npz,
          results/{study}/resamples/{dataset}.npz;
          of selectors that are a rule: results/{study}/rankings/{dataset}/{selector}/{fold}.tsv
Outputs   results/{study}/selections/{dataset}/{selector}/batch{batch}.sha256, {fold}.tsv,
          and through a storage batch{batch}.zip
          results/{study}/folds/{dataset}/{fold}.csv (for rules; deleted once they are read)
"""


rule select:
    input:
        table=ask(PLAN.selection_table),
        table_manifest=ask(PLAN.selection_voucher),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        code=code("select_features.py", ask(PLAN.selector_modules)),
    output:
        manifest=PATHS("batch"),
        pack=PATHS("batch", "zip") if STORED else [],
    log:
        PATHS.log(*SELECT_LOG),
    wildcard_constraints:
        study=PLAN.studies_by_rule(False),
    group:
        "select"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("select"),
    params:
        selector=ask(PLAN.selector_settings),
        options=ask(PLAN.selection_options),
        rows=once_loaded(PLAN.selection_rows),
        code=digest("select_features.py", ask(PLAN.selector_modules)),
        folds=ask(PLAN.batch_folds),
        pack="--pack" if STORED else "",
        seed=PLAN.seed,
    message:
        "{wildcards.dataset}: selecting by {wildcards.selector} ({wildcards.study}, part {wildcards.batch})"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.folds:q}"
        " --dataset {wildcards.dataset} --folds {params.folds} --selector {params.selector:q}"
        " {params.options} {params.rows} --seed {params.seed} --manifest {output.manifest:q}"
        " {params.pack} --code {params.code} 2> {log:q}"


rule fold_rows:
    input:
        table=PATHS("data"),
        table_manifest=PLAN.vouchers([PATHS("data")]),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        code=code("export_folds.py"),
    output:
        rows=temp(PATHS("fold_rows")),
    log:
        PATHS.log("{study}", "folds", "{dataset}", "{fold}"),
    localrule: True
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("fold_rows"),
    params:
        code=digest("export_folds.py"),
    message:
        "{wildcards.dataset}: training rows of fold {wildcards.fold} as text"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.folds:q}"
        " --fold {wildcards.fold} --out {output.rows:q} 2> {log:q}"


rule read_rankings:
    input:
        table=PATHS("data"),
        table_manifest=PLAN.vouchers([PATHS("data")]),
        rankings=ask(PLAN.rankings),
        code=code("read_rankings.py"),
    output:
        manifest=PATHS("batch"),
        pack=PATHS("batch", "zip") if STORED else [],
    log:
        PATHS.log(*SELECT_LOG),
    wildcard_constraints:
        study=PLAN.studies_by_rule(True),
    localrule: True
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("read_rankings"),
    params:
        pack="--pack" if STORED else "",
        code=digest("read_rankings.py"),
    message:
        "{wildcards.dataset}: checking the rankings by {wildcards.selector} (part {wildcards.batch})"
    shell:
        "python {input.code[0]:q} {input.table:q} --rankings {input.rankings:q}"
        " --manifest {output.manifest:q} {params.pack} 2> {log:q}"
