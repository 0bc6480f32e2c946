# Plain `snakemake` finds this file; the workflow itself is in workflow/Snakefile.
include: "workflow/Snakefile"


# An included file cannot set the default target, so it is named again here.
rule default:
    default_target: True
    input:
        rules.all.input,
    message:
        f"Every table and figure is there; start with {PATHS('index')}"
