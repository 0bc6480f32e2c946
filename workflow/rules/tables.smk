"""Tables, the published numbers beside ours, and the summary.

Inputs    results/{study}/stability/, results/{study}/accuracy/, config/published/{study}.csv
Outputs   results/{study}/tables/{table}.csv, .md
          results/{study}/published.csv
          results/{study}/summary.md
          results/benchmarks/{study}/times.csv, .md
"""


rule table:
    input:
        unpack(table_inputs),
        code=code("table.py"),
    output:
        csv=report(
            f"{RESULTS}/{{study}}/tables/{{table}}.csv",
            category="{study}",
            subcategory="Tables",
            labels={"table": "{table}", "form": "all digits"},
            caption="../report/table.rst",
        ),
        markdown=f"{RESULTS}/{{study}}/tables/{{table}}.md",
        manifest=f"{RESULTS}/{{study}}/tables/{{table}}.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/tables/{{table}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/tables/{{table}}.tsv"
    group:
        "print"
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(table_context(wildcards)),
        code=code_hash("table.py"),
        folder=f"{RESULTS}/{{study}}",
        data=f"{RESULTS}/data",
    message:
        "{wildcards.study}: {wildcards.table}"
    shell:
        "python {input.code[0]:q} {params.folder:q} --data {params.data:q}"
        " --context {params.context:q} --out {output.csv:q} 2> {log:q}"


rule published:
    input:
        numbers=published_numbers,
        tables=rank_tables,
        mean_tables=mean_tables,
        code=code("published.py"),
    output:
        csv=report(
            f"{RESULTS}/{{study}}/published.csv",
            category="{study}",
            subcategory="Published beside ours",
            labels={"table": "published beside ours", "form": "all digits"},
            caption="../report/published.rst",
        ),
        manifest=f"{RESULTS}/{{study}}/published.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/published.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/published.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        stand_ins=lambda wildcards: as_json(study_of(wildcards)["stand_ins"]),
        means=lambda wildcards: in_order(study_of(wildcards)["published_means"]),
        code=code_hash("published.py"),
    message:
        "{wildcards.study}: published numbers beside ours"
    shell:
        "python {input.code[0]:q} {input.numbers:q} --tables {input.tables:q}"
        " --mean-tables {input.mean_tables:q} --means {params.means:q}"
        " --stand-ins {params.stand_ins:q} --out {output.csv:q} 2> {log:q}"


rule summary:
    input:
        unpack(summary_inputs),
        code=code("summary.py"),
    output:
        page=report(
            f"{RESULTS}/{{study}}/summary.md",
            category="{study}",
            subcategory="Published beside ours",
            labels={"table": "summary", "form": "text"},
            caption="../report/summary.rst",
        ),
        manifest=f"{RESULTS}/{{study}}/summary.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/summary.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/summary.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(summary_context(wildcards)),
        published=published_option,
        code=code_hash("summary.py"),
        folder=f"{RESULTS}/{{study}}",
        data=f"{RESULTS}/data",
    message:
        "{wildcards.study}: summary"
    shell:
        "python {input.code[0]:q} {params.folder:q} --data {params.data:q} {params.published}"
        " --context {params.context:q} --out {output.page:q} 2> {log:q}"


rule times:
    input:
        times_inputs,
        code=code("times.py"),
    output:
        csv=f"{RESULTS}/benchmarks/{{study}}/times.csv",
        markdown=f"{RESULTS}/benchmarks/{{study}}/times.md",
        manifest=f"{RESULTS}/benchmarks/{{study}}/times.sha256",
    log:
        f"{RESULTS}/logs/{{study}}/times.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{study}}/times.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    params:
        context=lambda wildcards: in_order(times_context(wildcards)),
        code=code_hash("times.py"),
        logs=f"{RESULTS}/logs/{{study}}",
        data=f"{RESULTS}/data",
    message:
        "{wildcards.study}: time of the selections"
    shell:
        "python {input.code[0]:q} {params.logs:q} --data {params.data:q}"
        " --context {params.context:q} --out {output.csv:q} 2> {log:q}"
