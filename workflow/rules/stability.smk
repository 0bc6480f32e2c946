"""Stability of each selector on each data set, for every subset size.

Inputs    results/{study}/selections/{dataset}/{selector}/{fold}.tsv,
          results/{study}/resamples/{dataset}.npz, results/{study}/discrete/{dataset}.npz
Outputs   results/{study}/stability/{dataset}/{selector}.tsv
"""


rule stability:
    input:
        manifests=manifests,
        plan=f"{RESULTS}/{{study}}/resamples/{{dataset}}.npz",
        plan_manifest=f"{RESULTS}/{{study}}/resamples/{{dataset}}.sha256",
        bins=f"{RESULTS}/{{study}}/discrete/{{dataset}}.npz",
        bins_manifest=f"{RESULTS}/{{study}}/discrete/{{dataset}}.sha256",
        code=lambda wildcards: code(*stability_code(wildcards)),
    output:
        curves=f"{RESULTS}/{{study}}/stability/{{dataset}}/{{selector}}.tsv",
        manifest=f"{RESULTS}/{{study}}/stability/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/stability/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/stability/{{dataset}}/{{selector}}.tsv"
    conda:
        ENVIRONMENT
    params:
        measures=lambda wildcards: " ".join(study_of(wildcards)["stability"]["measures"]),
        sizes=sizes_option,
        code=lambda wildcards: code_hash(*stability_code(wildcards)),
    message:
        "{wildcards.study}: stability of {wildcards.selector} on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.manifests:q}"
        " --plan {input.plan:q} --bins {input.bins:q} --measures {params.measures} {params.sizes}"
        " --out {output.curves:q} 2> {log:q}"
