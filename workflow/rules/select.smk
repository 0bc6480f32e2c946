"""Feature selection: one ranking per selector and fold, a batch of folds per job.

Inputs    results/{study}/discrete/{dataset}.npz or results/data/{dataset}.npz,
          results/{study}/resamples/{dataset}.npz
Outputs   results/{study}/selections/{dataset}/{selector}/{fold}.tsv, batch{number}.sha256
"""

for study in STUDIES:
    ASKED = for_selection(study)
    FOLDER = selections(study)
    for number, folds in enumerate(selection_batches(study)):

        rule:
            name:
                f"select_{study}_batch{number}"
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
            conda:
                ENVIRONMENT
            params:
                selector=ASKED["settings"],
                bins_option=ASKED["bins_option"],
                code=ASKED["code_hash"],
                folds=" ".join(folds),
                n_folds=len(folds),
                folder=FOLDER,
                seed=CONFIG["seed"],
            message:
                "{wildcards.dataset}: selecting by {wildcards.selector}, {params.n_folds} folds"
            shell:
                "python {input.code[0]:q} {input.table:q} --plan {input.plan:q}"
                " --folds {params.folds} --selector {params.selector:q} {params.bins_option}"
                " --seed {params.seed} --out {params.folder:q} --manifest {output.manifest:q} 2> {log:q}"
