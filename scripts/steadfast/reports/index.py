"""The page of the whole run: did it replicate?

Every study with its claims and verdicts, published numbers against ours, and links to all files
that were made of it. Links are relative, so that the folder of results can be moved or sent.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from steadfast.page import text
from steadfast.page.document import versions
from steadfast.page.sections import definitions
from steadfast.page.text import Markup, tag
from steadfast.reports import verdicts
from steadfast.reports.document import document
from steadfast.reports.index_data import data_section
from steadfast.reports.index_study import StudyPart, read_part, study_section
from steadfast.reports.markdown import render, render_line
from steadfast.reports.papers import Paper, group_by_paper

TITLE = "Did it replicate?"

_NOTHING = tag("span", text.NONE, class_="nothing")


def index_page(context: Mapping[str, Any], results: str) -> bytes:
    """The page from a folder of results.

    Parameters
    ----------
    context
        The run's seed, its studies in the order of print, and what was changed in them
        (`steadfast.study.plan.index`).
    """
    parts = {study["study"]: read_part(study, results) for study in context["studies"]}
    papers = group_by_paper(context["studies"])
    rules = list(dict.fromkeys(part.rule for part in parts.values() if part.rule))
    body = text.join(
        [
            _header(parts, papers, rules),
            tag(
                "main",
                _overview(parts, papers),
                _by_verdict(parts),
                *(_paper_section(paper, parts, rules) for paper in papers),
                data_section(list(parts.values())),
                _settings(context, parts),
            ),
        ]
    )
    return document(f"{TITLE} steadfast, seed {context['seed']}", body, images=True)


def _count(parts: Sequence[StudyPart]) -> Counter[str]:
    return Counter(claim["verdict"] for part in parts for claim in part.claims)


def _header(
    parts: Mapping[str, StudyPart], papers: Sequence[Paper], rules: Sequence[str]
) -> Markup:
    counts = _count(list(parts.values()))
    claims = text.count(sum(counts.values()), "claim")
    studies = text.count(len(parts), "study", "studies")
    of_papers = sum(bool(paper.reference) for paper in papers)
    known = f" of {text.count(of_papers, 'paper')}" if of_papers else ""
    return tag(
        "header",
        tag("p", "steadfast · how far can a feature selection be trusted?", class_="made-by"),
        tag("h1", TITLE),
        tag(
            "p",
            f"{claims} in {studies}{known}, each held against the numbers of this run.",
            class_="lead",
        ),
        verdicts.tiles(counts),
        verdicts.bar(counts),
        _fold("How a verdict is reached", render(rules[0]), id="rule") if rules else None,
    )


def _fold(title: str, *children: object, **attributes: object) -> Markup:
    return tag("details", tag("summary", title), *children, **attributes)


def _overview(parts: Mapping[str, StudyPart], papers: Sequence[Paper]) -> Markup:
    """One row per study, with a link to its section."""
    header = ["Study", "Claims", *map(str.capitalize, verdicts.VERDICTS), ""]
    rows = []
    for paper in papers:
        for name in paper.studies:
            part, counts = parts[name], _count([parts[name]])
            link = tag("a", part.title, href=f"#study-{name}")
            told = [counts[verdict] or _NOTHING for verdict in verdicts.VERDICTS]
            bar = verdicts.bar(counts) if part.claims else _NOTHING
            about = text.join([link, tag("small", name, class_="id")], " ")
            rows.append([about, len(part.claims) or _NOTHING, *told, bar])
    table = text.table(header, rows, [1, 2, 3, 4, 5], class_="overview stack")
    return tag("section", tag("h2", "The studies"), table, id="overview")


def _by_verdict(parts: Mapping[str, StudyPart]) -> Markup:
    """The claims again, one list per verdict."""
    folds = []
    for verdict, (kind, _) in verdicts.VERDICTS.items():
        found = [
            tag(
                "li",
                tag("a", render_line(claim["text"].strip()), href=f"#{part.anchor(claim)}"),
                tag("small", part.name, class_="id"),
            )
            for part in parts.values()
            for claim in part.claims
            if claim["verdict"] == verdict
        ]
        if found:
            title = text.join([verdicts.badge(verdict), text.count(len(found), "claim")], " ")
            folds.append(_fold(title, tag("ul", *found), id=f"verdict-{kind}", class_="by-verdict"))
    return tag("section", tag("h2", "The claims, by verdict"), *folds, class_="verdicts")


def _paper_section(paper: Paper, parts: Mapping[str, StudyPart], rules: Sequence[str]) -> Markup:
    counts = _count([parts[name] for name in paper.studies])
    several = len(paper.studies) > 1
    return tag(
        "section",
        tag("h2", paper.heading, class_="title"),
        tag("p", _in_words(counts), class_="told") if several else None,
        *(study_section(parts[name], paper, rules[:1]) for name in paper.studies),
        class_="paper-of",
        id=f"paper-{paper.key}" if paper.key else None,
    )


def _in_words(counts: Mapping[str, int]) -> str:
    told = [f"{verdict}: {counts[verdict]}" for verdict in verdicts.VERDICTS if counts.get(verdict)]
    return (
        f"{text.count(sum(counts.values()), 'claim')}; {', '.join(told)}." if told else "No claims."
    )


def _settings(context: Mapping[str, Any], parts: Mapping[str, StudyPart]) -> Markup:
    """How to do it again, and what was changed."""
    names = ", ".join(parts)
    changed = [
        tag("li", tag("code", name), f": {', '.join(keys)}")
        for name, keys in context["changes"].items()
    ]
    left_out = [
        tag("li", tag("code", part.name), f": {', '.join(part.context['left_out'])}")
        for part in parts.values()
        if part.context["left_out"]
    ]
    command = f"snakemake --cores all --config 'studies=[{names}]' seed={context['seed']}"
    made_with = ", ".join(f"{package} {version}" for package, version in versions().items())
    facts = [
        ("Seed", str(context["seed"])),
        (
            "Studies",
            tag("span", "as ", tag("code", "config/studies/"), " declares them")
            if not changed
            else text.join(
                ["changed by the run's ", tag("code", "overrides"), tag("ul", *changed)]
            ),
        ),
        ("Left out, for want of what they need", tag("ul", *left_out) if left_out else "nothing"),
        (
            "Command",
            text.join([tag("code", command), " with the same configuration"])
            if changed
            else tag("code", command),
        ),
        (
            "All tables and figures in one file",
            text.join([tag("code", "make report"), " writes ", tag("code", "report.html")]),
        ),
        ("Made with", made_with),
    ]
    return tag("section", tag("h2", "How it was run"), definitions(facts), id="settings")
