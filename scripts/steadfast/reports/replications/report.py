"""The replication report of a paper: what a replication journal asks for, in one HTML file.

Made of the kept run at full size, of what a person wrote about it and of what was settled where
the paper is silent; never of the present run.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from steadfast.core.errors import UserError
from steadfast.outputs.claim import count_verdicts, in_words, limit_words
from steadfast.outputs.published import Pair, group_by, parse_pairs
from steadfast.page import text
from steadfast.page.sections import definitions
from steadfast.page.text import Markup, count, tag
from steadfast.reports.document import REPLICATION_STYLE, document
from steadfast.reports.markdown import render, render_line
from steadfast.reports.replications.kept import CHANGED, KeptRun
from steadfast.reports.replications.printed_methods import cost_table, data_table, study_methods
from steadfast.reports.replications.prose import Prose, require_studies, without_links
from steadfast.reports.replications.published_tables import Labels, published_table
from steadfast.reports.verdicts import badge, tiles


@dataclass(frozen=True)
class Report:
    """What a report is made of."""

    kept: KeptRun
    prose: Prose
    settled: str

    @property
    def about(self) -> Mapping[str, Any]:
        return self.kept.about

    @property
    def studies(self) -> dict[str, Any]:
        """The studies of the report, in its order."""
        return {name: self.about["studies"][name] for name in self.prose.studies}

    @property
    def several(self) -> bool:
        return len(self.prose.studies) > 1

    @cached_property
    def judged(self) -> dict[str, dict[str, Any]]:
        """The claims of each study, with the rule of its verdicts."""
        return {study: self.kept.claims(study) for study in self.prose.studies}

    @property
    def claims(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """Every claim with its study and its number in the report."""
        found = [(study, claim) for study, one in self.judged.items() for claim in one["claims"]]
        return [(study, str(number), claim) for number, (study, claim) in enumerate(found, 1)]

    @cached_property
    def printed(self) -> dict[str, list[Pair]]:
        """Published numbers beside ours, by study; none where the paper prints none."""
        places = {study: f"{study}/published.csv" for study in self.prose.studies}
        return {
            study: parse_pairs(self.kept.read(place)) if place in self.kept.digests else []
            for study, place in places.items()
        }


def replication_page(kept: KeptRun, prose: Prose, settled: str) -> bytes:
    """The report, from the kept run, the prose, and the section about what was settled."""
    require_studies(prose, kept.about["studies"], f"the kept run {kept.folder} (make keep)")
    report = Report(kept, prose, settled)
    written = {name: render(without_links(one)) for name, one in prose.sections.items()}
    parts = [
        ("Summary", _summary(report)),
        ("Scope of the replication", text.join([written["Scope"], _scope(report)])),
        ("Methodology", _methodology(report)),
        ("Settled where the paper is silent", render(settled)),
        ("Results", _results(report)),
        *((name, written[name]) for name in list(written)[1:]),
        ("How to repeat it", _repeat(report)),
    ]
    numbered = [(str(number), title, body) for number, (title, body) in enumerate(parts, 1)]
    numbered.append(("A", "The numbers behind each claim", _appendix(report)))
    numbered.append(("B", "References", _references(report)))
    sections = [
        tag("section", tag("h2", f"{number} {title}"), body, id=f"section-{number}")
        for number, title, body in numbered
    ]
    contents = [
        tag("li", tag("a", f"{number} {title}", href=f"#section-{number}"))
        for number, title, _ in numbered
    ]
    navigation = tag("nav", tag("ul", *contents), aria_label="Contents", class_="contents")
    body = text.join([_header(report), navigation, tag("main", *sections)])
    return document(prose.title, body, embedded_images=True, styles=[REPLICATION_STYLE])


def _header(report: Report) -> Markup:
    about = report.about
    return tag(
        "header",
        tag("p", "steadfast · replication report", class_="made-by"),
        tag("h1", report.prose.title),
        tag("p", "The steadfast developers", class_="paper"),
        tag("p", "Replication of: ", report.prose.citation, class_="paper"),
        tag(
            "p",
            f"Run of {about['date']} at full size, seed {about['seed']}, code at commit ",
            tag("code", about["commit"]),
            ".",
            class_="paper",
        ),
    )


def _summary(report: Report) -> Markup:
    about, counts = report.about, count_verdicts([claim for _, _, claim in report.claims])
    printed = report.printed.values()
    tables = sum(len(group_by(pairs, "table")) for pairs in printed)
    stand_ins = {name for study in report.studies.values() for name in study["stand_ins"]}
    data = count(len(about["datasets"]), "data set")
    if stand_ins:
        data += f", {len(stand_ins)} of them in the place of one of the paper's (section 3)"
    numbers = f"{sum(map(len, printed))} of {count(tables, 'table')}, each beside ours in section 5"
    facts = [
        ("Claims", in_words(counts)),
        ("Published numbers", numbers if tables else None),
        ("Data", data),
        ("Code", f"written anew from the paper's text; steadfast {about['versions']['steadfast']}"),
        ("Communication", report.prose.communication),
    ]
    return text.join([tiles(counts), definitions(facts)])


def _scope(report: Report) -> Markup:
    """Every claim with its verdict."""
    header = ["No.", "Claim", *(["Study"] if report.several else []), "Verdict"]
    rows = [
        [
            tag("a", number, href=f"#claim-{number}"),
            render_line(claim["text"]),
            *([study] if report.several else []),
            badge(claim["verdict"]),
        ]
        for study, number, claim in report.claims
    ]
    rules = [one["rule"] for one in report.judged.values()]
    numbered = [{**claim, "number": number} for _, number, claim in report.claims]
    rules.append(limit_words(numbered))
    return tag(
        "div",
        tag("h3", "The claims and what came of them"),
        *(tag("p", rule) for rule in dict.fromkeys(filter(None, rules))),
        text.table(header, rows, [], class_="stack findings"),
    )


def _methodology(report: Report) -> Markup:
    about = report.about
    made_with = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    methods = [
        text.join([tag("h4", f"{name}: {one['title']}"), study_methods(one, about["datasets"])])
        for name, one in report.studies.items()
    ]
    facts = [
        ("Made with", made_with),
        ("Commit", tag("code", about["commit"])),
        ("Configuration", tag("code", about["config"])),
        ("Seed", str(about["seed"])),
        ("Date", about["date"]),
    ]
    cost = (
        "CPU time of all jobs, start-up of processes included, on one core; two cores take about "
        "half of it."
    )
    return text.join(
        [
            tag("h3", "Data sets"),
            data_table(report.kept),
            tag("h3", "Selectors, folds, measures, classifiers"),
            *methods,
            tag("h3", "Computational requirements"),
            tag("p", cost),
            cost_table(report.kept),
            definitions(facts),
        ]
    )


def _results(report: Report) -> Markup:
    return text.join(
        [
            tag("h3", "The claims"),
            *(_claim(report, *one) for one in report.claims),
            *_published(report),
            *_figures(report),
        ]
    )


def _claim(report: Report, study: str, number: str, claim: Mapping[str, Any]) -> Markup:
    """A claim, its verdict, the sentence, and how cases were counted."""
    cases = claim.get("for"), claim.get("open"), claim.get("against")
    counted = None
    if all(isinstance(one, int) for one in cases) and any(cases):
        counted = f"Cases for it: {cases[0]}, open: {cases[1]}, against it: {cases[2]}. "
    return tag(
        "article",
        tag("h4", f"Claim {number}: ", render_line(claim["text"])),
        tag("p", badge(claim["verdict"]), " ", render_line(claim["sentence"])),
        tag(
            "p",
            counted,
            render_line(claim["rule"]),
            " ",
            tag("a", f"Numbers: A.{number}", href=f"#numbers-{number}"),
            *((f" ({study}, claim {claim['number']})",) if report.several else ()),
            class_="told",
        ),
        id=f"claim-{number}",
        class_="finding",
    )


def _published(report: Report) -> list[Markup]:
    """Every table with published numbers, under its title."""
    shown = []
    for name, study in report.studies.items():
        labels = Labels(study, report.about["datasets"])
        for table, pairs in group_by(report.printed[name], "table").items():
            title = study["tables"].get(table, table)
            own = f"{title} ({name})" if report.several else title
            shown += [tag("h4", own), published_table(pairs, labels)]
    return [tag("h3", "Published numbers beside ours"), *shown] if shown else []


def _figures(report: Report) -> list[Markup]:
    shown = [_figure(report, study, name) for study, name in report.prose.figures]
    return [tag("h3", "Figures"), *shown] if shown else []


def _figure(report: Report, study: str, name: str) -> Markup:
    """A kept figure, inside the page."""
    title = report.about["studies"][study]["figures"].get(name, name)
    picture = report.kept.figure(study, name)
    if picture is None:
        large = report.about["studies"][study]["left_out_files"]
        if any(file.startswith(f"figures/{name}.") for file in large):
            return tag("p", f"{title}: too large to be kept; the run makes it anew.")
        raise UserError(
            f"{report.prose.source}: figures: {study}/figures/{name}: is not in the kept run; keep "
            "it again (make keep), or take it out"
        )
    source = f"data:{picture.kind};base64,{base64.b64encode(picture.content).decode()}"
    caption = tag("figcaption", title, f" ({study})" if report.several else None)
    return tag("figure", text.image(source, title), caption)


_EQUAL = (
    "With the versions above and the same seed the tables are equal to the last digit, whatever "
    "the number of cores."
)
_UNCOMMITTED = (
    "The files of this run differed from those of the commit, so that numbers of a new run may "
    "differ from these; make compare says where."
)


def _repeat(report: Report) -> Markup:
    studies = ",".join(report.prose.studies)
    recorded = report.about["commit"]
    commit = recorded.removesuffix(CHANGED)
    commands = [
        f"git checkout {commit}",
        "",
        "# all studies, with config/paper.yaml and config/kept.yaml, into results/paper/",
        "make paper local_data=FOLDER",
        "",
        "# how the new run differs from this one",
        "make compare",
        "",
        "# these studies alone",
        f"snakemake --cores all --configfile {report.about['config']} \\",
        f"    --config 'studies=[{studies}]' local_data=FOLDER",
    ]
    words = (
        "FOLDER holds the files of data sets that are neither bundled nor on OpenML; "
        "docs/reproduce.md lists them. "
    )
    words += _UNCOMMITTED if commit != recorded else _EQUAL
    return text.join([tag("pre", tag("code", "\n".join(commands))), tag("p", words)])


def _appendix(report: Report) -> Markup:
    return text.join(
        text.join(
            [
                tag("h3", f"A.{number} ", render_line(claim["text"]), id=f"numbers-{number}"),
                render(without_links(claim["details"]), top=3),
            ]
        )
        for _, number, claim in report.claims
    )


def _references(report: Report) -> Markup:
    version = report.about["versions"]["steadfast"]
    data = [one["citation"] for one in report.about["datasets"].values() if one.get("citation")]
    cited = [
        report.prose.citation,
        *report.prose.references,
        f"The steadfast developers. steadfast {version} (CITATION.cff has the form to cite).",
        *data,
    ]
    return tag("ol", *(tag("li", " ".join(entry.split())) for entry in dict.fromkeys(cited)))
