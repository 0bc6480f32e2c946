"""Tables, figures and claims about samples of the rows, groups of data sets, and experiments."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from figure_cases import chance, draw, legend_of, made, segments, stability, write_study

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import Table
from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.figures import samples as figures
from steadfast.outputs.intervals import Interval
from steadfast.outputs.results import Measure
from steadfast.outputs.sources.samples import Samples
from steadfast.outputs.tables import groups as tables
from steadfast.outputs.tables import samples
from steadfast.outputs.tables.experiments import effects_of
from steadfast.outputs.verdict import AGAINST, FOR
from steadfast.resampling.schemes.cross_validation import DISJOINT
from steadfast.selectors.running.fold_file import Selection

#: Value, low and high by size; the interval of the second ends at the bound of the measure.
INTERVALS = [(0.5, 0.4, 0.6), (0.95, 0.7, 1.0), (0.2, 0.0, 0.35)]
BOTH = {"selectors": ["mid", "miq"]}
JACCARD = Measure("jaccard", "all_pairs", "Jaccard", False)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


# Eleven samples, of which the last selects other features of six


CHOSEN = {"mid": [[0, 1]] * 10 + [[4, 5]], "miq": [[0, 1]] * 5 + [[0, 2]] * 5 + [[0, 1]]}


class Eleven(Samples):
    """Two features of six, as each sample selects them."""

    def __init__(self):
        self.heading, self.ties = "T", "random"
        self.selectors = {"mid": "MID", "miq": "MIQ"}

    def title(self, dataset):
        return dataset.capitalize()

    def features(self, dataset):
        return list("abcdef")

    def compared_folds(self, dataset, ratio):
        return [SimpleNamespace(name=name, comparison=at // 5) for at, name in enumerate(DISJOINT)]

    def selections(self, dataset, selector, *, ties):
        chosen = zip(DISJOINT, CHOSEN[selector], strict=True)
        return {name: Selection(np.array(one), np.ones(2), None) for name, one in chosen}


def test_the_table_of_eleven_samples_has_the_mean_overlaps_of_all_parts():
    table = samples.disjoint(Eleven(), dataset="wine", size=2, **BOTH)
    mid, miq = table.frame.to_dict("records")
    ten = (20 + 25 / 3) / 45
    assert list(mid.values()) == ["mid", *map(pytest.approx, (1, 0, 45 / 55, 1, 36 / 45))]
    assert (miq["ten"], miq["last"]) == pytest.approx((ten, (5 + 5 / 3) / 10))
    assert (miq["eleven"], miq["without last"]) == pytest.approx(((ten * 45 + 20 / 3) / 55, ten))
    assert (table.say["further"], table.say["rises"]) == (1, 1)


def test_selected_features_of_all_selectors_are_on_one_axis():
    entry = {"dataset": "wine", "size": 2, "ratio": 1.0, "disjoint": True}
    mid, miq = figures.picture(Eleven(), **entry, **BOTH).axes
    assert mid.get_xlim() == miq.get_xlim()
    overlaps = "Jaccard 1.00 among the ten samples, 0.00 between the last and the ten"
    assert mid.get_title("left") == f"(a) MID: 4 features, {overlaps}"
    assert miq.get_title("left").startswith("(b) MIQ: 3 features, ")
    assert mid.images[0].get_array()[[0, -1]].tolist() == [[1, 1, 0, 0], [0, 0, 2, 2]]  # 2 is red
    assert [line.get_ydata()[0] for line in mid.lines] == [10.5]


def test_folds_that_are_not_compared_are_parted_by_lines():
    ax, _ = figures.picture(Eleven(), dataset="wine", size=2, ratio=1.0, **BOTH).axes
    assert [line.get_ydata()[0] for line in ax.lines] == [5.5, 10.5]


def test_the_sample_without_a_common_row_stands_apart():
    (ax,) = figures.without_fold(Eleven(), dataset="wine", size=2, **BOTH).axes
    without = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    last = without["without sample 11, which shares no row with the others"]
    assert last == pytest.approx([1, (20 + 25 / 3) / 45])
    # Of 55 pairs of MID's samples, the ten with the last have nothing in common.
    whole = next(one for one in ax.collections if one.get_label() == "no sample left out")
    assert segments(whole)[0][0][0] == pytest.approx(45 / 55)


# Tied features, and how similar samples are


ORDERS = {"column": ([0, 1, 2], [0, 1, 2]), "random": ([0, 1, 2], [0, 2, 3])}


VALUES = {"mid": Interval(0.8, 0.7, 0.9), "miq": Interval(0.5, 0.4, 0.6)}


class Perturbed(Curves):
    """Two samples of a data set with four rows; ties at random take other features in each."""

    def __init__(self):
        self.selectors = {"mid": "MID", "miq": "MIQ"}

    def about(self, dataset):
        return {"features": 4}

    def size(self, dataset, size, smallest=1):
        return size

    def compared_folds(self, dataset, ratio):
        rows = (np.array([0, 2]), np.array([1, 2]))
        return [SimpleNamespace(name=name, train=one) for name, one in zip("ab", rows)]

    def selections(self, dataset, selector, *, ties):
        chosen = zip("ab", ORDERS[ties])
        return {name: SimpleNamespace(sequence=np.array(one)) for name, one in chosen}

    def table(self, dataset):
        X = np.array([[0.0, 0], [1, 1], [0, 0], [0, 1]])
        return Table(X, np.array([0, 0, 1, 1]), ("a", "b"), ("x", "y"))

    def interval(self, measure, dataset, ratio, selector, k):
        return VALUES[selector]

    def chance(self, measure, dataset):
        return SimpleNamespace(at=lambda k: 0.1)

    def zero_weights(self, dataset, ratio, selector):
        return 0.25


def test_ties_have_columns_by_size_and_the_paper_beside_them():
    table = samples.ties(
        Perturbed(),
        datasets=["wine"],
        ratio=1,
        sizes=[2, 3],
        selectors=["mid"],
        published={"wine": {"mid by column": 0.9}},
        weights=True,
    )
    columns = ["mid", "mid by column", "mid 3", "mid by column 3"]
    assert list(table.frame) == ["dataset", "size", *columns]
    assert table.frame[columns].iloc[0].tolist() == pytest.approx([1 / 3, 1, 0.5, 1])
    _, rows = table.texts({})
    assert [row[1:] for row in rows] == [
        ["as published", "0.900"],
        ["2", "0.333 → 1.000"],
        ["3", "0.500 → 1.000"],
        ["have a weight", "3"],
    ]


ALIKE = {"measure": JACCARD, "ratio": 1, "datasets": ["wine"], "size": 2, **BOTH}


def test_stability_has_marks_by_both_readings_of_the_similarity_of_samples():
    """Rows 0 and 1 of the first class are 1 apart, and row 2 of the second is in both samples."""
    table = samples.sample_similarity(Perturbed(), **ALIKE)
    row = table.frame.iloc[0]
    assert (row["distance"], row["similarity"]) == pytest.approx((0.5, 0.5))
    assert (row["mid stability"], row["miq stability"]) == (0.8, 0.5)
    (cells,) = table.texts({})[1]
    assert cells[-2:] == ["0.80 ± 0.10 ✓✓", "0.50 ± 0.10 ✓✓"]
    assert table.say["weightless"] == "MID 25%, MIQ 25%"


def test_readings_list_who_is_stable_beside_the_printed_value():
    table = samples.sample_readings(Perturbed(), **ALIKE, published={"wine": {"distance": 0.4}})
    rows = table.frame.set_index("reading")
    assert rows.loc["distance", ["value", "distinct rows"]].tolist() == pytest.approx([0.5, 1])
    assert (rows.loc["distance", "stable"], rows.loc["distance", "printed"]) == ("mid miq", 0.4)
    assert rows.loc["inverse_z", "value"] < 0.65 < rows.loc["inverse", "value"]


@pytest.mark.parametrize(("smallest", "k"), [(1, 1), (3, 3), (9, 5)])
def test_a_share_of_few_features_is_at_least_the_smallest_size(tmp_path, smallest, k):
    values = stability("mid", [(k / 10, k / 10 - 0.05, k / 10 + 0.02) for k in range(1, 6)])
    entry = {"kind": "perturbation", "size": 0.01, "smallest": smallest, "selectors": ["mid"]}
    resample = {"scheme": "perturbed", "perturbations": [1]}
    (ax,) = draw(tmp_path, entry, values, resample=resample).axes
    assert ax.get_title() == f"Wine, k = {k}"
    assert ax.lines[0].get_ydata() == pytest.approx([k / 10])
    (interval,) = segments(ax.collections[0])
    assert [end for _, end in interval] == pytest.approx([k / 10 - 0.05, k / 10 + 0.02])


def test_marks_at_named_ratios_have_a_row_per_selector(tmp_path):
    entry = {"kind": "perturbation", "size": 2, "ratios": [1], "selectors": ["mid"]}
    resample = {"scheme": "perturbed", "perturbations": [1]}
    figure = draw(tmp_path, entry, stability("mid", INTERVALS), resample=resample)
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["MID"]
    value, low, high = INTERVALS[1]
    assert ax.lines[0].get_xdata() == [value]
    assert [x for x, _ in segments(ax.collections[0])[0]] == [low, high]
    assert legend_of(figure) == ["100% of the rows drawn anew", "95% interval"]


# Groups of data sets


def test_selectors_of_a_data_set_lie_below_each_other_with_the_interval_of_the_file(tmp_path):
    curves = [*stability("mid", INTERVALS), *stability("miq", INTERVALS), *chance([0.25] * 5)]
    entry = {"kind": "dataset_groups", "size": 2, "dataset_groups": {"Few features": ["wine"]}}
    figure = draw(tmp_path, entry, curves)
    (ax,) = figure.axes
    value, low, high = INTERVALS[1]
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines[:2]]
    assert [x for x, _ in drawn] == [value, value]
    assert drawn[0][1] < 0 < drawn[1][1]
    reach = [segments(each)[0] for each in ax.collections[:2]]
    assert [(start[0], end[0]) for start, end in reach] == [(low, high)] * 2
    assert ax.get_title("left") == "Few features: mean 0.95"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Wine\n10 × 5, k = 2"]
    assert legend_of(figure) == [
        *("MID", "MIQ", "95% interval", "mean of the selectors", "random selection")
    ]


SHAPES = {"a": (10, 4), "b": (20, 400), "c": (30, 300), "d": (40, 2)}


class Four(Perturbed):
    """Stability of two selectors on four data sets; MID's rises with the rows."""

    def about(self, dataset):
        return dict(zip(("rows", "features"), SHAPES[dataset]))

    def interval(self, measure, dataset, ratio, selector, k):
        return Interval(SHAPES[dataset][0] / 40 if selector == "mid" else 0.5, 0, 1)


