"""Accuracy of classifiers on the subsets of each selector, for every subset size.

Inputs    results/{study}/selections/{dataset}/{selector}/{fold}.tsv,
          results/{study}/resamples/{dataset}.npz, results/data/{dataset}.npz
Outputs   results/{study}/accuracy/{dataset}/{selector}.tsv
"""


rule accuracy:
    input:
        manifests=manifests,
        plan=f"{RESULTS}/{{study}}/resamples/{{dataset}}.npz",
        plan_manifest=f"{RESULTS}/{{study}}/resamples/{{dataset}}.sha256",
        table=classifier_table,
        code=code("accuracy.py"),
    output:
        curves=f"{RESULTS}/{{study}}/accuracy/{{dataset}}/{{selector}}.tsv",
        manifest=f"{RESULTS}/{{study}}/accuracy/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/accuracy/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/accuracy/{{dataset}}/{{selector}}.tsv"
    conda:
        ENVIRONMENT
    params:
        classifiers=classifier_settings,
        sizes=sizes_option,
        runs=runs_option,
        ties=ties_option,
        code=code_hash("accuracy.py"),
    message:
        "{wildcards.study}: accuracy of {wildcards.selector} on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.manifests:q}"
        " --plan {input.plan:q} --table {input.table:q} --classifiers {params.classifiers:q}"
        " {params.sizes} {params.runs} {params.ties} --out {output.curves:q} 2> {log:q}"
