"""Verdicts in print: told by word and shape, so that colour is never needed."""

from collections.abc import Mapping

from steadfast.page.text import Markup, tag

#: From the best to the least, each with its class and the shape before the word.
VERDICTS = {
    "holds": ("holds", "M2 9 l4 4 l8 -10"),
    "holds in part": ("part", "M3 8 h10"),
    "does not hold": ("not", "M3 3 l10 10 M13 3 l-10 10"),
    "cannot be tested here": ("untested", "M5 5.5 a3 3 0 1 1 3.8 2.9 q-.8 .3 -.8 1.6 M8 13 v.1"),
}


def badge(verdict: str) -> Markup:
    """A verdict beside its claim."""
    kind, _ = VERDICTS[verdict]
    return tag("span", shape(verdict), verdict, class_=f"badge {kind}")


def shape(verdict: str) -> Markup:
    """The mark of a verdict, without its word."""
    _, path = VERDICTS[verdict]
    return tag("svg", tag("path", d=path), class_="shape", viewBox="0 0 16 16", aria_hidden="true")


def tiles(counts: Mapping[str, int]) -> Markup:
    """How many claims have each verdict, in large print."""
    return tag(
        "ul",
        *(
            tag(
                "li",
                tag("strong", counts.get(verdict, 0)),
                tag("span", shape(verdict), verdict),
                class_=f"tile {kind}",
            )
            for verdict, (kind, _) in VERDICTS.items()
        ),
        class_="tiles",
    )


def bar(counts: Mapping[str, int]) -> Markup:
    """The same as one bar, in parts as long as their counts."""
    total, parts, start = sum(counts.values()), [], 0.0
    for verdict, (kind, _) in VERDICTS.items():
        length = 100 * counts.get(verdict, 0) / total if total else 0
        if length:
            title = tag("title", f"{verdict}: {counts[verdict]} of {total}")
            place = {"x": f"{start:.2f}", "width": f"{length:.2f}", "height": 8}
            parts.append(tag("rect", title, class_=kind, **place))
        start += length
    return tag(
        "svg",
        *parts,
        class_="share",
        viewBox="0 0 100 8",
        preserveAspectRatio="none",
        role="img",
        aria_label=", ".join(f"{verdict}: {counts.get(verdict, 0)}" for verdict in VERDICTS),
    )
