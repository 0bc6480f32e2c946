"""The page of a study: what its selectors show on each data set, and the advice that follows.

Inputs    results/{study}/selections/, results/{study}/accuracy/, results/{study}/resamples/,
          results/data/{dataset}.npz, .json
Outputs   results/{study}/probes/{dataset}/{selector}.tsv (features ahead of shuffled copies)
          results/{study}/evidence/{dataset}.json
          results/{study}/page.html
"""


rule probes:
    input:
        table=f"{RESULTS}/data/{{dataset}}.npz",
        table_manifest=f"{RESULTS}/data/{{dataset}}.sha256",
        plan=f"{RESULTS}/{{study}}/resamples/{{dataset}}.npz",
        plan_manifest=f"{RESULTS}/{{study}}/resamples/{{dataset}}.sha256",
        code=lambda wildcards: code(*probes_code(wildcards)),
    output:
        ahead=f"{RESULTS}/{{study}}/probes/{{dataset}}/{{selector}}.tsv",
        manifest=f"{RESULTS}/{{study}}/probes/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/probes/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/probes/{{dataset}}/{{selector}}.tsv"
    group:
        "select"
    conda:
        ENVIRONMENT
    params:
        selector=lambda wildcards: selector_settings(selector_of(wildcards)),
        bins_option=probes_bins_option,
        ratio=lambda wildcards: page_ratio(study_of(wildcards)),
        seed=CONFIG["seed"],
        code=lambda wildcards: code_hash(*probes_code(wildcards)),
    message:
        "{wildcards.dataset}: {wildcards.selector} with shuffled copies of the features"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.plan:q} --ratio {params.ratio}"
        " --selector {params.selector:q} {params.bins_option} --seed {params.seed}"
        " --out {output.ahead:q} 2> {log:q}"


rule evidence:
    input:
        unpack(evidence_inputs),
        code=code("evidence.py"),
    output:
        evidence=f"{RESULTS}/{{study}}/evidence/{{dataset}}.json",
        manifest=f"{RESULTS}/{{study}}/evidence/{{dataset}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/evidence/{{dataset}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/evidence/{{dataset}}.tsv"
    group:
        "print"
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(evidence_context(wildcards)),
        code=code_hash("evidence.py"),
        folder=f"{RESULTS}/{{study}}",
        data=f"{RESULTS}/data",
    message:
        "{wildcards.study}: what the selectors show on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {params.folder:q} --data {params.data:q}"
        " --dataset {wildcards.dataset} --context {params.context:q}"
        " --out {output.evidence:q} 2> {log:q}"


rule page:
    input:
        evidence=page_evidence,
        manifests=page_evidence_manifests,
        parts=page_parts(),
        code=code("page.py"),
    output:
        page=report(
            f"{RESULTS}/{{study}}/page.html",
            category="{study}",
            subcategory="Page",
            labels={"table": "page", "form": "which features to trust"},
            caption="../report/page.rst",
        ),
        manifest=f"{RESULTS}/{{study}}/page.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/page.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/page.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(page_settings(wildcards)),
        code=code_hash("page.py"),
        parts=content_hash(map(Path, page_parts())),
    message:
        "{wildcards.study}: the page"
    shell:
        "python {input.code[0]:q} {input.evidence:q} --context {params.context:q}"
        " --out {output.page:q} 2> {log:q}"


rule advise:
    input:
        pages(),
    message:
        "The page is there: {input}"
