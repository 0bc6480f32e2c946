"""The page of a study: one HTML file with all it needs, for a reader who has nothing else.

Style and script are allowed by their digests and nothing else is: the page asks for no file and
runs nothing that a name in the data may hold.
"""

import json
import platform
import re
from collections.abc import Mapping, Sequence
from importlib import metadata
from string import Template
from typing import Any

from steadfast import __version__
from steadfast.advice.words.next_command import groups_command
from steadfast.core.errors import UserError
from steadfast.page import text
from steadfast.page.data import (
    asks_for_trust,
    page_payload,
    recommended_point,
    score_labels,
    score_of,
    selector_of,
)
from steadfast.page.sections import (
    dataset_section,
    definitions,
    score_text,
    verdict,
    warnings_box,
)
from steadfast.page.skeleton import PARTS, html_file
from steadfast.page.statistics import statistics_section
from steadfast.page.text import Markup, name, tag

#: Styles and scripts, in the order in which they are put together.
STYLES = ("page.css", "tables.css", "controls.css", "charts.css", "print.css")
SCRIPTS = ("svg.js", "plane.js", "curves.js", "features.js", "page.js")

#: Packages whose versions the page names.
PACKAGES = ("numpy", "scikit-learn", "snakemake")


_NOTICE = (
    "The charts of this page, and the choice of another selector or size, need scripts. "
    "All results stand in the text and tables."
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
            raise UserError(f"--context: {field}: is missing; say what the study's {field} is")
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
        tag("p", "After ", paper, class_="paper") if paper else None,
    )
    shared = _shared_warnings(evidences)
    sections = [
        dataset_section(
            evidence if several else _with_next(evidence, context), number, several, shared
        )
        for number, evidence in enumerate(evidences, start=1)
    ]
    overview = _overview(evidences, list(shared.values())) if several else None
    tested = statistics_section(context.get("statistics") or [])
    return text.join(
        [header, tag("main", overview, tested, *sections, _method(evidences, context))]
    )


def _with_next(evidence: Mapping[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence with the command to run next, where a column looks like an id of groups.

    It is the one that the command prints.
    """
    proposed, typed = evidence["dataset"].get("proposed_groups"), context.get("typed")
    if not proposed or not typed:
        return {**evidence}
    command = groups_command(typed, proposed[0]["column"])
    return {**evidence, "next_command": command}


def _shared_warnings(evidences: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Warnings that stand on several data sets, each once with their names, by kind."""
    found: dict[str, list[tuple[str, str]]] = {}
    for evidence in evidences:
        for one in evidence["advice"]["warnings"]:
            found.setdefault(one["kind"], []).append((evidence["dataset"]["title"], one["text"]))
    return {
        kind: f"{', '.join(title for title, _ in told)}. For example, {told[0][0]}: {told[0][1]}"
        for kind, told in found.items()
        if len(told) > 1 and len({_without_numbers(text) for _, text in told}) == 1
    }


def _without_numbers(text: str) -> str:
    """A warning without its numbers: those that differ in nothing else are printed once."""
    return re.sub(r"[\d.,]+", "#", text)


def _overview(evidences: Sequence[Mapping[str, Any]], shared: Sequence[str]) -> Markup | None:
    """One row per data set, with links to its section, and the warnings that several share."""
    judged = [evidence for evidence in evidences if not evidence.get("of_methods")]
    if not judged:
        return None
    header = ["Data set", "Verdict", "Selector", "Features", "Stability", score_labels(evidences)]
    asked = any(asks_for_trust(evidence["advice"]) for evidence in judged)
    header += ["Features to trust"] if asked else []
    rows = [_overview_row(evidence, number, asked) for number, evidence in enumerate(judged, 1)]
    return tag(
        "section",
        tag("h2", "The data sets"),
        tag("p", _counted_verdicts(judged, asked), class_="lead"),
        text.table(header, rows, [3, 4, 5, 6][: 4 if asked else 3], class_="overview stack"),
        warnings_box(shared),
        id="overview",
    )


def _counted_verdicts(judged: Sequence[Mapping[str, Any]], asked: bool) -> str:
    """How many data sets have each verdict, in a sentence."""
    kinds = [evidence["advice"]["verdict"] for evidence in judged]
    words = {
        "trust": "can be trusted" if asked else "is stable and accurate",
        "caution": "is to be taken with caution",
        "nothing": "is not to be trusted",
        "unjudged": "is not judged, for the reason given below",
    }
    told = [f"{words[kind]} on {kinds.count(kind)}" for kind in words if kind in kinds]
    if len(told) == 1:
        return f"On all {len(judged)} data sets, the selection {words[kinds[0]]}."
    return f"Of {len(judged)} data sets, the selection {', '.join(told[:-1])} and {told[-1]}."


def _overview_row(evidence: Mapping[str, Any], number: int, asked: bool) -> list[object]:
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
