"""The page of a study: one HTML file with all it needs, for a reader who has nothing else.

Style and script are allowed by their digests and nothing else is: the page asks for no file and
runs nothing that a name in the data may hold.
"""

import json
import platform
import re
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from string import Template
from typing import Any

from steadfast import __version__
from steadfast.advice.words.facts import listed
from steadfast.advice.words.next_command import groups_command
from steadfast.core.errors import UserError
from steadfast.page import text
from steadfast.page.data import (
    asks_for_trust,
    random_accuracy,
    recommended_point,
    score_labels,
    score_of,
    selector_of,
)
from steadfast.page.payload import page_payload
from steadfast.page.sections import (
    RANDOM,
    dataset_section,
    definitions,
    is_partly_stable,
    random_cell,
    score_text,
    verdict,
    warnings_box,
)
from steadfast.page.skeleton import PARTS, html_file
from steadfast.page.statistics import statistics_section
from steadfast.page.text import Markup, name, tag

#: Styles and scripts, in the order in which they are put together.
STYLES = ("page.css", "tables.css", "controls.css", "charts.css", "print.css")
SCRIPTS = ("svg.js", "plane.js", "curves.js", "reasons.js", "features.js", "page.js")

#: Data sets that a shared warning names; of more, their number.
MOST_TITLES = 5

#: Packages whose versions the page names.
PACKAGES = ("numpy", "scikit-learn", "snakemake")


_NOTICE = (
    "The charts of this page, and the choice of another selector or size, need JavaScript. "
    "All results are in the text and tables."
)
#: The end of the body.
_SCRIPTS = Template(
    f"""
<noscript><p class="noscript">{_NOTICE}</p></noscript>
<div id="tip" role="tooltip" hidden></div>
<script type="application/json" id="evidence">$data</script>
<script>$script</script>"""
)


def study_page(evidences: Sequence[Mapping[str, Any]], context: Mapping[str, Any]) -> bytes:
    """The page from the evidence of each data set and the study's context."""
    for field in ("study", "title", "seed"):
        if field not in context:
            raise UserError(f"--context: {field}: is missing; give the study's {field}")
    style = "\n".join(_part(file) for file in STYLES)
    script = "(() => {\n'use strict';\n" + "\n".join(_part(file) for file in SCRIPTS) + "})();\n"
    data = to_script_json([page_payload(evidence) for evidence in evidences])
    body = f"{_body(evidences, context)}{_SCRIPTS.substitute(data=data, script=script)}"
    return html_file(context["title"], body, style=style, script=script)


def _part(file: str) -> str:
    return (PARTS / file).read_text(encoding="utf-8")