GROUPS = {"measure": JACCARD, "ratio": 1, "size": 2, **BOTH}
GROUPS["dataset_groups"] = {"many": ["b", "c"], "few": ["a", "d"]}


def test_groups_end_with_their_means_and_the_note_has_correlations():
    table = tables.dataset_groups(Four(), **GROUPS)
    assert table.frame["dataset"].tolist() == ["b", "c", "a", "d"]
    assert table.frame["mean"].tolist() == [0.5, 0.625, 0.375, 0.75]
    _, rows = table.texts({})
    assert rows[2] == ["**many**", "**mean**", *[""] * 3, "0.10", "0.62", "0.50", "0.56"]
    assert table.say == {"rows": pytest.approx(1), "features": pytest.approx(-0.4), "n": 4}


def test_means_of_groups_are_followed_by_their_range_and_what_they_go_with():
    table = tables.group_means(Four(), **GROUPS)
    rows = table.frame.set_index("row")
    assert rows["mid"].tolist()[:4] == pytest.approx([0.625, 0.625, 0, 1])
    assert rows.loc["correlation with rows at equal features", "mid"] == pytest.approx(1)
    assert np.isnan(rows.loc["correlation with rows", "miq"])
    assert rows["sets"].tolist() == [2, 2, 4, 4, 4, 4, 4]
    assert table.say["measured"].startswith("many: MID 0.62, MIQ 0.50; first minus last 0.12")


