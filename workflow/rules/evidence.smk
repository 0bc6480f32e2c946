"""The page of a study: what its selectors show on each data set, and the advice that follows.

Inputs    results/{study}/selections/, results/{study}/stability/, results/{study}/accuracy/,
          results/{study}/resamples/, results/data/{dataset}.npz, .json
Outputs   results/{study}/trust/{dataset}.tsv (the q-value of each feature)
          results/{study}/probes/{dataset}/{selector}.tsv (features ahead of shuffled copies)
          results/{study}/evidence/{dataset}.json
          results/{study}/page.html
"""

PAGE_PARTS = sorted(
    str(path) for path in Path(PLAN.scripts, "steadfast/page/parts").iterdir() if path.is_file()
)


rule trust:
    input:
        table=PATHS("data"),
        table_manifest=PATHS("data", "sha256"),
        code=code("trust.py"),
    output:
        q_values=PATHS("trust"),
        manifest=PATHS("trust", "sha256"),
    log:
        PATHS.log("{study}", "trust", "{dataset}"),
    group:
        "select"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("trust"),
    params:
        rows=once_loaded(PLAN.trust_rows),
        seed=PLAN.seed,
        code=digest("trust.py"),
    message:
        "{wildcards.dataset}: the q-value of each feature"
    shell:
        "python {input.code[0]:q} {input.table:q} {params.rows} --seed {params.seed}"
        " --out {output.q_values:q} 2> {log:q}"


rule probes:
    input:
        table=PATHS("data"),
        table_manifest=PATHS("data", "sha256"),
        folds=PATHS("folds"),
        folds_manifest=PATHS("folds", "sha256"),
        code=code("probes.py", ask(PLAN.selector_modules)),
    output:
        ahead=PATHS("probes"),
        manifest=PATHS("probes", "sha256"),
    log:
        PATHS.log("{study}", "probes", "{dataset}", "{selector}"),
    group:
        "select"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("probes"),
    params:
        selector=ask(PLAN.selector_settings),
        options=ask(PLAN.probes_options),
        rows=once_loaded(PLAN.probes_rows),
        ratio=ask(PLAN.page_ratio),
        seed=PLAN.seed,
        code=digest("probes.py", ask(PLAN.selector_modules)),
    message:
        "{wildcards.dataset}: {wildcards.selector} with shuffled copies of the features"
    shell:
        "python {input.code[0]:q} {input.table:q} --plan {input.folds:q} --ratio {params.ratio}"
        " --selector {params.selector:q} {params.options} {params.rows} --seed {params.seed}"
        " --out {output.ahead:q} 2> {log:q}"


rule evidence:
    input:
        files=ask(PLAN.evidence_files),
        code=code("evidence.py"),
    output:
        evidence=PATHS("evidence"),
        manifest=PATHS("evidence", "sha256"),
    log:
        PATHS.log("{study}", "evidence", "{dataset}"),
    group:
        "print"
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("evidence"),
    params:
        context=ask(PLAN.evidence_context),
        fewer=once_loaded(PLAN.fewer_option),
        code=digest("evidence.py"),
        results=results_folder,
    message:
        "{wildcards.study}: what the selectors show on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " {params.fewer} --out {output.evidence:q} 2> {log:q}"


rule page:
    input:
        evidence=ask(PLAN.page_evidence),
        manifests=ask(PLAN.page_manifests),
        parts=PAGE_PARTS,
        code=code("page.py"),
    output:
        page=report(
            PATHS("page"),
            category="{study}",
            subcategory="Page",
            labels={"table": "page", "form": "every selector on every data set"},
            caption="../report/page.rst",
        ),
        manifest=PATHS("page", "sha256"),
    log:
        PATHS.log("{study}", "page"),
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("page"),
    params:
        context=ask(PLAN.page_context),
        code=digest("page.py"),
        parts=content_hash(map(Path, PAGE_PARTS)),
    message:
        "{wildcards.study}: the page"
    shell:
        "python {input.code[0]:q} {input.evidence:q} --context {params.context:q}"
        " --out {output.page:q} 2> {log:q}"


rule advise:
    input:
        PLAN.pages(),
    message:
        "The page is there: {input}"
