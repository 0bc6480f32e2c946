"""Feature selection: one ranking per selector and fold, a batch of folds per job.

Inputs    results/{study}/discrete/{dataset}.npz or results/data/{dataset}.npz, or, after transforms
          that learn from all rows, results/{study}/transformed/{dataset}/{transform}.npz,
          results/{study}/resamples/{dataset}.npz
Outputs   results/{study}/selections/{dataset}/{selector}/{fold}.tsv, batch{number}.sha256
"""

for study in STUDIES:
    ASKED = for_selection(study)
    FOLDER = selections(study)
    for group, (BATCHES, OWN_SELECTORS, OWN_DATASETS) in enumerate(
        alike(STUDIES[study], CONFIG["folds_per_job"])
    ):
        RUN_HERE = [name for name in OWN_SELECTORS if name not in by_rule(STUDIES[study])]
        for number, folds in enumerate(BATCHES if RUN_HERE else []):

            rule:
                name:
                    f"select_{study}_group{group}_batch{number}"
                input:
                    table=ASKED["table"],
                    plan=f"{RESULTS}/{study}/resamples/{{dataset}}.npz",
                    plan_manifest=f"{RESULTS}/{study}/resamples/{{dataset}}.sha256",
                    code=ASKED["code"],
                output:
                    selections=[f"{FOLDER}/{fold}.tsv" for fold in folds],
                    manifest=f"{FOLDER}/batch{number}.sha256",
                log:
                    f"{RESULTS}/logs/{study}/select/{{dataset}}/{{selector}}_batch{number}.log",
                benchmark:
                    f"{RESULTS}/benchmarks/{study}/select/{{dataset}}/{{selector}}_batch{number}.tsv"
                wildcard_constraints:
                    dataset=environment.one_of(OWN_DATASETS),
                    selector=environment.one_of(RUN_HERE),
                group:
                    "select"
                conda:
                    ENVIRONMENT
                params:
                    selector=ASKED["settings"],
                    transform_option=ASKED["transform_option"],
                    bins_option=ASKED["bins_option"],
                    code=ASKED["code_hash"],
                    folds=" ".join(folds),
                    n_folds=len(folds),
                    folder=FOLDER,
                    seed=CONFIG["seed"],
                message:
                    "{wildcards.dataset}: selecting by {wildcards.selector}, {params.n_folds} folds"
                    f" (part {number + 1} of {len(BATCHES)})"
                shell:
                    "python {input.code[0]:q} {input.table:q} --plan {input.plan:q}"
                    " --dataset {wildcards.dataset} --folds {params.folds}"
                    " --selector {params.selector:q} {params.transform_option} {params.bins_option}"
                    " --seed {params.seed} --out {params.folder:q} --manifest {output.manifest:q}"
                    " --code {params.code} 2> {log:q}"
