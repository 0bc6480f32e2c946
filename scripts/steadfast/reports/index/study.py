"""The section of a study: its question, claims, published numbers against ours, and files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadfast.core.files import read_verified
from steadfast.core.paths import Paths
from steadfast.outputs.captions import heading
from steadfast.outputs.claim import limit_words, read_claims
from steadfast.outputs.published import Pair, read_pairs
from steadfast.outputs.table import Labels
from steadfast.outputs.verdict import capital
from steadfast.page import text
from steadfast.page.text import Markup, tag
from steadfast.reports import verdicts
from steadfast.reports.index.links import fragment, link, place
from steadfast.reports.index.papers import Paper
from steadfast.reports.index.scatter import charts
from steadfast.reports.markdown import render, render_line


@dataclass(frozen=True)
class StudyPart:
    """What the page says of a study, read from the folder of results.

    Attributes
    ----------
    context
        Names and titles of its outputs (`study.context.index_context`).
    rule
        How its verdicts are reached.
    data
        What is to be known of each data set.
    """

    context: Mapping[str, Any]
    rule: str
    claims: Sequence[Mapping[str, Any]]
    pairs: Sequence[Pair]
    data: Mapping[str, Mapping[str, Any]]

    @property
    def name(self) -> str:
        return self.context["study"]

    @property
    def title(self) -> str:
        return self.context["title"]

    @property
    def labels(self) -> Labels:
        """Names in print of data sets, selectors and transforms."""
        named = self.context if self.context["has_published"] else {}
        return {
            "dataset": {name: about.get("title") or name for name, about in self.data.items()},
            "selector": {**named.get("families", {}), **named.get("selectors", {})},
            "transform": {name: one["label"] for name, one in named.get("transforms", {}).items()},
        }

    def anchor(self, claim: Mapping[str, Any]) -> str:
        """Where a claim stands on the page."""
        return f"{self.name}-claim{claim['number']}"


def read_part(context: Mapping[str, Any], results: str) -> StudyPart:
    """Verdicts, pairs and descriptions of data sets, each checked against its manifest."""
    paths = Paths(results).within(study=context["study"])
    told = json.loads(read_claims(Path(paths("claims"))))
    pairs = read_pairs(Path(paths("published"))) if context["has_published"] else []
    data = {
        dataset: json.loads(read_verified(Path(paths("data", "json", dataset=dataset))))
        for dataset in context["datasets"]
    }
    return StudyPart(context, told.get("rule", ""), told["claims"], pairs, data)


def study_section(part: StudyPart, paper: Paper, usual_rule: Sequence[str]) -> Markup:
    """All of a study, below its paper's heading."""
    context = part.context
    of_paper = paper.rest(context["paper"])
    return tag(
        "section",
        tag("h3", part.title, " ", tag("small", part.name, class_="id")),
        tag("p", context["asks"], class_="asks") if context["asks"] else None,
        tag("p", f"{capital(of_paper)}.", class_="told") if of_paper else None,
        tag("p", *_data_links(part), class_="told"),
        tag("p", *_document_links(context), class_="documents"),
        _claims(part),
        None if part.rule in ("", *usual_rule) else tag("p", part.rule, class_="told"),
        tag("p", limits, class_="told") if (limits := limit_words(part.claims)) else None,
        _published(part),
        _tables(context),
        _figures(context),
        _left_out(context),
        class_="study",
        id=f"study-{part.name}",
    )


def _data_links(part: StudyPart) -> list[object]:
    links = [
        tag("a", about.get("title") or dataset, href=fragment("data", dataset))
        for dataset, about in part.data.items()
    ]
    return ["Data: ", text.join(links, ", ") if links else "made, of known truth", "."]


def _document_links(context: Mapping[str, Any]) -> list[object]:
    """The documents of a study, the one to read first before all others."""
    names = {"study": context["study"]}
    links = [
        link("summary in full", "summary", **names),
        link("page: all selectors, all data sets", "page", **names)
        if context["datasets"]
        else None,
        link("published beside ours", "published", **names) if context["has_published"] else None,
        link("times", "times", "md", **names) if context["has_times"] else None,
        link("verdicts as data", "claims", **names),
    ]
    return ["Read: ", text.join(links, " · ")]


def _claims(part: StudyPart) -> Markup:
    if not part.claims:
        return tag("p", "No claim of the paper is tested here.", class_="told")
    return tag("ol", *(_claim(claim, part) for claim in part.claims), class_="claims")


def _claim(claim: Mapping[str, Any], part: StudyPart) -> Markup:
    cases = [
        f"{claim[side]} {word}" for side, word in _SIDES.items() if claim.get(side) is not None
    ]
    told = [claim.get("rule") or "", f"Cases: {', '.join(cases)}." if cases else ""]
    return tag(
        "li",
        tag("p", render_line(claim["text"].strip()), class_="claimed"),
        tag(
            "p",
            verdicts.badge(claim["verdict"]),
            " ",
            render_line(claim["sentence"]),
            class_="found",
        ),
        text.fold(
            "The numbers",
            tag("p", " ".join(filter(None, told)), class_="told") if any(told) else None,
            render(claim["details"], top=4),
        ),
        class_="claim",
        id=part.anchor(claim),
        value=claim["number"],
    )


_SIDES = {"for": "for it", "open": "open", "against": "against it"}


def _published(part: StudyPart) -> Markup | None:
    readings = part.context.get("further_readings", ())
    drawn = charts(part.pairs, part.labels, part.context["tables"], readings)
    if drawn is None:
        return None
    of_other_data = all(pair.is_of_other_data for pair in part.pairs)
    told = (
        "The paper's data sets are not those of this study: its numbers cannot be expected here, "
        "only the order of the methods can be compared."
    )
    return tag(
        "div",
        tag("h4", "Published against ours"),
        tag("p", told, class_="told") if of_other_data else None,
        drawn,
        class_="published",
    )


def _tables(context: Mapping[str, Any]) -> Markup | None:
    rows = [
        tag(
            "li",
            link(heading(name, title), "table", "md", study=context["study"], table=name),
            " ",
            tag("small", link("csv", "table", study=context["study"], table=name)),
        )
        for name, title in context["tables"].items()
    ]
    return _files(rows, "table", tag("ul", *rows, class_="files"))


def _figures(context: Mapping[str, Any]) -> Markup | None:
    """Pictures are loaded when their fold is opened."""
    shown = []
    for name, title in context["figures"].items():
        names = {"study": context["study"], "figure": name}
        words = heading(name, title)
        picture = text.image(place("figure", "png", **names), words, loading="lazy")
        shown.append(
            tag(
                "figure",
                tag("a", picture, href=place("figure", **names)),
                tag(
                    "figcaption",
                    words,
                    " ",
                    tag(
                        "small",
                        link("svg", "figure", **names),
                        " ",
                        link("png", "figure", "png", **names),
                    ),
                ),
            )
        )
    return _files(shown, "figure", tag("div", *shown, class_="pictures"))


def _files(found: Sequence[Markup], one: str, content: Markup) -> Markup | None:
    """A fold of all files of a sort, where there are any."""
    return text.fold(text.count(len(found), one), content, class_="of-files") if found else None


def _left_out(context: Mapping[str, Any]) -> Markup | None:
    if not context["left_out"]:
        return None
    listed = ", ".join(context["left_out"])
    return tag("p", f"Left out, for want of what they need: {listed}.", class_="told")
