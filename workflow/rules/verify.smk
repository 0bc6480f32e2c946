"""A target that checks every result against the checksum written with it.

Inputs    results/**/*.sha256, results/logs/manifests.sha256
Outputs   none; `snakemake --cores 1 verify` prints how many files are as they were written
"""


rule verify:
    input:
        code=code("verify.py"),
    log:
        PATHS.log("verify"),
    localrule: True
    conda:
        COMPUTE_ENVIRONMENT
    resources:
        mem_mb=memory("verify"),
    params:
        results=results_folder,
    message:
        "Checking every file against its checksum"
    shell:
        "python {input.code[0]:q} {params.results:q} 2> {log:q}"
