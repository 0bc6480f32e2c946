"""Readings of a paper, their errors, profiles and sweeps: what tables, figures and claims show."""

from types import SimpleNamespace

import numpy as np
import pytest
from figure_cases import accuracy, draw, hidden_texts, legend_of, made, stability, write_study
from matplotlib.text import Annotation
from scipy.stats import t as student

from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.outputs.claims.by_table import by_table
from steadfast.outputs.curves import Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.results import Measure
from steadfast.outputs.tables.readings import (
    compare_errors,
    expected_overlap,
    pool,
    pool_size,
    random_choice,
    tradeoff,
)

SELECTORS = {
    "mid": {"label": "mRMR"},
    "carried": {"use": "mrsmr", "carry": "results"},
    "leaking": {"use": "mrsmr", "rows": "all"},
}
#: Stability of each fold, and accuracy of both by size.
UNITS = {"mid": [0.7, 0.8], "carried": [0.9, 0.96], "leaking": [0.75, 0.79]}
SCORES = {
    "mid": {1: [0.5, 0.6], 2: [0.8, 0.9], 3: [0.8, 0.88]},
    "carried": {1: [0.5, 0.5], 2: [0.7, 0.8], 3: [0.9, 0.98]},
    "leaking": {1: [0.6, 0.6], 2: [0.8, 0.8], 3: [0.8, 0.81]},
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


def parts(selector, values, **about):
    """Rows of the folds' parts in mean stability."""
    curve = stability(selector, [(value, 0, 1) for value in values], **about)
    return [{**row, "size": None, "fold": fold} for row, fold in zip(curve, "abcdef")]


def make(folder, sort, entry, **changes):
    """What is made of the readings above."""
    units = [row for name, values in UNITS.items() for row in parts(name, values)]
    units += [row for name, values in SCORES.items() for row in accuracy(name, values)]
    write_study(folder, [row for name in UNITS for row in stability(name, [(0.8, 0, 1)])], units)
    return made(folder, sort, entry, **{"selectors": SELECTORS, **changes})


def resampled(units):
    """Nadeau and Bengio's interval with as many test rows as training rows."""
    half = student.ppf(0.975, len(units) - 1) * np.std(units, ddof=1) * np.sqrt(1 / len(units) + 1)
    return np.mean(units) - half, np.mean(units) + half


def test_readings_have_paired_intervals_of_their_differences(tmp_path):
    entry = {"kind": "readings", "reference": "mid", "selectors": ["carried", "leaking"]}
    table = make(tmp_path, "table", entry)
    assert table.frame["sees"].tolist() == [
        "its training rows",
        "its training rows, the runs before it",
        "all rows, those that test too",
    ]
    carried = table.frame.iloc[1]
    half = student.ppf(0.975, 1) * np.std([0.2, 0.16], ddof=1) / np.sqrt(2)
    assert carried["stability"] == pytest.approx(0.93)
    assert carried["difference"] == pytest.approx(0.18)
    assert carried["difference high"] == pytest.approx(0.18 + half)
    assert carried["relative"] == pytest.approx(0.18 / 0.75)
    gains = np.mean(
        [np.subtract(SCORES["carried"][k], SCORES["mid"][k]) for k in (1, 2, 3)], axis=0
    )
    assert carried["accuracy difference"] == pytest.approx(gains.mean())
    assert [carried["accuracy low"], carried["accuracy high"]] == pytest.approx(resampled(gains))
    _, (first, second, _) = table.texts({})
    assert (first[4:6], first[7], second[5]) == (["–", "–"], "–", "+24.0%")


def test_the_best_is_ahead_of_all_others_by_intervals(tmp_path):
    entry = {"kind": "highest", "text": "So.", "best": "mid", "selectors": [*UNITS]}
    found = make(tmp_path, "claim", entry)
    assert [case.name for case in found.cases] == ["stability on Wine", "accuracy on Wine"]
    assert found.more == (
        "By the means, on Wine carried is the most stable and mRMR the most accurate."
    )


def test_accuracy_grows_beyond_a_size_or_not(tmp_path):
    entry = {"kind": "plateau", "text": "So.", "size": 2, "selectors": ["mid", "carried"]}
    found = make(tmp_path, "claim", entry)
    low, high = resampled([0.2, 0.18])
    assert found.cases[1].value == pytest.approx(0.19)
    lines = found.details({})
    assert (
        f"| carried | 0.750 | 0.940 (3) | +0.190 [{low:+.3f}, {high:+.3f}] | 0.940 (3) | 3 |"
        in lines
    )
    assert "| mid | 0.850 | 0.840 (3) |" in lines
    assert found.shows == "Accuracy grows by less than 0.01 beyond 2 features"
    classifiers = {"knn": {"sizes": [5, 10]}}
    with pytest.raises(UserError, match="must be scored at 10 features and at more"):
        make(tmp_path, "claim", {**entry, "size": 10}, accuracy={"classifiers": classifiers})


def test_accuracy_is_the_best_at_sizes_that_are_stable_enough(tmp_path):
    values = {"mid": [(0.9, 0, 1), (0.7, 0, 1), (0.8, 0, 1)], "miq": [(0.4, 0, 1)] * 3}
    curves = [row for name, own in values.items() for row in stability(name, own)]
    scores = {1: [0.5, 0.5], 2: [0.9, 0.9], 3: [0.9, 0.9]}
    write_study(tmp_path, curves, [row for name in values for row in accuracy(name, scores)])
    entry = {"kind": "at_stability", "levels": [0.5, 0.8, 0.85]}
    _, cells = made(tmp_path, "table", entry).texts({})
    assert [row[2:] for row in cells] == [
        ["0.900 (2)", "–"],
        ["0.900 (3)", "–"],
        ["0.500 (1)", "–"],
    ]


# Errors


def test_selectors_as_good_as_the_best_are_found():
    wrong = {"good": range(10), "same": range(12), "bad": range(40), "none": range(0)}
    outcomes = {name: (set(map(str, rows)), 100) for name, rows in wrong.items()}
    errors, best = compare_errors({**outcomes, "none": (set(), 0)})
    assert errors == {"good": 0.1, "same": 0.12, "bad": 0.4}
    assert best == {"good", "same"}
    assert compare_errors({"none": (set(), 0)}) == ({}, set())


def test_the_choice_is_the_most_stable_of_the_best_that_a_page_judges():
    wrong = {"good": range(10), "same": range(12), "reading": range(10), "bad": range(40)}
    stable = {"good": 0.5, "same": 0.7, "reading": 0.8, "bad": 0.9}
    curves = SimpleNamespace(
        outcomes=lambda score, dataset, ratio, name, k: ({*map(str, wrong[name])}, 100),
        interval=lambda measure, dataset, ratio, name, k: SimpleNamespace(
            mean=stable[name], half=0.01
        ),
        context={"judged": ["good", "same", "bad"]},
        selectors={name: name for name in wrong},
        labels_of=lambda names: {name: name for name in names},
    )
    jaccard = Measure("jaccard", "all_pairs", "S_S", False)
    known = {"datasets": ["wine"], "ratio": 1.0, "selectors": [*wrong], "classifier": None}
    table = tradeoff(curves, measure=jaccard, sizes=[5], **known)
    assert table.frame["choice"].tolist() == ["same"]
    _, (cells,) = table.texts({})
    assert cells[2:] == [
        *("*10.00 – 0.50 ± 0.01*", "*12.00 – 0.70 ± 0.01*", "*10.00 – 0.80 ± 0.01*"),
        *("40.00 – 0.90 ± 0.01", "same"),
    ]


def test_errors_need_the_rows_that_were_wrong_at_their_sizes(tmp_path):
    entry = {"kind": "tradeoff", "sizes": [10, 20]}
    with pytest.raises(UserError, match=r"accuracy\.classifiers\.knn\.outcomes: true"):
        made(tmp_path, "table", entry)
    svm = {"outcomes": True, "sizes": [10, 30]}
    with pytest.raises(UserError, match="sizes: 20 is not among the sizes that are scored"):
        made(tmp_path, "table", entry, accuracy={"classifiers": {"svm": svm}})


# Profiles

MEASURES = {"pearson": 0.9, "spearman": 0.8, "spearman_random_ties": 0.3, "jaccard": 0.7}


def test_a_profile_takes_subsets_at_their_size_and_whole_rankings(tmp_path):
    curves = [
        row
        for name, value in MEASURES.items()
        for row in stability(
            "mid", [(0.1, 0, 0.2), (value, value - 0.01, value + 0.01)], measure=name
        )
    ]
    write_study(tmp_path, curves)
    measured = {"compare": "all_pairs", "measures": [*MEASURES]}
    table = made(tmp_path, "table", {"kind": "profile", "size": 1}, stability=measured)
    assert table.frame.iloc[0][list(MEASURES)].tolist() == [0.9, 0.8, 0.3, 0.1]
    _, cells = table.texts({})
    assert cells[0][2:] == [
        *("90.00 ± 1.00", "80.00 ± 1.00", "30.00 ± 1.00", "10.00 ± 10.00", "–", "0.18")
    ]
    assert cells[1][2:] == ["–"] * 6
    with pytest.raises(UserError, match="pearson is not measured by all_pairs"):
        made(tmp_path, "table", {"kind": "profile"})


def test_overlaps_as_kalousis_2005_prints_them():
    for tanimoto, overlap in ((0.7295, 8.43), (0.5529, 7.12), (0.3410, 5.08)):
        assert expected_overlap(tanimoto, 10) == pytest.approx(overlap, abs=0.011)


def test_a_random_choice_among_features_without_weight_stands_beside_the_printed():
    stable = {"info_gain": 0.7, "reversed": 0.04}
    curves = SimpleNamespace(
        about=lambda dataset: {"features": 20},
        zero_weights=lambda dataset, ratio, name: 0.5,
        measure=lambda query: None,
        value=lambda measure, dataset, ratio, name, k: stable[name],
        selectors={name: name for name in stable},
        labels_of=lambda names: {name: name for name in names},
    )
    known = {"datasets": ["wine"], "ratio": 1.0, "selector": "info_gain", "selectors": [*stable]}
    printed = {"wine 10": {"info_gain stability": 0.01}}
    table = pool(curves, **known, sizes=[10], printed=printed)
    (row,) = table.frame.to_dict("records")  # as many without weight as the only size
    assert (row["zero_weights"], row["others"], row["published"]) == (10, 10, 0.01)
    assert (row["info_gain stability"], row["reversed stability"]) == (0.7, 0.04)
    assert row["reversed pool"] == pytest.approx(10 * 1.04 / 0.08)
    assert row["published_pool"] == pytest.approx(505)
    assert row["random_of_zero"] == pytest.approx(1)


def test_a_pool_is_found_again():
    assert random_choice(289, 10) == pytest.approx(10 / (2 * 289), rel=0.1)
    assert pool_size(random_choice(4000, 50), 50) == pytest.approx(4000, rel=0.05)
    assert np.isnan([random_choice(2, 3), pool_size(0.0, 10)]).all()


# Figures

#: Stability and accuracy at 2, 5, 20 and 100 features, as measured in the study ji2015.
JI = {
    "mrsmr": [(0.766, 0.748), (0.928, 0.933), (0.925, 0.979), (0.889, 0.983)],
    "mid": [(0.721, 0.734), (1.0, 0.942), (0.913, 0.978), (0.906, 0.983)],
    "relieff": [(0.677, 0.391), (0.794, 0.66), (0.889, 0.85), (0.909, 0.969)],
    "ensemble_mid": [(0.766, 0.748), (0.96, 0.939), (0.914, 0.979), (0.906, 0.983)],
    "random": [(0.008, 0.329), (0.006, 0.573), (0.0, 0.899), (-0.01, 0.973)],
}
MARKED = [2, 5, 20, 100]


def places(selector, points, sizes):
    """Rows of a curve of stability, and of the accuracies of two folds."""
    curve = stability(selector, [(value,) * 3 for value, _ in points], sizes)
    return curve, accuracy(selector, {k: [v, v] for k, (_, v) in zip(sizes, points)})


def test_no_label_of_a_plane_lies_on_another(tmp_path):
    """Three of the methods nearly coincide."""
    both = [places(name, points, MARKED) for name, points in JI.items()]
    curves, units = ([row for pair in both for row in pair[at]] for at in (0, 1))
    zoom = {"stability": [0.75, 1.01], "accuracy": [0.925, 0.99]}
    entry = {"kind": "plane", "marked": MARKED, "zoom": zoom}
    selectors = {name: {"use": "mid"} for name in JI}
    figure = draw(tmp_path, entry, curves, units, selectors=selectors)
    written = [text for text in figure.findobj(Annotation) if text.get_text()]
    assert len(written) == len(JI) * len(MARKED)
    assert figure.get_figwidth() <= panels.TWO_COLUMNS
    # As it is written: SVG has 72 dots per inch, PNG 200.
    assert [hidden_texts(figure, dpi) for dpi in (72, 200)] == [[], []]
    zoom["accuracy"].reverse()
    with pytest.raises(UserError, match=r"zoom\.accuracy: 0\.99 is not below 0\.925"):
        draw(tmp_path, entry, curves, units, selectors=selectors)


def test_values_of_a_sweep_are_evenly_spaced_after_the_reference(tmp_path, monkeypatch):
    runs = {
        "f1": SimpleNamespace(iterations=2, note=""),
        "f2": SimpleNamespace(iterations=4, note=""),
    }
    runs["f3"] = SimpleNamespace(iterations=9, note="took too long")
    monkeypatch.setattr(Selections, "selections", lambda *query: runs)
    values = (0, 0.01, 0.03, 0.1, 1, 10)
    swept = {f"kappa_{value}": {"use": "mrsmr", "kappa": value} for value in values}
    selectors = {**swept, "mid": {"label": "mRMR"}}
    both = [places(name, [(0.9, 0.97), (0.8, 0.98)], [10, 20]) for name in selectors]
    curves, units = ([row for pair in both for row in pair[at]] for at in (0, 1))
    sweep = {"parameter": "kappa", "label": "κ", "selectors": [*swept]}
    entry = {"kind": "sensitivity", "dataset": "wine", "marked": [10, 20], "reference": "mid"}
    figure = draw(tmp_path, {**entry, "sweeps": [sweep]}, curves, units, selectors=selectors)
    below = figure.axes[1]
    ticks = [label.get_text() for label in below.get_xticklabels()]
    assert ticks == ["mRMR", *(f"{value:g}\n3" for value in values)]
    assert below.get_xticks().tolist() == list(range(-1, 6))
    assert legend_of(figure) == ["10 features", "20 features", "mRMR", "95% interval"]
    assert hidden_texts(figure, 100) == []
    sweep["parameter"] = "epsilon"
    with pytest.raises(UserError, match="epsilon is the same in all of its selectors"):
        draw(tmp_path, {**entry, "sweeps": [sweep]}, selectors=selectors)
    sweep["parameter"] = "colour"
    with pytest.raises(UserError, match="colour of kappa_0 is None, no number"):
        draw(tmp_path, {**entry, "sweeps": [sweep]}, selectors=selectors)


# Claims about rows of a table


def test_a_claim_may_subtract_the_row_of_another_selector(tmp_path):
    rows = [
        ("dataset", "selector", "spearman"),
        *(("wine", "mid", 0.8), ("wine", "miq", 0.95), ("iris", "mid", 0.7), ("iris", "miq", 0.2)),
        *(("mean", "mid", 0.75), ("mean", "miq", 0.6)),
    ]
    files = {"csv": "".join(",".join(map(str, row)) + "\n" for row in rows), "md": "printed"}
    written = {tmp_path / f"t.{ending}": content.encode() for ending, content in files.items()}
    write_with_manifest(written, tmp_path / "t.sha256")
    results = SimpleNamespace(
        paths=lambda place, ending, table: str(tmp_path / f"{table}.{ending}"),
        labels={"dataset": {"wine": "Wine"}},
        entry={"number": 1},
    )
    test = {"rows": {"selector": "mid"}, "columns": ["spearman"], "minus": {"selector": "miq"}}
    found = by_table(results, table="t", shows="So", case="a", cases=[{**test, "above": 0}])
    apart = [(case.name, case.side, case.value) for case in found.cases]
    assert apart == [("Wine", -1, pytest.approx(-0.15)), ("iris", 1, pytest.approx(0.5))]
    with pytest.raises(UserError, match=r"0 rows are {'selector': 'none'}"):
        by_table(
            results,
            table="t",
            shows="So",
            case="a",
            cases=[{**test, "minus": {"selector": "none"}, "above": 0}],
        )


def test_a_claim_about_a_table_names_selectors_of_the_study(tmp_path):
    test = {"rows": {"selector": "mix"}, "columns": ["x"], "above": 0}
    entry = {"kind": "by_table", "text": "So.", "table": "t", "shows": "So", "case": "a"}
    with pytest.raises(UserError, match=r"claims\.0\.cases\.0\.rows\.selector: .*mix"):
        made(
            tmp_path,
            "claim",
            {**entry, "cases": [test]},
            tables={"t": {"kind": "orders", "title": "T", "selectors": ["mid", "miq"]}},
        )
