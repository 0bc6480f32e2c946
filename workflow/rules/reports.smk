"""The page of the whole run.

Inputs    results/{study}/claims.json, results/{study}/published.csv, results/data/{dataset}.json,
          the checksums of everything that it links to
Outputs   results/index.html
"""

from steadfast.reports.document import part_files

REPORT_PARTS = [os.path.relpath(path) for path in part_files()]


rule index:
    input:
        files=ask(PLAN.index_files),
        parts=REPORT_PARTS,
        code=code("index.py"),
    output:
        page=PATHS("index"),
        manifest=PATHS("index", "sha256"),
    log:
        PATHS.log("index"),
    benchmark:
        PATHS.benchmark("index")
    localrule: True
    conda:
        ENVIRONMENT
    params:
        context=ask(PLAN.index_context),
        code=digest("index.py"),
        parts=content_hash(map(Path, REPORT_PARTS)),
        results=results_folder,
    message:
        "Every study with its claims and verdicts on one page"
    shell:
        "python {input.code[0]:q} --results {params.results:q} --context {params.context:q}"
        " --out {output.page:q} 2> {log:q}"
