"""Accuracy of classifiers on the subsets of each selector, for every subset size.

Inputs    results/{study}/selections/{dataset}/{selector}/{fold}.tsv,
          results/{study}/resamples/{dataset}.npz, results/data/{dataset}.npz
Outputs   results/{study}/accuracy/{dataset}/{selector}.tsv
"""

for study in STUDIES:
    for number, (MEMBERS, NAME, OWN_SELECTORS) in enumerate(measured_together(study)):
        FILES = f"{RESULTS}/{study}/accuracy/{{dataset}}"

        rule:
            name:
                f"accuracy_{study}_{number}"
            input:
                manifests=manifests(study, MEMBERS),
                plan=f"{RESULTS}/{study}/resamples/{{dataset}}.npz",
                plan_manifest=f"{RESULTS}/{study}/resamples/{{dataset}}.sha256",
                table=table_for(study, STUDIES[study]["accuracy"]["features"] == "bins"),
                code=code("accuracy.py"),
            output:
                curves=[f"{FILES}/{member}.tsv" for member in MEMBERS],
                manifests=[f"{FILES}/{member}.sha256" for member in MEMBERS],
            log:
                f"{RESULTS}/logs/{study}/accuracy/{{dataset}}/{NAME}.log",
            benchmark:
                f"{RESULTS}/benchmarks/{study}/accuracy/{{dataset}}/{NAME}.tsv"
            wildcard_constraints:
                selector=environment.one_of(OWN_SELECTORS),
            group:
                "measure"
            conda:
                ENVIRONMENT
            params:
                classifiers=classifier_settings(study),
                sizes=sizes_option(study),
                runs=runs_option(study, MEMBERS),
                ties=ties_option(study),
                seed=seed_option(study),
                code=code_hash("accuracy.py"),
                folder=FILES,
            message:
                f"{study}: accuracy of {in_message(NAME)} on {{wildcards.dataset}}"
            shell:
                "python {input.code[0]:q} {input.manifests:q}"
                " --plan {input.plan:q} --table {input.table:q} --classifiers {params.classifiers:q}"
                " {params.sizes} {params.runs} {params.ties} {params.seed} --out {params.folder:q} 2> {log:q}"
