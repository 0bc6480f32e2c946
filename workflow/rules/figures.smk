"""Figures, and the variation of the selection criterion that two of them show.

Inputs    results/{study}/stability/, results/{study}/accuracy/, results/{study}/discrete/
Outputs   results/{study}/criterion/{dataset}/{selector}.tsv
          results/{study}/figures/{figure}.svg, .png
"""


rule criterion:
    input:
        bins=f"{RESULTS}/{{study}}/discrete/{{dataset}}.npz",
        bins_manifest=f"{RESULTS}/{{study}}/discrete/{{dataset}}.sha256",
        code=code("criterion.py"),
    output:
        table=f"{RESULTS}/{{study}}/criterion/{{dataset}}/{{selector}}.tsv",
        manifest=f"{RESULTS}/{{study}}/criterion/{{dataset}}/{{selector}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/criterion/{{dataset}}/{{selector}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/criterion/{{dataset}}/{{selector}}.tsv"
    conda:
        ENVIRONMENT
    params:
        selector=lambda wildcards: selector_settings(
            study_of(wildcards)["selectors"][wildcards.selector]
        ),
        bootstraps=criterion_bootstraps,
        seed=CONFIG["seed"],
        code=code_hash("criterion.py"),
    message:
        "{wildcards.study}: variation of {wildcards.selector}'s criterion on {wildcards.dataset}"
    shell:
        "python {input.code[0]:q} {input.bins:q} --selector {params.selector:q}"
        " --bootstraps {params.bootstraps} --study {wildcards.study} --seed {params.seed}"
        " --out {output.table:q} 2> {log:q}"


rule figure:
    input:
        curves=figure_inputs,
        code=lambda wildcards: code(*figure_code(wildcards)),
    output:
        svg=report(
            f"{RESULTS}/{{study}}/figures/{{figure}}.svg",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
            caption="../report/figure.rst",
        ),
        png=f"{RESULTS}/{{study}}/figures/{{figure}}.png",
        manifest=f"{RESULTS}/{{study}}/figures/{{figure}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/figures/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/figures/{{figure}}.tsv"
    group:
        "print"
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(figure_context(wildcards)),
        code=lambda wildcards: code_hash(*figure_code(wildcards)),
        folder=f"{RESULTS}/{{study}}",
        data=f"{RESULTS}/data",
    message:
        "{wildcards.study}: {wildcards.figure}"
    shell:
        "python {input.code[0]:q} {params.folder:q} --data {params.data:q} --context {params.context:q}"
        " --out {output.svg:q} 2> {log:q}"
