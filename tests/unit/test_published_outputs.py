"""What stands beside published numbers: data sets, ranks, pairs of selectors, chosen subsets."""

from types import SimpleNamespace

import numpy as np
import pytest
from figure_cases import draw, legend_of, made

from steadfast.accuracy.scores import SCORES
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import Table, save
from steadfast.outputs.claims.published import PublishedCurves, best, pairs
from steadfast.outputs.figures import panels
from steadfast.outputs.intervals import Interval
from steadfast.outputs.published import Pair, to_csv
from steadfast.outputs.results import Measure, Score
from steadfast.outputs.tables.datasets import datasets
from steadfast.outputs.tables.readings import classifiers
from steadfast.outputs.verdict import AGAINST, FOR, OPEN
from steadfast.statistics.curve import Curve

CW, HAMMING = (
    Measure("cw", "chosen", "CW (weighted consistency)", False),
    Measure("hamming", "all_pairs", "Hamming", True),
)


def paired(table, row, column, published, ours, note=""):
    return Pair(table, row, column, published, ours, np.nan, np.nan, note)


def results(**more):
    """What the outputs know of a study of two data sets and two selectors."""
    about = {"features": 13, "rows": 178, "classes": {"a": 59, "b": 119}, "origin": "made up"}
    known = {
        "datasets": ["wine", "iris"],
        "ratios": [1.0],
        "selectors": {"mid": "MID", "miq": "MIQ"},
        "classifiers": {"knn": "3-NN", "svm": "SVM"},
        "about": lambda dataset: about,
        "title": str.capitalize,
        "is_run": lambda dataset, selector: True,
        "pairs": {},
    }
    return SimpleNamespace(**{**known, **more})


def test_sizes_of_data_sets_stand_beside_the_papers():
    printed = {"wine": {"features": 13, "instances": 99, "classes": 2}}
    printed["musk"] = {"features": 166, "instances": 476, "classes": 2}
    known = results(context={"stand_ins": {"port": "wine"}})
    found = datasets(known, published_as=printed)
    row = found.frame.iloc[0]
    assert (row["features"], row["published_instances"], row["smallest_class"]) == (13, "99", 59)
    _, cells = found.texts({})
    assert cells[0] == ["wine", "13", "178 (published: 99)", "2", "made up"]
    assert cells[1][1:4] == ["13", "178", "2"]
    assert found.notes[1] == "Wine stands in for the paper's port."
    assert found.notes[2].endswith("musk: 166 features, 476 instances, 2 classes.")
    alone = datasets(known, published_as={})
    assert "published" not in alone.to_csv().decode()
    assert not alone.notes


def test_classifiers_are_compared_at_the_sizes_that_all_share():
    values = {"mid": [0.5, 0.6, 0.9], "miq": [0.4, 0.7, 0.1]}

    def find(score, dataset, ratio, selector):
        if (dataset, score.classifier) == ("iris", "svm"):
            return None
        sizes = np.arange(1, 4) if score.classifier == "knn" else np.arange(1, 3)
        return Curve(sizes, np.array(values[selector])[: len(sizes)])

    scored = {name: Score(name, name, SCORES["accuracy"]) for name in ("knn", "svm")}
    known = results(find=find, scored=scored.get, score=SCORES["accuracy"])
    found = classifiers(
        known,
        datasets=["wine", "iris"],
        ratios=[1.0],
        selectors=["mid", "miq"],
        classifiers=["knn", "svm"],
    )
    (row,) = found.frame.to_dict("records")
    assert (row["dataset"], row["sizes"]) == ("wine", 2)
    assert (row["knn mid"], row["svm miq"]) == (pytest.approx(0.55), pytest.approx(0.55))
    assert found.texts({})[0][3:6] == ["3-NN: MID", "3-NN: MIQ", "3-NN: difference"]


# Claims


@pytest.mark.parametrize(("expect", "sides"), [("side", [FOR, AGAINST]), ("differs", [FOR])])
def test_the_best_lies_on_the_published_side_or_differs_between_data_sets(expect, sides):
    labels = {"none": "α = 0", "half": "α = 0.5", "all": "α = 1"}
    ranks = {"wine": [(1, 1.1), (2, 2), (3, 3)], "iris": [(3, 2), (2, 1.5), (1, 2)]}
    numbers = [
        paired("ranks", dataset, column, *values)
        for dataset, row in ranks.items()
        for column, values in zip(labels, row)
    ]
    known = results(selectors=labels, pairs={"ranks": numbers})
    found = best(known, table="ranks", pivot="half", expect=expect)
    assert [case.side for case in found.cases] == sides
    assert found.sentence.endswith("The one that is printed as the best is so on 1 of 2.")
    nothing = best(known, table="other", pivot="half")
    assert "config/published has no numbers" in nothing.sentence


