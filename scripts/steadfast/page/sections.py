"""The section of one data set, complete without its charts and scripts."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from steadfast.accuracy.scores import USUAL, Score
from steadfast.advice.recommendation import COMPARED_SIZE, largest_size
from steadfast.advice.words.answer import EXCELLENT
from steadfast.advice.words.chosen import HOW, chosen_in_words
from steadfast.page import text
from steadfast.page.data import (
    Point,
    asks_for_trust,
    best_point,
    random_accuracy,
    recommended_point,
    score_of,
    selector_of,
)
from steadfast.page.error_bounds import error_bounds_section
from steadfast.page.features import features_part, groups_part, runs_part
from steadfast.page.text import Markup, join, name, tag

#: Sign of each verdict, its words, and those of a study that does not ask which features to trust;
#: never colour alone.
VERDICTS = {
    "trust": ("✓", "Can be trusted", "Stable and accurate"),
    "caution": ("!", "Trust with caution", "Use with caution"),
    "nothing": ("✕", "Not to be trusted", "No better than guessing"),
    "unjudged": ("–", "No recommendation", "No recommendation"),
}
#: Instead of the last words of "trust", where the selection changes in part.
PARTLY_STABLE = "Accurate, partly stable"

#: A longer name of a selector is set smaller.
LONG_LABEL = 14

#: What the column of p-values shows.
P_VALUES = (
    "The p-value tests whether a selector is as stable as the recommended one (Nogueira et al. "
    "2018); it is not corrected for multiple tests."
)

STABILITY_NOTE = "0 is chance, 1 the same features in every run"

#: What a score of a classifier is.
_SCORED = {
    "accuracy": "share of test rows that {} classifies correctly",
    "balanced_accuracy": "share of test rows that {} classifies correctly, each class counted "
    "equally",
    "auc": "share of pairs of test rows of different classes that {} ranks correctly",
    "log_loss": "mean of −log p of the true class, p by {}; lower is better",
    "brier": "mean squared error of the probabilities of {}; lower is better",
}

#: The column with the accuracy of random features.
RANDOM = "Random features of that number"


def score_text(score: Score) -> Callable[[float | None], str]:
    """How a score is printed."""
    return text.accuracy if score.percent else text.plain_score


def verdict_text(evidence: Mapping[str, Any]) -> tuple[str, str]:
    """The sign and the words of the verdict; with caution, they name the reasons."""
    advice = evidence["advice"]
    sign, trusted, unasked = VERDICTS[advice["verdict"]]
    words = trusted if asks_for_trust(advice) else unasked
    if is_partly_stable(evidence):
        words = PARTLY_STABLE
    if advice["verdict"] == "caution":
        words = f"{words}: {'; '.join(advice['doubts'])}"
    return sign, words


def is_partly_stable(evidence: Mapping[str, Any]) -> bool:
    """Whether a selection is accurate but changes in part, where trust was not asked for."""
    advice, found = evidence["advice"], recommended_point(evidence)
    if advice["verdict"] != "trust" or asks_for_trust(advice):
        return False
    return found is not None and found.stability is not None and found.stability.value < EXCELLENT


def verdict(evidence: Mapping[str, Any]) -> Markup:
    """The verdict as a badge."""
    sign, words = verdict_text(evidence)
    kind = evidence["advice"]["verdict"]
    return tag("span", tag("span", sign, aria_hidden="true"), " ", words, class_=f"verdict {kind}")


def dataset_section(
    evidence: Mapping[str, Any], number: int, several: bool, said: Collection[str] = ()
) -> Markup:
    """Everything about one data set; among others, it has a heading of its own.

    `said` are the kinds of warnings that the page has printed for several data sets together.
    """
    heading = "h3" if several else "h2"
    parts = [
        tag("h2", name(evidence["dataset"]["title"]), class_="title") if several else None,
        *([] if evidence.get("of_methods") else _answer(evidence, said)),
        *_charts(evidence, heading),
        *_features(evidence, heading),
        *_selectors(evidence, heading),
        *error_bounds_section(evidence, heading),
        *_facts(evidence, heading),
    ]
    return tag("section", *parts, id=f"dataset-{number}", class_="dataset", data_dataset=number - 1)


def _answer(evidence: Mapping[str, Any], said: Collection[str]) -> Iterator[Markup | None]:
    """The recommendation with its numbers, warnings and reasons, and what to run next."""
    advice = evidence["advice"]
    sentences = [tag("p", sentence) for sentence in advice["answer"]]
    yield tag("div", verdict(evidence), *sentences, class_="answer")
    yield warnings_box([one["text"] for one in advice["warnings"] if one["kind"] not in said])
    following = evidence.get("next_command")
    if following:
        column, command = following
        told = ["If rows of one ", name(column), " belong together, run: ", tag("code", command)]
        yield tag("p", *told)
    yield _key_numbers(evidence)
    yield _reasons(evidence)


def _features(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """What is known of the features, unless the study is one of methods."""
    if not evidence.get("of_methods"):
        yield from features_part(evidence, heading)
        yield from groups_part(evidence, heading)
        yield from runs_part(evidence, heading)


def warnings_box(warnings: Sequence[str]) -> Markup | None:
    """Warnings as a list; nothing where there are none."""
    if not warnings:
        return None
    items = [tag("li", warning) for warning in warnings]
    title = "Warning" if len(warnings) == 1 else "Warnings"
    return tag("div", tag("strong", title), tag("ul", *items), class_="warnings", role="note")


def _key_numbers(evidence: Mapping[str, Any]) -> Markup | None:
    """The recommendation in four numbers."""
    found = recommended_point(evidence)
    if found is None:
        return None
    advice, majority = evidence["advice"], evidence.get("majority")
    selector = selector_of(evidence, advice["selector"])
    own = (
        "on average, chosen by the selector itself"
        if advice.get("own")
        else "from the top of each run's ranking"
    )
    pairs = [
        ("Selector", name(selector["label"]), f"of {_count_compared(evidence)} compared"),
        ("Features", text.size(found.size), own),
        _key_value("Stability", found.stability, text.stability, STABILITY_NOTE),
    ]
    if found.accuracy:
        score, label = score_of(evidence), evidence["classifiers"][advice["classifier"]]
        formatted = score_text(score)
        compared = [] if majority is None else [f"{score.blind} {formatted(majority)}"]
        random = advice.get("random")
        if random:
            size = text.count(random["size"], "random feature")
            compared.append(f"{size} {formatted(random['value'])}")
        note = "; ".join([_SCORED[score.name].format(label), *compared])
        pairs.append(_key_value(score.label, found.accuracy, formatted, note))
    long = "long" if len(selector["label"]) > LONG_LABEL else None
    cards = [
        tag("div", tag("dt", t), tag("dd", value, class_=long), tag("dd", note, class_="told"))
        for t, value, note in pairs
    ]
    return tag("dl", *cards, class_="key")


def _key_value(title: str, value: text.Value | None, formatted, note: str) -> tuple:
    if value is None:
        return title, text.NONE, "undefined at this size"
    if value.low is not None and value.high is not None:
        note = f"95% interval {formatted(value.low)} to {formatted(value.high)}; {note}"
    return title, formatted(value.value), note


def _count_compared(evidence: Mapping[str, Any]) -> int:
    """How many selectors could be recommended: none that chose at random or is barred."""
    return sum(not (one.get("baseline") or one.get("barred")) for one in evidence["selectors"])


def _reasons(evidence: Mapping[str, Any]) -> Markup | None:
    advice, scoring = evidence["advice"], evidence.get("scoring") or {}
    reasons = [
        ("Why this selector", advice.get("why_selector")),
        ("Why this size", advice.get("why_size")),
        (f"Why {score_of(evidence).noun}", scoring.get("why")),
    ]
    pairs = [tag("p", tag("strong", f"{title}. "), reason) for title, reason in reasons if reason]
    return tag("div", *pairs, class_="reasons") if pairs else None


def _charts(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """Places for the charts, with what they show in words."""
    if not evidence["selectors"]:
        return
    scored = bool(evidence["classifiers"])
    label = next(iter(evidence["classifiers"].values()), "")
    score = score_of(evidence)
    better = "more accurate" if score.name in USUAL else f"better by {score.noun}"
    yield tag(heading, f"Stability against {score.noun}" if scored else "Stability")
    size = text.count(_common_size(evidence), "feature")
    sized = "at its own best number of features"
    if evidence["advice"]["selector"] is None:
        sized = f"with {size}, or as many as it chooses itself,"
    if scored:
        caption = [
            f"Each mark shows a selector {sized}. Marks further right are more stable "
            f"({STABILITY_NOTE}), higher marks are {better} ({label}). Thin bars are 95% "
            "intervals. The dashed line is the Pareto front: for the selectors on it, no other is "
            f"both more stable and {better}. {_marks(evidence)} Hover for values; click to show "
            "the selected features."
        ]
    else:
        caption = [
            f"Each mark shows the stability of a selector {sized} ({STABILITY_NOTE}), with its "
            "95% interval. This study measures no accuracy."
        ]
    yield tag("figure", tag("figcaption", *caption), class_="chart plane")
    yield tag(heading, "By number of features")
    yield tag("div", class_="controls")
    yield tag(
        "figure",
        tag(
            "figcaption",
            "The bold line, with its 95% interval, is the selector that you chose. "
            + ("The dashed line is the recommended one. " if evidence["advice"]["selector"] else "")
            + "The dotted line is random selection; all others are grey. A knot (diamond) is the "
            "last size on the plateau of stability: features that come later are added more or "
            "less at random.",
        ),
        class_="chart curves",
    )


def _selectors(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """Every selector at its best size, the most stable first and random selection last."""
    if not evidence["selectors"]:
        return
    points = [(s, best_point(evidence, s)) for s in evidence["selectors"]]
    points.sort(key=_stability_order)
    compared = evidence["advice"]["selector"] is not None
    rows = [_selector_cells(evidence, selector, found) for selector, found in points]
    header = list(rows[0])
    yield tag(heading, "All selectors")
    yield tag(
        "p",
        f"{_how_compared(evidence)}. Small numbers are 95% intervals.",
        f" {P_VALUES}" if compared else None,
        *([f" {HOW}"] if any(one.get("chosen") for one in evidence["selectors"]) else []),
        class_="told",
    )
    numbers = [at for at, title in enumerate(header) if title not in ("Selector", "Pareto front")]
    marked = [
        "recommended" if s["id"] == evidence["advice"]["selector"] else None for s, _ in points
    ]
    cells = [list(row.values()) for row in rows]
    yield text.table(header, cells, numbers, marked, class_="selectors stack")


def _selector_cells(
    evidence: Mapping[str, Any], selector: Mapping[str, Any], found: Point | None
) -> dict[str, object]:
    """A row of the table of selectors, by the titles of its columns."""
    row: dict[str, object] = {
        "Selector": _selector_name(evidence, selector),
        "Features": text.size(found.size if found else None),
        "Stability": text.with_interval(found and found.stability, text.stability),
    }
    if evidence["classifiers"]:
        score = score_of(evidence)
        row[score.label] = text.with_interval(found and found.accuracy, score_text(score))
        if random_accuracy(evidence, 1) is not None:
            row[RANDOM] = random_cell(evidence, selector, found)
        row["Pareto front"] = "yes" if selector.get("pareto") else text.NONE
    if evidence["advice"]["selector"] is not None:
        difference = selector.get("difference") or {}
        row["p, against the recommended"] = text.p_value(difference.get("p"))
    return {**row, "Knot": text.size(selector.get("knot"))}


def _selector_name(evidence: Mapping[str, Any], selector: Mapping[str, Any]) -> Markup:
    """The name of a selector with its marks and notes."""
    marks = []
    if selector["id"] == evidence["advice"]["selector"]:
        marks.append(tag("span", "recommended", class_="mark"))
    if selector.get("baseline"):
        marks.append(tag("span", "at random", class_="mark plain"))
    if selector.get("barred"):
        marks.append(tag("span", f"not recommended: {selector['barred']}", class_="mark plain"))
    notes = [selector.get("note"), chosen_in_words(selector.get("chosen") or {})]
    small = [tag("small", one, class_="note") for one in notes if one]
    return join([name(selector["label"]), *marks, *small], " ")


def random_cell(
    evidence: Mapping[str, Any], selector: Mapping[str, Any] | None, found: Point | None
) -> Markup:
    """The accuracy of as many random features; of how many, where that is another number."""
    drawn = random_accuracy(evidence, found and found.size)
    if drawn is None or selector is None or selector.get("baseline"):
        return Markup(text.NONE)
    size, value = drawn
    note = None if size == found.size else tag("small", f"with {size}", class_="note")
    return join([score_text(score_of(evidence))(value), note], " ")


def _marks(evidence: Mapping[str, Any]) -> str:
    """What the marks of the chart stand for."""
    marks = ["a cross is random selection", "a ring is the selector that you chose"]
    if evidence["advice"]["selector"] is not None:
        marks.insert(0, "a star is the recommended selector")
    if any(one.get("barred") for one in evidence["selectors"]):
        marks.insert(-1, "a diamond is a selector that is never recommended")
    return f"Shapes: {', '.join(marks)}."


def _how_compared(evidence: Mapping[str, Any]) -> str:
    """At which sizes selectors are compared."""
    if evidence["advice"]["selector"] is None:
        size = text.count(_common_size(evidence), "feature")
        return f"Each selector is shown with {size}, or with the number that it chooses itself"
    return (
        "Each selector is shown with the number of features that would be recommended for it; "
        "random selection, and selectors that are never recommended, with the recommended number"
    )


def _common_size(evidence: Mapping[str, Any]) -> int:
    """The size at which selectors are compared where none is recommended."""
    return min(COMPARED_SIZE, largest_size(evidence["dataset"]["features"]))


def _stability_order(entry: tuple) -> tuple:
    selector, found = entry
    value = found.stability.value if found and found.stability else -2.0
    return bool(selector.get("baseline")), -value


def _facts(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """What the data set is, and what was left out of it."""
    dataset = evidence["dataset"]
    rows, left_out = dataset["rows"], dataset.get("left_out") or []
    classes = [
        tag("li", name(label), f": {text.count(n, 'row')} ({text.share(n / rows)})")
        for label, n in dataset["classes"].items()
    ]
    fewer = evidence.get("fewer")
    columns = [tag("li", name(entry["column"]), f": {entry['reason']}") for entry in left_out]
    noticed = [tag("li", sentence) for sentence in dataset.get("noticed") or []]
    categories = dataset.get("categories")
    facts = [
        ("Origin", dataset.get("origin")),
        ("Rows", f"{rows:,}"),
        (
            "Features",
            f"{dataset['features']:,}"
            + (f", {categories} of them categorical" if categories else ""),
        ),
        ("Classes", tag("ul", *classes)),
        (
            "Groups of rows",
            f"{dataset['groups']:,}, kept together" if dataset.get("groups") else None,
        ),
        ("Missing values", dataset.get("missing") or "none"),
        ("Columns left out", tag("ul", *columns) if columns else "none"),
        ("Notes on the table", tag("ul", *noticed) if noticed else None),
        ("Runs", evidence["runs"]["told"]),
        ("Reduced to save time", tag("ul", *(tag("li", one) for one in fewer)) if fewer else None),
        ("Stability measure", f"{evidence['measure']}: {STABILITY_NOTE}"),
        ("Licence", dataset.get("licence")),
        ("To cite", dataset.get("citation")),
        ("SHA-256", tag("code", dataset["sha256"]) if dataset.get("sha256") else None),
    ]
    yield tag(heading, "The data")
    yield definitions(facts)


def definitions(facts: list[tuple[str, object]]) -> Markup:
    """Terms and what they are; those without a value are left out."""
    pairs = [tag("div", tag("dt", term), tag("dd", value)) for term, value in facts if value]
    return tag("dl", *pairs, class_="facts")
