"""The rankings of a selector that is a rule, from folds that are there already.

A workflow of its own, which `make check-selector` runs in a temporary folder.

Inputs    {results}/{study}/folds/{dataset}/{fold}.csv
Outputs   {results}/{study}/rankings/{dataset}/{selector}/{fold}.tsv (by the rules that are checked)
"""

import sys
from pathlib import Path

sys.path.insert(
    0, str(Path(workflow.current_basedir.get_path_or_uri(secret_free=True), "../scripts"))
)

from steadfast.core.environment import one_of
from steadfast.study.selectors import without_rule

ASKED = config["check_selector"]


wildcard_constraints:
    results="results|again",
    study=one_of([ASKED["study"]]),
    dataset=r"[^/]+",
    selector=one_of([ASKED["selector"]]),
    fold=r"[^/]+",


rule rankings:
    default_target: True
    input:
        ASKED["rankings"],
    message:
        "Every fold is ranked"


for path in ASKED["rules"]:

    include: path


for path in ASKED["rankings"]:
    if not any(found.is_producer(path) for found in workflow.rules):
        sys.exit(without_rule(f"study {ASKED['study']}", ASKED["selector"], path, ASKED["rules"]))
