"""The commands of `scripts/` one after another inside this process, as the workflow calls them."""

import json
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from steadfast.accuracy.classifiers import without_labels
from steadfast.core.paths import Paths

SCRIPTS = Path(__file__).parents[2] / "scripts"


def run(command: str, *arguments: Any) -> None:
    """Run a command with these arguments; what is no text or path is passed as JSON."""
    texts = [one if isinstance(one, str) else _text(one) for one in arguments]
    main = runpy.run_path(str(SCRIPTS / f"{command}.py"), run_name=command)["main"]
    with mock.patch.object(sys, "argv", [command, *texts]):
        main()


def _text(argument: Any) -> str:
    return str(argument) if isinstance(argument, Path) else json.dumps(argument)


def evidence_by_commands(
    folder: Path,
    study: str,
    dataset: str,
    resample: Mapping[str, Any],
    selectors: Mapping[str, Mapping[str, Any]],
    classifiers: Mapping[str, Mapping[str, Any]],
    *,
    seed: int,
    largest: int,
    bins: Mapping[str, Any],
    told: str,
    scoring: Sequence[str],
) -> dict[str, Any]:
    """The evidence on a data set that lies in a folder of results, and the page beside it.

    `selectors` have `use`, `params`, `label`, `discrete` and whether they are the `baseline`.
    """
    paths = Paths(str(folder)).within(study=study, dataset=dataset)
    data, plan = Path(paths("data")), Path(paths("folds"))
    sizes = [str(k) for k in range(1, largest + 1)]
    ties = ("--ties", "random", "--seed", str(seed))
    settings = without_labels(classifiers)
    measures = [{"measure": name, "compare": "all_pairs"} for name in ("nogueira", "jaccard")]
    run(
        "resample",
        data,
        "--study",
        study,
        "--seed",
        str(seed),
        "--settings",
        resample,
        "--out",
        plan,
    )
    names = _fold_names(plan)
    for name, about in selectors.items():
        used = {"use": about["use"], "params": about["params"]}
        own = ("--discretise", bins) if about["discrete"] else ()
        batch = Path(paths("batch", selector=name, batch=0))
        common = (data, "--plan", plan, "--selector", used, "--seed", str(seed), *own)
        run("select_features", *common, "--folds", *names, "--manifest", batch)
        read = (batch, "--plan", plan, "--table", data, "--sizes", *sizes, *ties)
        out = Path(paths("stability", selector=name))
        run("stability", *read, "--measures", measures, "--out", out)
        out = Path(paths("accuracy", selector=name))
        run("accuracy", *read, "--classifiers", settings, "--scoring", *scoring, "--out", out)
        if not about["baseline"]:
            out = Path(paths("probes", selector=name))
            run("probes", *common, "--ratio", "1.0", "--out", out)
    context = {
        "study": study,
        "dataset": dataset,
        "selectors": {
            name: {
                "label": about["label"],
                "baseline": about["baseline"],
                "note": "",
                "probes": not about["baseline"],
                "batches": 1,
            }
            for name, about in selectors.items()
        },
        "classifiers": {name: entry["label"] for name, entry in classifiers.items()},
        "measures": measures,
        "all_sizes": True,
        "ratio": 1.0,
        "runs": told,
        "ties": "random",
        "seed": seed,
        "largest": largest,
        "margin": 0.02,
        "trust": True,
        "independent": True,
        "scoring": list(scoring),
    }
    run("trust", data, "--seed", str(seed), "--out", Path(paths("trust")))
    out = Path(paths("evidence"))
    run("evidence", "--context", context, "--results", folder, "--out", out)
    return json.loads(out.read_text())


def _fold_names(plan: Path) -> Sequence[str]:
    lines = plan.with_suffix(".tsv").read_text().splitlines()
    return [line.split("\t")[0] for line in lines[1:]]
