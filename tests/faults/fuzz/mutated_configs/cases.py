"""Mutated configurations, loaded and planned as the workflow does, and judged."""

import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from inspect import signature
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from shown import ROOT

from fuzz.mutated_configs import mutations
from fuzz.mutated_configs.mutations import MUTATIONS, Mutated
from fuzz.verdict import Verdict, judge_error
from steadfast.core.config import read_yaml
from steadfast.study.declaration import Study
from steadfast.study.plan import Plan
from steadfast.study.run import Run, load_run, over_default

#: Keys of config/advise.yaml in whose place those of the table come.
REPLACED = [("title",), ("datasets",)]

TABLE = {"data": str(ROOT / "docs/examples/patients.csv"), "target": "diagnosis"}
#: Methods of the plan that only some studies have a job for.
_EXPERIMENTS = {"surface_settings", "variation_bootstraps"}
_SUGGESTS = re.compile(r"line \d+|position \d+|mapping|UTF-8|character|contains itself")


class Case(NamedTuple):
    """A mutation, the how-manieth of it, and the seed."""

    mutation: str
    number: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.mutation}-{self.number}"

    @property
    def kind(self) -> str:
        return "config: a value" if self.mutation in mutations.VALUES else "config: the text"


def cases(count: int, seed: int) -> list[Case]:
    """So many cases, each mutation in its turn."""
    n = len(MUTATIONS)
    return [Case(MUTATIONS[i % n], i // n, seed) for i in range(count)]


def make(case: Case) -> Mutated:
    """The file of a case."""
    return mutations.mutate(case.mutation, Random(f"{case.seed}/{case.name}"))


def judge(case: Case) -> Verdict:
    """Load the configuration of a case and make its plan."""
    return judge_mutated(make(case))


def judge_mutated(mutated: Mutated) -> Verdict:
    """Refused with file and key, or accepted, and then with a plan that can be made."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        path = mutations.write(mutated, Path(folder))
        try:
            os.chdir(folder if mutated.role == "advise" else ROOT)
            run = load(mutated.role, path, Path(folder, "results"))
            for _ in jobs(Plan(run, os.path.relpath(ROOT / "scripts"))):
                pass
        except Exception as error:
            return _judge_error(error, mutated)
        finally:
            os.chdir(before)
        if Path(folder, "odd_file").exists() or Path(ROOT, "odd_file").exists():
            return Verdict("wrong silently", "code in the file was run")
    replaced = mutated.role == "advise" and mutated.place[:1] in REPLACED
    if repr(mutated.token)[1:-1] not in repr(run) and not replaced:
        return Verdict("wrong silently", f"{mutated.token[:60]!r} was taken, but has no effect")
    return Verdict("read right")


def load(role: str, path: Path, results: Path) -> Run:
    """The run that a file belongs to."""
    settings: dict[str, Any] = {
        "config": lambda: read_yaml(path),
        "catalogue": lambda: {"catalogue": str(path), "studies": ["gulgezen2009"]},
        "advise": lambda: TABLE,
        "study": lambda: {"studies": [str(path)]},
    }[role]()
    if role != "config":
        settings = {**settings, "results": str(results)}
    return load_run(over_default(settings, ROOT), ROOT)


def _judge_error(error: Exception, mutated: Mutated) -> Verdict:
    """The line must name the file, or what was put there, and the key if one was changed.

    What stands in a config may also come from the command line: there, the key is enough.
    """
    keys = [str(key)[:40] for key in mutated.place if isinstance(key, str)]
    enough = [f"{keys[0]}: "] if keys and mutated.role == "config" else []
    enough += [mutated.token[:40]] if len(mutated.token) > 3 else []
    verdict = judge_error(error, Path(mutated.file).name, *enough)
    named = [key for key in [*keys, mutated.token[:40]] if key and key in verdict.words]
    if verdict.is_fault or named or not keys or _SUGGESTS.search(verdict.words):
        return verdict
    return Verdict("trace", f"a refusal that does not name {'.'.join(keys)}: {verdict.words}")


# Everything that rules ask of the plan


def jobs(plan: Plan) -> Iterator[object]:
    """What every rule asks of the plan, for every study, data set and selector."""
    yield plan.targets()
    yield plan.lost_files()
    for study in plan.studies.values():
        for name in _asked():
            method = getattr(plan, name)
            wanted = list(signature(method).parameters)
            for values in product(*(_values(plan, study, name, one) for one in wanted)):
                names = dict(zip(wanted, values, strict=True))
                if _is_job(study, name, names):
                    yield method(**names)
        for sort in ("table", "figure"):
            for output in getattr(study, f"{sort}s"):
                yield plan.output_files(sort, study.name, output)
                yield plan.output_context(sort, study.name, output)
                yield plan.output_modules(sort, study.name, output)


@cache
def _asked() -> list[str]:
    """Methods of the plan that rules ask."""
    texts = [path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk"))]
    found = re.findall(r"\bask\(PLAN\.(\w+)\)", "".join(texts))
    return sorted({*found} - _EXPERIMENTS)


def _values(plan: Plan, study: Study, method: str, wildcard: str) -> list[str]:
    """What a wildcard may be in a study."""
    if method.startswith("precision"):
        return [study.name] if study.precision else []
    if method.startswith("recovery"):
        known = {"scenario": list(study.scenarios), "selector": (study.recovery or {})}
        if wildcard == "selector":
            return list((study.recovery or {}).get("selectors", []))
        return known.get(wildcard, [study.name])
    return {
        "study": [study.name],
        "dataset": list(study.datasets),
        "selector": list(study.selectors),
        "transform": [name for name, one in study.transforms.items() if one.before_folds],
        "batch": ["0"],
        "paper": plan.reported_papers(),
    }[wildcard]


def _is_job(study: Study, method: str, names: dict[str, str]) -> bool:
    if method == "rankings" and names["selector"] not in study.rule_selectors:
        return False
    if method.startswith("alpha_") and not study.alpha:
        return False
    if {"dataset", "selector"} <= names.keys():
        return study.is_run(names["dataset"], names["selector"])
    return True
