"""Resampling: which rows each fold trains and tests on, the same for all selectors.

Inputs    results/data/{dataset}.npz
Outputs   results/{study}/resamples/{dataset}.npz (row numbers), .tsv (sizes, for people)
"""


rule resample:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        code=code("resample.py"),
    output:
        plan=f"{RESULTS}/{{study}}/resamples/{{dataset}}.npz",
        sizes=f"{RESULTS}/{{study}}/resamples/{{dataset}}.tsv",
        manifest=f"{RESULTS}/{{study}}/resamples/{{dataset}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/resample/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/resample/{{dataset}}.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        settings=lambda wildcards: as_json(study_of(wildcards)["resample"]),
        seed=CONFIG["seed"],
        code=code_hash("resample.py"),
    message:
        "{wildcards.study}: drawing the folds of {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.table:q} --study {wildcards.study} --seed {params.seed}"
        " --settings {params.settings:q} --out {output.plan:q} 2> {log:q}"
