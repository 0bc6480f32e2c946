"""The methodology of a replication in print: data, selectors, folds, measures, cost."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steadfast.page import text
from steadfast.page.sections import definitions
from steadfast.page.text import Markup, tag
from steadfast.reports.kept import KeptRun


def data_table(kept: KeptRun) -> Markup:
    """Every data set of the paper's studies, with its origin and what it stands in for."""
    stands_in: dict[str, str] = {}
    for study in kept.about["studies"].values():
        stands_in |= study["stand_ins"]
    rows = [
        [
            one.get("title", name),
            f"{one['rows']:,}",
            f"{one['features']:,}",
            str(one["classes"]),
            stands_in.get(name, text.NONE),
            "; ".join(filter(None, [one["origin"], one.get("missing"), one.get("licence")])),
            tag("code", one["sha256"][:12]),
        ]
        for name, one in kept.about["datasets"].items()
    ]
    header = ["Data set", "Rows", "Features", "Classes", "Stands in for", "Origin and licence"]
    return text.table([*header, "SHA-256"], rows, [1, 2, 3], class_="stack")


def study_methods(study: Mapping[str, Any], datasets: Mapping[str, Any]) -> Markup:
    """How one study was done."""
    titles = [datasets[name].get("title", name) for name in study["datasets"]]
    facts = [
        ("Data sets", ", ".join(titles)),
        ("Folds", _folds(study["folds"])),
        ("Bins", _settings(study["bins"])),
        ("Selectors", _list(_selectors(study["selectors"]))),
        ("Before selection", _list(_transforms(study["transforms"]))),
        ("Subset sizes", study["sizes"]),
        ("Stability", "; ".join(study["measures"])),
        ("Accuracy", _list(_classifiers(study["classifiers"]))),
        ("Synthetic data", _settings(study["precision"] or {})),
        ("Fewer runs", _list(fewer_runs(study, datasets))),
        ("Left out", "; ".join(study["left_out"])),
    ]
    return definitions(facts)


def _folds(folds: Mapping[str, Any]) -> str:
    settings = {key: value for key, value in folds["settings"].items() if key != "scheme"}
    return f"{folds['how']} ({folds['settings']['scheme']}: {_settings(settings)})"


def _selectors(selectors: Mapping[str, Any]) -> Iterator[str]:
    for one in selectors.values():
        how = filter(None, [one["kind"], _settings(one["parameters"]), f"on {one['on']}"])
        yield f"{one['label']}: {', '.join(how)}"


def _transforms(transforms: Mapping[str, Any]) -> Iterator[str]:
    for one in transforms.values():
        yield f"{one['label']}: {one['note']}"


def _classifiers(classifiers: Mapping[str, Any]) -> Iterator[str]:
    for label, entry in classifiers.items():
        settings = {key: value for key, value in entry.items() if key != "kind"}
        yield f"{label}: {', '.join(filter(None, [entry['kind'], _settings(settings)]))}"


def fewer_runs(study: Mapping[str, Any], datasets: Mapping[str, Any]) -> Iterator[str]:
    """Selectors that were run on fewer folds than the study has, or on none."""
    full = study["folds"]["number"]
    for dataset, runs in study["runs"].items():
        title = datasets[dataset].get("title", dataset)
        if runs["most"] < full:
            yield f"{title}: {runs['most']} of {full} runs of each selector"
        by_number: dict[int, list[str]] = {}
        for selector, number in runs["fewer"].items():
            by_number.setdefault(number, []).append(selector)
        for number, selectors in sorted(by_number.items(), reverse=True):
            shown = f"{number} of {full} runs" if number else "not run"
            yield f"{title}: {shown}: {', '.join(selectors)}"


def cost_table(kept: KeptRun) -> Markup:
    """What each study took."""
    rows = [
        [
            name,
            f"{one['jobs']:,}",
            duration(one["cpu_seconds"]),
            f"{one['largest_job_mb']:,} MB" if one["largest_job_mb"] else text.NONE,
        ]
        for name, one in kept.about["studies"].items()
    ]
    header = ["Study", "Jobs", "CPU time", "Memory of the largest job"]
    return text.table(header, rows, [1, 2, 3])


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 5 min`."""
    minutes = round(seconds / 60)
    if seconds < 120:
        return f"{seconds:.0f} s"
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def _list(lines: Iterator[str]) -> Markup | str:
    """Lines as a list, nothing if there are none."""
    shown = [*lines]
    return tag("ul", *(tag("li", line) for line in shown)) if shown else ""


def _settings(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in settings.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({_settings(value)})"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(_value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
