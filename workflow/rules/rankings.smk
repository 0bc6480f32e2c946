"""Selectors that are a rule in any language: folds as text for them, their rankings checked.

Inputs    results/data/{dataset}.npz, results/{study}/resamples/{dataset}.npz,
          results/{study}/rankings/{dataset}/{selector}/{fold}.tsv (by the rules of the config)
Outputs   results/{study}/folds/{dataset}/{fold}.csv (deleted once they are read)
          results/{study}/selections/{dataset}/{selector}/{fold}.tsv, batch{number}.sha256
"""

for study in STUDIES:
    for number, folds in enumerate(fold_batches(study)):

        rule:
            name:
                f"folds_{study}_batch{number}"
            input:
                table=f"{RESULTS}/data/{{dataset}}.npz",
                plan=f"{RESULTS}/{study}/resamples/{{dataset}}.npz",
                plan_manifest=f"{RESULTS}/{study}/resamples/{{dataset}}.sha256",
                code=code("export_folds.py"),
            output:
                folds=[temp(f"{RESULTS}/{study}/folds/{{dataset}}/{fold}.csv") for fold in folds],
            log:
                f"{RESULTS}/logs/{study}/folds/{{dataset}}_batch{number}.log",
            benchmark:
                f"{RESULTS}/benchmarks/{study}/folds/{{dataset}}_batch{number}.tsv"
            localrule: True
            conda:
                ENVIRONMENT
            params:
                folder=f"{RESULTS}/{study}/folds/{{dataset}}",
                folds=" ".join(folds),
                n_folds=len(folds),
                code=code_hash("export_folds.py"),
            message:
                "{wildcards.dataset}: training rows of {params.n_folds} folds as text"
            shell:
                "python {input.code[0]:q} {input.table:q} --plan {input.plan:q}"
                " --folds {params.folds} --out {params.folder:q} 2> {log:q}"

    for group, (BATCHES, OWN_SELECTORS, OWN_DATASETS) in enumerate(
        alike(STUDIES[study], CONFIG["folds_per_job"])
    ):
        BY_RULE = [name for name in OWN_SELECTORS if name in by_rule(STUDIES[study])]
        for number, folds in enumerate(BATCHES if BY_RULE else []):

            rule:
                name:
                    f"select_{study}_group{group}_ranked_batch{number}"
                input:
                    table=f"{RESULTS}/data/{{dataset}}.npz",
                    rankings=[f"{rankings(study)}/{fold}.tsv" for fold in folds],
                    code=code("read_rankings.py"),
                output:
                    selections=[f"{selections(study)}/{fold}.tsv" for fold in folds],
                    manifest=f"{selections(study)}/batch{number}.sha256",
                log:
                    f"{RESULTS}/logs/{study}/select/{{dataset}}/{{selector}}_batch{number}.log",
                benchmark:
                    f"{RESULTS}/benchmarks/{study}/select/{{dataset}}/{{selector}}_batch{number}.tsv"
                wildcard_constraints:
                    dataset=environment.one_of(OWN_DATASETS),
                    selector=environment.one_of(BY_RULE),
                localrule: True
                conda:
                    ENVIRONMENT
                params:
                    n_folds=len(folds),
                    folder=selections(study),
                    code=code_hash("read_rankings.py"),
                message:
                    "{wildcards.dataset}: checking the rankings by {wildcards.selector},"
                    f" {{params.n_folds}} folds (part {number + 1} of {len(BATCHES)})"
                shell:
                    "python {input.code[0]:q} {input.table:q} --rankings {input.rankings:q}"
                    " --out {params.folder:q} --manifest {output.manifest:q} 2> {log:q}"