# Experiments


def test_cells_of_a_surface_print_their_numbers(tmp_path):
    rows = [(n, m, n / 100 + m / 1e5) for n in (20, 40) for m in (300, 600)]
    path = tmp_path / "mine/surface/wine/mid.tsv"
    write_with_manifest({path: table_to_bytes(("rows", "features", "value"), rows)})
    grid = {"relevant": 2, "irrelevant_after": 3}
    entry = {"kind": "surface", "dataset": "wine", "size": 2, "grid": grid, "selectors": ["mid"]}
    (ax,) = draw(tmp_path, entry).axes
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(0, 0): "0.20", (1, 0): "0.21", (0, 1): "0.40", (1, 1): "0.41"}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["300", "600"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["20", "40"]


def test_effects_of_a_plane_over_logarithms_are_its_slopes():
    rows, features = (side.ravel() for side in np.meshgrid([10.0, 20, 40], [100.0, 300, 900]))
    values = 0.2 + 0.1 * np.log2(rows) - 0.03 * np.log2(features)
    surface = pd.DataFrame({"rows": rows, "features": features, "value": values})
    end = -0.03 * np.log2(9)
    assert effects_of(surface) == pytest.approx([0.1, -0.03, end, end])


def write_variation(folder, selector, spreads, score=0.5):
    """The variation of a criterion whose score has these standard deviations, by step."""
    write_study(folder)
    header = ("step", "feature", "score", "score_sd", "relevance", "relevance_sd")
    header += ("redundancy", "redundancy_sd")
    rows = [(k, f"f{k}", score, sd, 0.5, 0.25, 0.5, 0.125) for k, sd in enumerate(spreads, 1)]
    path = folder / f"mine/criterion/wine/{selector}.tsv"
    write_with_manifest({path: table_to_bytes(header, rows)})


def test_the_spread_of_two_criteria_is_on_one_axis(tmp_path):
    limits = []
    for selector, sd in (("mid", 0.1), ("miq", 0.4)):
        write_variation(tmp_path, selector, [sd, sd])
        entry = {"kind": "criterion_variation", "dataset": "wine", "selector": selector}
        *_, spread = made(tmp_path, "figure", entry).axes
        assert spread.get_title().endswith(f"median {sd / 0.5:.0%}")
        limits.append(spread.get_ylim())
    assert limits[0] == limits[1]


def test_the_claim_says_whose_score_varies_more(tmp_path):
    write_variation(tmp_path, "mid", [float("nan"), 0.4, 0.6], score=2.0)
    write_variation(tmp_path, "miq", [0.1, 0.5, 0.2], score=2.0)
    entry = {"kind": "criterion_variation", "text": "T", "dataset": "wine"}
    claim = made(tmp_path, "claim", {**entry, "more": "mid", "than": "miq"})
    assert [(case.name, case.side) for case in claim.cases] == [
        ("step 2", AGAINST),
        ("step 3", FOR),
    ]
    assert claim.more.endswith("the standard deviation is 25% and 10%.")
    assert "| MID | 0.250 | 0.125 | 0.500 |" in claim.details({"selector": {"mid": "MID"}})