def to_script_json(value: Any) -> str:
    """JSON that can stand in a script element: nothing in it ends the element or a line."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Versions of what made the page, without importing any of it."""
    found = {"steadfast": __version__, "Python": platform.python_version()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _body(evidences: Sequence[Mapping[str, Any]], context: Mapping[str, Any]) -> Markup:
    several = len(evidences) > 1
    paper = context.get("paper")
    header = tag(
        "header",
        tag("p", "steadfast · how far can a feature selection be trusted?", class_="made-by"),
        tag("h1", context["title"]),
        tag("p", "Based on ", paper, class_="paper") if paper else None,
    )
    shared = _shared_warnings(evidences)
    sections = [
        dataset_section(_with_next(evidence, context, several), number, several, shared)
        for number, evidence in enumerate(evidences, start=1)
    ]
    overview = _overview(evidences, list(shared.values())) if several else None
    tested = statistics_section(context.get("statistics") or [])
    return text.join(
        [header, tag("main", overview, tested, *sections, _method(evidences, context))]
    )


def _with_next(
    evidence: Mapping[str, Any], context: Mapping[str, Any], several: bool = False
) -> dict[str, Any]:
    """The evidence with the command to run next, where a column looks like an id of groups.

    It is the one that the command prints, of one table where a folder was given.
    """
    proposed, typed = evidence["dataset"].get("proposed_groups"), context.get("typed")
    if not proposed or not typed:
        return {**evidence}
    if several:
        typed = {**typed, "data": str(Path(typed["data"], evidence["dataset"]["title"]))}
    column = proposed[0]["column"]
    return {**evidence, "next_command": (column, groups_command(typed, column))}


def _shared_warnings(evidences: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Warnings that stand on several data sets, each once with their names, by kind."""
    found: dict[str, list[tuple[str, str]]] = {}
    for evidence in evidences:
        for one in evidence["advice"]["warnings"]:
            found.setdefault(one["kind"], []).append((evidence["dataset"]["title"], one["text"]))
    return {
        kind: f"On {listed([title for title, _ in where], MOST_TITLES)} (example: {where[0][0]}): "
        f"{where[0][1]}"
        for kind, where in found.items()
        if len(where) > 1 and len({_without_numbers(text) for _, text in where}) == 1
    }


def _without_numbers(text: str) -> str:
    """A warning without its numbers: those that differ in nothing else are printed once."""
    return re.sub(r"[\d.,]+", "#", text)


def _overview(evidences: Sequence[Mapping[str, Any]], shared: Sequence[str]) -> Markup | None:
    """One row per data set, with links to its section, and the warnings that several share."""
    judged = [evidence for evidence in evidences if not evidence.get("of_methods")]
    if not judged:
        return None
    asked = any(asks_for_trust(evidence["advice"]) for evidence in judged)
    random = any(random_accuracy(evidence, 1) is not None for evidence in judged)
    header = ["Data set", "Verdict", "Selector", "Features", "Stability", score_labels(evidences)]
    header += [*([RANDOM] if random else []), *(["Features to trust"] if asked else [])]
    rows = [
        _overview_row(evidence, number, random, asked) for number, evidence in enumerate(judged, 1)
    ]
    return tag(
        "section",
        tag("h2", "The data sets"),
        tag("p", _counted_verdicts(judged, asked), class_="lead"),
        text.table(header, rows, range(3, len(header)), class_="overview stack"),
        warnings_box(shared),
        id="overview",
    )


def _counted_verdicts(judged: Sequence[Mapping[str, Any]], asked: bool) -> str:
    """How many data sets have each verdict, in a sentence."""
    kinds = [
        "partly" if is_partly_stable(evidence) else evidence["advice"]["verdict"]
        for evidence in judged
    ]
    words = {
        "trust": "can be trusted" if asked else "is stable and accurate",
        "partly": "is accurate and partly stable",
        "caution": "should be used with caution",
        "nothing": "cannot be trusted",
        "unjudged": "is not judged, for the reason given below",
    }
    counted = [f"{words[kind]} on {kinds.count(kind)}" for kind in words if kind in kinds]
    if len(counted) == 1:
        return f"On all {len(judged)} data sets, the selection {words[kinds[0]]}."
    return f"Of {len(judged)} data sets, the selection {', '.join(counted[:-1])} and {counted[-1]}."


def _overview_row(
    evidence: Mapping[str, Any], number: int, random: bool, asked: bool
) -> list[object]:
    advice, found = evidence["advice"], recommended_point(evidence)
    selector = selector_of(evidence, advice["selector"])
    trusted = sum(bool(entry.get("trusted")) for entry in advice["consensus"])
    return [
        tag("a", name(evidence["dataset"]["title"]), href=f"#dataset-{number}"),
        verdict(evidence),
        name(selector["label"]) if selector else text.NONE,
        text.size(found and found.size),
        text.with_interval(found and found.stability, text.stability),
        text.with_interval(found and found.accuracy, score_text(score_of(evidence))),
        *([random_cell(evidence, selector, found)] if random else []),
        *([str(trusted) if asks_for_trust(advice) else text.NONE] if asked else []),
    ]


def _method(evidences: Sequence[Mapping[str, Any]], context: Mapping[str, Any]) -> Markup:
    """How it was done, so that somebody else can do it again."""
    made_with = ", ".join(f"{package} {version}" for package, version in versions().items())
    papers = [context["paper"]] if context.get("paper") else []
    data = [e["dataset"]["citation"] for e in evidences if e["dataset"].get("citation")]
    cited = [f"steadfast {__version__} (its CITATION.cff)", *papers, *dict.fromkeys(data)]
    facts = [
        ("Study", context["study"]),
        ("Seed", str(context["seed"])),
        ("Command", tag("code", context["command"]) if context.get("command") else None),
        ("Made with", made_with),
        ("To cite", tag("ul", *(tag("li", entry) for entry in cited))),
    ]
    return tag(
        "section",
        tag("h2", "How it was done"),
        *(tag("p", paragraph) for paragraph in context.get("method") or []),
        definitions(facts),
        id="method",
    )
