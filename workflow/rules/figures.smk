"""Figures.

Inputs    what the kind of the figure reads (scripts/steadfast/outputs/figures/)
Outputs   results/{study}/figures/{figure}.svg, .png
"""


rule figure:
    input:
        files=output(PLAN.output_files, "figure"),
        code=code("figure.py", output(PLAN.output_modules, "figure")),
    output:
        svg=report(
            PATHS("figure"),
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
            caption="../report/figure.rst",
        ),
        png=PATHS("figure", "png"),
        manifest=PATHS("figure", "sha256"),
    log:
        PATHS.log("{study}", "figures", "{figure}"),
    group:
        "print"
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("figure"),
    params:
        context=output(PLAN.output_context, "figure"),
        code=digest("figure.py", output(PLAN.output_modules, "figure")),
        results=results_folder,
    message:
        "{wildcards.study}: {wildcards.figure}"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " --out {output.svg:q} 2> {log:q}"
