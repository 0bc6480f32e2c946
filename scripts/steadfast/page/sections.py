"""What the page says about one data set, complete without its charts and scripts."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from steadfast.accuracy.scores import USUAL, Score
from steadfast.advice.recommendation import COMPARED_SIZE, largest_size
from steadfast.advice.words.chosen import HOW, chosen_in_words
from steadfast.page import text
from steadfast.page.data import asks_for_trust, best_point, recommended_point, score_of, selector_of
from steadfast.page.error_bounds import error_bounds_section
from steadfast.page.features import features_part, groups_part, runs_part
from steadfast.page.text import Markup, join, name, tag

#: Sign of each verdict, its words, and those of a study that does not ask which features to trust;
#: never colour alone.
VERDICTS = {
    "trust": ("✓", "Can be trusted", "Stable and accurate"),
    "caution": ("!", "Trust with caution", "Use with caution"),
    "nothing": ("✕", "Not to be trusted", "Left to chance"),
    "unjudged": ("–", "No recommendation", "No recommendation"),
}

#: A longer name of a selector is set smaller.
LONG_LABEL = 14

#: What the column of p-values says.
P_VALUES = (
    "p tests equal stability of a selector and the recommended one (Nogueira et al. 2018); it is "
    "not corrected for several tests."
)

STABILITY_NOTE = "0 is chance, 1 the same features in every run"

#: What a score of a classifier is.
_SCORED = {
    "accuracy": "share of test rows classified rightly by {}",
    "balanced_accuracy": "share of test rows classified rightly by {}, each class counted alike",
    "auc": "share of pairs of test rows of different classes that {} ranks rightly",
    "log_loss": "mean of −log p of the true class by {}; the lower the better",
    "brier": "mean squared error of the probabilities by {}; the lower the better",
}


def score_text(score: Score) -> Callable[[float | None], str]:
    """How a score is printed."""
    return text.accuracy if score.percent else text.plain_score


def verdict_text(evidence: Mapping[str, Any]) -> tuple[str, str]:
    """The sign and the words of the verdict; with caution, they name the reasons."""
    advice = evidence["advice"]
    sign, trusted, unasked = VERDICTS[advice["verdict"]]
    words = trusted if asks_for_trust(advice) else unasked
    if advice["verdict"] == "caution":
        words = f"{words}: {'; '.join(advice['doubts'])}"
    return sign, words


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
    command = evidence.get("next_command")
    if command:
        yield tag("p", "To keep rows that belong together in one part: ", tag("code", command))
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
        "on average, as the selector chose itself"
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
    """How many selectors there are without random selection."""
    return sum(not selector.get("baseline") for selector in evidence["selectors"])


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
    better = "the more accurate" if score.name in USUAL else f"the better by {score.noun}"
    yield tag(heading, f"Stability against {score.noun}" if scored else "Stability")
    size = text.count(_common_size(evidence), "feature")
    sized = "at its own best number of features"
    if evidence["advice"]["selector"] is None:
        sized = f"with {size}, or as many as it chooses itself"
    if scored:
        caption = [
            f"Each mark is a selector {sized}: to the right the more stable ({STABILITY_NOTE}), to "
            f"the top {better} ({label}). Thin bars are 95% intervals. The dashed line is the "
            "Pareto front: for the selectors on it, no other is both more stable and "
            f"{better.removeprefix('the ')}. {_marks(evidence)} Hover for values; click to show "
            "the selected features."
        ]
    else:
        caption = [
            f"Each mark is a selector {sized} ({STABILITY_NOTE}), with its 95% interval. This "
            "study measures no accuracy."
        ]
    yield tag("figure", tag("figcaption", *caption), class_="chart plane")
    yield tag(heading, "By number of features")
    yield tag("div", class_="controls")
    yield tag(
        "figure",
        tag(
            "figcaption",
            "Bold, with its 95% interval: the selector that you chose. "
            + ("Dashed: the recommended one. " if evidence["advice"]["selector"] else "")
            + "Dotted: random selection. Grey: all others. A knot (diamond) is the last size on "
            "the plateau of stability: features that come later are added more or less at random.",
        ),
        class_="chart curves",
    )


def _selectors(evidence: Mapping[str, Any], heading: str) -> Iterator[Markup]:
    """Every selector at its best size, the most stable first and random selection last."""
    scored, advice = bool(evidence["classifiers"]), evidence["advice"]
    score = score_of(evidence)
    if not evidence["selectors"]:
        return
    points = [(s, best_point(evidence, s)) for s in evidence["selectors"]]
    points.sort(key=_stability_order)
    header = [
        "Selector",
        "Features",
        "Stability",
        *([score.label, "Pareto front"] if scored else []),
    ]
    compared = advice["selector"] is not None
    header += [*(["p, against the recommended"] if compared else []), "Knot"]
    rows = []
    for selector, found in points:
        recommended = selector["id"] == advice["selector"]
        marks = [tag("span", "recommended", class_="mark")] if recommended else []
        marks += [tag("span", "at random", class_="mark plain")] if selector.get("baseline") else []
        if selector.get("barred"):
            marks.append(tag("span", f"not recommended: {selector['barred']}", class_="mark plain"))
        told = [selector.get("note"), chosen_in_words(selector.get("chosen") or {})]
        note = [tag("small", one, class_="note") for one in told if one]
        difference = selector.get("difference") or {}
        row = [join([name(selector["label"]), *marks, *note], " ")]
        row.append(text.size(found.size if found else None))
        row.append(text.with_interval(found and found.stability, text.stability))
        if scored:
            row.append(text.with_interval(found and found.accuracy, score_text(score)))
            row.append("on it" if selector.get("pareto") else text.NONE)
        row += [text.p_value(difference.get("p"))] if compared else []
        row.append(text.size(selector.get("knot")))
        rows.append(row)
    yield tag(heading, "All selectors")
    yield tag(
        "p",
        f"{_how_compared(evidence)}, with 95% intervals.",
        f" {P_VALUES}" if compared else None,
        *([f" {HOW}"] if any(one.get("chosen") for one in evidence["selectors"]) else []),
        class_="told",
    )
    numbers = [at for at, title in enumerate(header) if title not in ("Selector", "Pareto front")]
    marked = ["recommended" if s["id"] == advice["selector"] else None for s, _ in points]
    yield text.table(header, rows, numbers, marked, class_="selectors stack")


def _marks(evidence: Mapping[str, Any]) -> str:
    """What the marks of the chart stand for."""
    marks = ["a cross random selection", "a ring the selector that you chose"]
    if evidence["advice"]["selector"] is not None:
        marks.insert(0, "a star the recommended selector")
    if any(one.get("barred") for one in evidence["selectors"]):
        marks.insert(-1, "a diamond one that is never recommended")
    return f"Marks: {', '.join(marks)}."


def _how_compared(evidence: Mapping[str, Any]) -> str:
    """At which sizes selectors are compared."""
    if evidence["advice"]["selector"] is None:
        return f"Each with {text.count(_common_size(evidence), 'feature')}, or its own number"
    return (
        "Each at the number of features that would be recommended for it; random selection, and "
        "selectors that are never recommended, at the recommended one"
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
            f"{dataset['features']:,}" + (f", {categories} of categories" if categories else ""),
        ),
        ("Classes", tag("ul", *classes)),
        (
            "Groups of rows",
            f"{dataset['groups']:,}, kept together" if dataset.get("groups") else None,
        ),
        ("Missing values", dataset.get("missing") or "none"),
        ("Columns left out", tag("ul", *columns) if columns else "none"),
        ("Noticed when read", tag("ul", *noticed) if noticed else None),
        ("Runs", evidence["runs"]["told"]),
        ("Made smaller", tag("ul", *(tag("li", one) for one in fewer)) if fewer else None),
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