def test_pairs_are_compared_under_every_measure_beside_the_published_difference():
    differences = {
        ("wine", "cw"): Interval(0.2, 0.1, 0.3),
        ("iris", "cw"): Interval(0.1, -0.1, 0.3),
        ("wine", "hamming"): Interval(0.2, 0.1, 0.3),
        ("iris", "hamming"): Interval(np.nan, np.nan, np.nan),
    }
    known = results(
        pairs={"t": [paired("t", "mid", "cw", 0.7, 0), paired("t", "miq", "cw", 0.5, 0)]},
        context={"table_datasets": {"t": "wine"}},
        difference=lambda measure, dataset, *rest: differences[dataset, measure.measure],
    )
    known.published_difference = lambda *given: PublishedCurves.published_difference(known, *given)
    found = pairs(known, pairs=[["mid", "miq"]], measures=[CW, HAMMING])
    assert [case.side for case in found.cases] == [FOR, OPEN, AGAINST]
    assert found.sentence.startswith("MID is more stable than MIQ in 1 of 3 cases (a measure and a")
    text = found.details({})
    assert "| +0.200 [+0.100, +0.300] ▲ (published: +0.200) | +0.200 [+0.100, +0.300] ▼ |" in text
    assert "CW: the interval lies on the side of the first in 1 of 2 cells, on that of the" in text
    assert "mean difference +0.150; published: higher in 1 of 1, lower in 0." in text


# Figures


def test_published_ranks_stand_in_the_rows_of_their_table(tmp_path):
    ranks = [
        paired("table7", "wine", "mid", 1.5, 1.2, "wine stands in for port"),
        paired("table7", "wine", "miq", 1.5, 1.8),
    ]
    write_with_manifest({tmp_path / "mine/published.csv": to_csv(ranks)})
    table = {"kind": "ranks", "title": "T", "of": "stability"}
    table["selectors"] = ["mid", "miq"]
    figure = draw(tmp_path, {"kind": "published"}, tables={"table7": table})
    (ax,) = figure.axes
    assert ax.get_title() == "Table 7: stability"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Wine *"]
    assert [line.get_xdata()[0] for line in ax.lines[:4]] == [1.5, 1.5, 1.2, 1.8]
    assert legend_of(figure) == [
        *("MID", "MIQ", "published", "reproduced", "* stands in for the paper's")
    ]


def write_subsets(folder, selector, subsets):
    """Chosen subsets of features f0, f1, … of five, a run each."""
    files = {}
    for run, subset in enumerate(subsets):
        order = [*subset, *sorted({*range(5)} - {*subset})]
        rows = [(r + 1, f"f{f}", 1, "yes" if f in subset else "no") for r, f in enumerate(order)]
        path = folder / f"mine/selections/wine/{selector}/s{run:03d}.tsv"
        files[path] = table_to_bytes(("rank", "feature", "weight", "selected"), rows)
    write_with_manifest(files, folder / f"mine/selections/wine/{selector}/batch0.sha256")


def test_subsets_of_two_searches_are_above_and_below_a_line(tmp_path):
    for selector in ("sfs1", "sffs1", "sfs2"):
        write_subsets(tmp_path, selector, [[0, 1], [0, 1, 2]])
    table = Table(np.zeros((4, 5)), np.arange(4) % 2, tuple(f"f{f}" for f in range(5)), ("a", "b"))
    save(table, {"title": "Wine"}, tmp_path / "data/wine.npz")
    selectors = {name: {"use": name.rstrip("12")} for name in ("sfs1", "sffs1", "sfs2", "sffs2")}
    rows = {"As published, wrong": ["sfs1", "sffs1"], "Corrected": ["sfs2", "sffs2"]}
    entry = {"kind": "subsets", "dataset": "wine", "rows": rows, "names": ["SFS", "SFFS"]}
    changes = {"selectors": selectors, "runs": [{"selectors": ["sffs2"], "runs": 0}]}
    changes["stability"] = {"compare": "chosen", "measures": ["cw"]}
    figure = made(tmp_path, "figure", entry, accuracy={"classifiers": {}}, **changes)
    sizes, frequencies, *_, below = figure.axes
    assert sizes.get_title(loc="left") == "(a) As published, wrong"
    assert frequencies.get_title(loc="right") == "SFS: 2 runs, SFFS: 2 runs"
    assert below.get_title(loc="right") == "SFS: 2 runs, SFFS: not run"
    heights = [bar.get_height() for bar in frequencies.patches]
    assert heights == [1, 1, 0.5, 0, 0, -1, -1, -0.5, 0, 0]
    colours = {np.sign(bar.get_height()): bar.get_facecolor() for bar in frequencies.patches}
    assert colours[1] != colours[-1]
    assert {bar.get_facecolor() for bar in below.patches if bar.get_height()} == {colours[1]}
    assert figure.get_figwidth() == panels.TWO_COLUMNS
