"""McNemar's test, knots, means beside the paper's, and synthetic data."""

import numpy as np
import pytest
from figure_cases import chance, made, stability, write_study
from scipy.stats import binomtest

from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.data.sources.synthetic import synthetic
from steadfast.outputs.published import pair_means
from steadfast.statistics.p_values import mcnemar


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (3, 12), (10, 10), (0, 6), (40, 60)])
def test_mcnemars_test_is_the_binomial_one(first, second):
    wanted = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(wanted, abs=1e-12)
    assert mcnemar(second, first) == mcnemar(first, second)


def test_the_knot_is_where_stability_exceeds_chance_most(tmp_path):
    """Thirty features are always selected first, the others at random."""
    sizes = np.arange(1, 201)
    stable = np.minimum(sizes, 30)
    rest = (sizes - stable) ** 2 / 170
    value = (stable + rest) / (2 * sizes - stable - rest)
    curves = stability("mid", [(one,) * 3 for one in value])
    write_study(tmp_path, [*curves, *chance(sizes / (400 - sizes))])
    entry = {"kind": "knots", "smallest": 10}
    knot, _ = made(tmp_path, "table", entry).frame.to_dict("records")
    assert (knot["size"], knot["stability"], knot["begins"]) == (30, 1, 10)
    assert knot["excess"] == pytest.approx(1)
    none, _ = made(tmp_path, "table", {**entry, "smallest": 30}).frame.to_dict("records")
    assert none["size"] is None


def test_means_are_put_beside_the_papers(tmp_path):
    rows = [["wine", "a", 0.2], ["iris", "a", 0.4], ["wine", "b", 0.6], ["iris", "b", 0.8]]
    path = tmp_path / "table2.csv"
    text = "dataset,selector,jaccard\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    write_with_manifest({path: text.encode()})
    published = [
        {"table": "table2", "row": row, "column": f"{name} jaccard", "value": value}
        for row, name, value in (("x", "a", "0.1"), ("y", "a", "0.3"), ("x", "b", "0.5"))
    ]
    pairs = pair_means(published, [path], {"table2": ["jaccard"]})
    assert [(p.column, p.published, p.ours) for p in pairs] == [
        ("a", pytest.approx(0.1), pytest.approx(0.3)),  # over the row that both have
        ("b", pytest.approx(0.5), pytest.approx(0.7)),
    ]
    assert pairs[0].note.endswith("1 of 2 printed rows")


def test_synthetic_data_hold_what_their_names_say():
    settings = {"rows": 400, "features": 50, "relevant": 5, "redundant": 10, "noise": 0.1}
    frame, digest = synthetic("made", settings)
    assert digest == synthetic("made", settings)[1]
    assert digest != synthetic("made", {**settings, "seed": 2})[1]
    column = {name: at for at, name in enumerate(frame.features)}
    assert frame.X.shape == (400, 50)
    assert sum(name.startswith("noise") for name in column) == 35
    copy, source = frame.X[:, column["copy_1_of_3"]], frame.X[:, column["relevant_3"]]
    assert np.std(copy - source) == pytest.approx(0.1, rel=0.2)
    assert sorted(np.unique(frame.labels, return_counts=True)[1]) == [200, 200]
    with pytest.raises(UserError, match="do not fit"):
        synthetic("made", {**settings, "redundant": 46})
    with pytest.raises(UserError, match="no `relevant`"):
        synthetic("made", {"rows": 10, "features": 5})
