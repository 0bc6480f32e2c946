"""Tables, the curves as one table, the published numbers beside ours, and the summary.

Inputs    what the kind of the table reads (scripts/steadfast/outputs/tables/),
          results/{study}/stability/, accuracy/, chance/, resamples/,
          config/published/{study}.csv
Outputs   results/{study}/tables/{table}.csv, .md
          results/{study}/curves.parquet, units.parquet
          results/{study}/published.csv
          results/{study}/summary.md, claims.json
          results/benchmarks/{study}/times.csv, .md
"""


rule table:
    input:
        files=output(PLAN.output_files, "table"),
        code=code("table.py", output(PLAN.output_modules, "table")),
    output:
        csv=report(
            PATHS("table"),
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}", "form": "all digits"},
            caption="../report/table.rst",
        ),
        markdown=PATHS("table", "md"),
        manifest=PATHS("table", "sha256"),
    log:
        PATHS.log("{study}", "tables", "{table}"),
    group:
        "print"
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("table"),
    params:
        context=output(PLAN.output_context, "table"),
        code=digest("table.py", output(PLAN.output_modules, "table")),
        results=results_folder,
    message:
        "{wildcards.study}: {wildcards.table}"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " --out {output.csv:q} 2> {log:q}"


rule curves:
    input:
        files=ask(PLAN.curve_inputs),
        code=code("curves.py"),
    output:
        curves=PATHS("curves"),
        units=PATHS("units"),
        manifest=PATHS("curves", "sha256"),
    log:
        PATHS.log("{study}", "curves"),
    group:
        "print"
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("curves"),
    params:
        context=ask(PLAN.curve_context),
        code=digest("curves.py"),
        results=results_folder,
    message:
        "{wildcards.study}: all curves in one file"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " --out {output.curves:q} --units {output.units:q} 2> {log:q}"


rule published:
    input:
        numbers=ask(PLAN.published_numbers),
        tables=ask(PLAN.published_tables),
        mean_tables=ask(PLAN.mean_tables),
        manifests=ask(PLAN.published_vouchers),
        code=code("published.py"),
    output:
        csv=report(
            PATHS("published"),
            category="{study}",
            subcategory="Published beside ours",
            labels={"table": "published beside ours", "form": "all digits"},
            caption="../report/published.rst",
        ),
        manifest=PATHS("published", "sha256"),
    log:
        PATHS.log("{study}", "published"),
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("published"),
    params:
        stand_ins=ask(PLAN.stand_ins),
        readings=ask(PLAN.readings),
        means=ask(PLAN.means),
        code=digest("published.py"),
    message:
        "{wildcards.study}: published numbers beside ours"
    shell:
        "python {input.code[0]:q} {input.numbers:q} --tables {input.tables:q}"
        " --mean-tables {input.mean_tables:q} --means {params.means:q}"
        " --stand-ins {params.stand_ins:q} --readings {params.readings:q} --out {output.csv:q} 2> {log:q}"


rule summary:
    input:
        files=ask(PLAN.summary_files),
        published=ask(PLAN.published_pairs),
        code=code("summary.py", ask(PLAN.summary_modules)),
    output:
        page=report(
            PATHS("summary"),
            category="{study}",
            subcategory="Published beside ours",
            labels={"table": "summary", "form": "text"},
            caption="../report/summary.rst",
        ),
        claims=PATHS("claims"),
        manifest=PATHS("summary", "sha256"),
    log:
        PATHS.log("{study}", "summary"),
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("summary"),
    params:
        context=ask(PLAN.summary_context),
        published=ask(PLAN.published_option),
        code=digest("summary.py", ask(PLAN.summary_modules)),
        results=results_folder,
    message:
        "{wildcards.study}: summary"
    shell:
        "python {input.code[0]:q} --results {params.results:q} {params.published}"
        " --context {params.context:q} --out {output.page:q} --claims {output.claims:q} 2> {log:q}"


rule times:
    input:
        files=ask(PLAN.times_files),
        code=code("times.py"),
    output:
        csv=PATHS("times"),
        markdown=PATHS("times", "md"),
        manifest=PATHS("times", "sha256"),
    log:
        PATHS.log("{study}", "times"),
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("times"),
    params:
        context=ask(PLAN.times_context),
        code=digest("times.py"),
        results=results_folder,
    message:
        "{wildcards.study}: time of the selections"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " --out {output.csv:q} 2> {log:q}"
