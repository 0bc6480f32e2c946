"""The page of the whole run, and the replication report of each paper.

Inputs    results/{study}/claims.json, results/{study}/published.csv, results/data/{dataset}.json,
          the checksums of everything that it links to
          docs/replications/{paper}/, config/replications/{paper}.md, docs/reproduce/{paper}.md
Outputs   results/index.html
          results/replications/{paper}.html
"""

from steadfast.reports.document import REPLICATION_STYLE, part_files

REPORT_PARTS = [os.path.relpath(path) for path in part_files()]
REPLICATION_PARTS = [*REPORT_PARTS, os.path.relpath(REPLICATION_STYLE)]


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
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("index"),
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


rule replication:
    input:
        kept=ask(PLAN.kept_files),
        prose=ask(PLAN.replication_prose),
        document=ask(PLAN.paper_document),
        parts=REPLICATION_PARTS,
        code=code("replication.py"),
    output:
        page=report(
            PATHS("replication"),
            category="Replication reports",
            labels={"paper": "{paper}", "form": "report"},
            caption="../report/replication.rst",
        ),
        manifest=PATHS("replication", "sha256"),
    log:
        PATHS.log("replication", "{paper}"),
    wildcard_constraints:
        paper=environment.one_of(PLAN.reported_papers()),
    localrule: True
    conda:
        OUTPUTS_ENVIRONMENT
    resources:
        mem_mb=memory("replication"),
    params:
        folder=ask(PLAN.kept_run),
        code=digest("replication.py"),
        parts=content_hash(map(Path, REPLICATION_PARTS)),
    message:
        "{wildcards.paper}: replication report, from the kept run at full size"
    shell:
        "python {input.code[0]:q} --kept {params.folder:q} --prose {input.prose:q}"
        " --settled {input.document:q} --out {output.page:q} 2> {log:q}"
