"""The page of the whole run: did it replicate?

Every study with its claims and verdicts, published numbers against ours, and links to all files
that were made of it. Links are relative, so that the folder of results can be moved or sent.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steadfast.outputs.claim import count_verdicts, in_words
from steadfast.page import text
from steadfast.page.document import versions
from steadfast.page.sections import definitions
from steadfast.page.text import Markup, tag
from steadfast.reports import verdicts
from steadfast.reports.document import document
from steadfast.reports.index.data import data_section
from steadfast.reports.index.links import fragment, link
from steadfast.reports.index.papers import Paper, group_by_paper
from steadfast.reports.index.study import StudyPart, read_part, study_section
from steadfast.reports.markdown import render, render_line

TITLE = "Did it replicate?"

_NOTHING = tag("span", text.NONE, class_="nothing")


def index_page(context: Mapping[str, Any], results: str) -> bytes:
    """The page from a folder of results.

    Parameters
    ----------
    context
        The run's seed, its studies in the order of print, and what was changed in them
        (`steadfast.study.plan.index`); `settings` are those that differ from config/config.yaml,
        `replications` the papers that have a report.
    """
    parts = {study["study"]: read_part(study, results) for study in context["studies"]}
    papers, reported = group_by_paper(context["studies"]), context.get("replications", ())
    rules = list(dict.fromkeys(part.rule for part in parts.values() if part.rule))
    body = text.join(
        [
            _header(parts, papers, rules),
            tag(
                "main",
                _overview(parts, papers),
                _by_verdict(parts),
                *(_paper_section(paper, parts, rules, reported) for paper in papers),
                data_section(list(parts.values())),
                _settings(context, parts),
            ),
        ]
    )
    return document(f"{TITLE} steadfast, seed {context['seed']}", body, images=True)


def _count(parts: Iterable[StudyPart]) -> dict[str, int]:
    return count_verdicts([claim for part in parts for claim in part.claims])


def _header(
    parts: Mapping[str, StudyPart], papers: Sequence[Paper], rules: Sequence[str]
) -> Markup:
    counts = _count(parts.values())
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
        tag("div", render(rules[0]), class_="told", id="rule") if rules else None,
    )


def _overview(parts: Mapping[str, StudyPart], papers: Sequence[Paper]) -> Markup:
    """One row per study, with a link to its section."""
    header = ["Study", "Claims", *map(str.capitalize, verdicts.VERDICTS), ""]
    rows = []
    for paper in papers:
        for name in paper.studies:
            part, counts = parts[name], _count([parts[name]])
            title = tag("a", part.title, href=fragment("study", name))
            told = [counts[verdict] or _NOTHING for verdict in verdicts.VERDICTS]
            bar = verdicts.bar(counts) if part.claims else _NOTHING
            about = text.join([title, tag("small", name, class_="id")], " ")
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
                render_line(claim["text"].strip()),
                " ",
                tag("a", f"{part.name} {claim['number']}", href=f"#{part.anchor(claim)}"),
            )
            for part in parts.values()
            for claim in part.claims
            if claim["verdict"] == verdict
        ]
        if found:
            title = text.join([verdicts.badge(verdict), text.count(len(found), "claim")], " ")
            listed = tag("ul", *found)
            folds.append(text.fold(title, listed, id=f"verdict-{kind}", class_="by-verdict"))
    return tag("section", tag("h2", "The claims, by verdict"), *folds, class_="verdicts")


def _paper_section(
    paper: Paper, parts: Mapping[str, StudyPart], rules: Sequence[str], reported: Sequence[str]
) -> Markup:
    counts = _count([parts[name] for name in paper.studies])
    several = len(paper.studies) > 1 and any(counts.values())
    return tag(
        "section",
        tag("h2", paper.heading, class_="title"),
        _report_link(paper, reported),
        tag("p", in_words(counts), class_="told") if several else None,
        *(study_section(parts[name], paper, rules[:1]) for name in paper.studies),
        class_="paper-of",
        id=f"paper-{paper.key}" if paper.key else None,
    )


def _report_link(paper: Paper, reported: Sequence[str]) -> Markup | None:
    """The replication report of the kept full-size run, where this run writes it."""
    if paper.key not in reported:
        return None
    return tag("p", link("replication report", "replication", paper=paper.key), class_="documents")


def _settings(context: Mapping[str, Any], parts: Mapping[str, StudyPart]) -> Markup:
    """How to do it again, and what was changed."""
    declared: object = text.join(["as ", tag("code", "config/studies/"), " declares them"])
    command: object = tag(
        "code",
        f"snakemake --cores all --config 'studies=[{', '.join(parts)}]' seed={context['seed']}",
    )
    same: list[object] = [tag("code", key) for key in context["settings"]]
    if context["changes"]:
        declared = text.join(["changed by ", tag("code", "overrides"), _listed(context["changes"])])
        same.insert(0, "configuration files")
    if same:
        command = text.join([command, " and the same ", text.join(same, ", ")])
    left_out = {part.name: part.context["left_out"] for part in parts.values()}
    made_with = ", ".join(f"{package} {version}" for package, version in versions().items())
    report = text.join([tag("code", "make report"), " writes ", tag("code", "report.html")])
    facts = [
        ("Seed", context["seed"]),
        ("Studies", declared),
        ("Left out, for want of what they need", _listed(left_out) or "nothing"),
        ("Command", command),
        ("All tables and figures in one file", report),
        ("Made with", made_with),
    ]
    return tag("section", tag("h2", "How it was run"), definitions(facts), id="settings")


def _listed(by_study: Mapping[str, Sequence[str]]) -> Markup | None:
    """What is to be said of some studies, one line each."""
    lines = [
        tag("li", tag("code", study), f": {', '.join(said)}")
        for study, said in by_study.items()
        if said
    ]
    return tag("ul", *lines) if lines else None
