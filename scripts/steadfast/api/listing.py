"""What can be asked for by name."""

import ast
from typing import Any

from steadfast.core import registry
from steadfast.measures import declarations


def list_measures() -> dict[str, str]:
    """Every stability measure: its name, and what it is in a line.

    `steadfast.stability` and `steadfast.stability_curve` take these names. Formulas, conditions and
    references stand in docs/measures.md.

    Examples
    --------
    >>> import steadfast
    >>> measures = steadfast.list_measures()
    >>> print(measures["nogueira"])
    Nogueira: of subsets, corrected for chance; Nogueira, Sechidis, Brown (2018)
    >>> len(measures) > 30
    True
    """
    return {name: _about_measure(about) for name, about in declarations().items()}


def _about_measure(about: Any) -> str:
    if about.same_as:
        return f"{about.label}: another name of {about.same_as}"
    facts = [f"of {about.takes}"]
    facts += ["a distance"] * about.distance + ["corrected for chance"] * about.corrected
    return f"{about.label}: {', '.join(facts)}; {about.source}"


def list_selectors() -> dict[str, str]:
    """Every selector of steadfast: its name, and what it is in a line.

    `steadfast.StabilityReport` and `steadfast.StableSelector` take these names; the classes are in
    `steadfast.selectors`.

    Examples
    --------
    >>> import steadfast
    >>> selectors = steadfast.list_selectors()
    >>> print(selectors["random"].split(";")[0])
    Rank the columns at random, whatever the data say
    >>> {"mid", "relieff", "svm_rfe", "random"} <= set(selectors)
    True
    """
    found = {}
    for path in sorted((registry.PACKAGE / registry.FOLDERS["selector"]).glob("*.py")):
        for node, name, settings in registry.find_decorated(path, "selector"):
            about = (ast.get_docstring(node) or "").partition("\n\n")[0].replace("\n", " ")
            fixed = [f"{key}={value!r}" for key, value in settings.get("fixed", {}).items()]
            parts = [about.rstrip("."), *fixed, settings.get("reference", "")]
            found[name] = "; ".join(part for part in parts if part)
    return found
