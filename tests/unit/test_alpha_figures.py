"""Figures about α: what is drawn is what the files say, and no text hides another."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from test_figures import SCHEMA, hidden_texts

from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.experiments.alpha.curves import CURVES, UNITS
from steadfast.experiments.alpha.prediction import AIMS, HEADER
from steadfast.experiments.alpha.variance import HEADER as VARIANCE
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.alpha_predicted import _spread
from steadfast.outputs.shared.alpha import rule_label
from steadfast.outputs.view import View
from steadfast.study.context import output_context
from steadfast.study.load import kind_of, load_study

ALPHAS = (0, 0.5, 1)

#: Stability and accuracy for each α and MIQ; variance and noise of the criterion.
WORTH = {
    "one": ([0.2, 0.6, 0.4, 0.1], [0.5, 0.7, 0.9, 0.6]),
    "two": ([0.1, 0.3, 0.2, 0.2], [0.6, 0.8, 0.7, 0.5]),
    "three": ([0.9, 0.5, 0.1, 0.3], [0.6, 0.6, 0.4, 0.5]),
    "four": ([0.4, 0.4, 0.8, 0.7], [0.7, 0.6, 0.6, 0.7]),
}
SPREAD = ([0.01, 0.02, 0.06, 1e9], [0.1, 0.3, 0.2, 0.6])
TITLES = {"one": "Blocks, weak", "two": "Blocks, strong", "three": "Wine", "four": "Iris"}

#: Of each rule: α, size and loss on each data set; all aims alike.
RULES = {
    "best": ([0.5, 0.5, 0, 1], [1, 2, 5, 50], [0, 0, 0, 0]),
    "auto": ([0.4, 0.6, 0.1, 0.9], [2, 2, 4, 40], [0.1, 0.3, -0.01, 0.2]),
    "half": ([0.5] * 4, [10] * 4, [0, 0, 0.4, 0.4]),
    "nearest": ([0.5, 0.5, 1, 0], [2, 4, 5, 20], [0, 0, 0.8, 0.4]),
    "regression": ([0.5] * 4, [10] * 4, [0, 0, 0.4, 0.4]),
    "blind": ([np.nan] * 4, [np.nan] * 4, [0.2, 0.1, 0.4, 0.3]),
}
STUDY = {
    "title": "For tests",
    "datasets": list(WORTH),
    "discretise": {"fit_on": "train"},
    "resample": {"scheme": "subsample", "repeats": 2},
    "selectors": {
        "a": {"use": "mid_alpha", "alpha": "auto"},
        "b": {"use": "mid", "n_features_to_select": "auto"},
        "c": {"use": "mid_alpha", "alpha": "auto", "n_features_to_select": "auto"},
    },
    "sizes": {"largest": 2},
    "stability": {"compare": "all_pairs", "measures": ["nogueira"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
    "alpha": {
        "selectors": {"alpha": {"auto": "a"}, "size": {"auto": "b"}, "both": {"auto": "c"}},
        "classifier": "knn",
        "families": {"Noise": ["one", "two"], "Rows": ["two"]},
    },
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Files as the stages before write them, two folds and two sizes of the same value."""
    folder = tmp_path_factory.mktemp("results")
    names = [*map(str, ALPHAS), "miq"]
    for dataset, worth in WORTH.items():
        about = {"title": TITLES[dataset], "features": 2, "rows": 10, "classes": {"a": 5, "b": 5}}
        write_with_manifest({folder / f"data/{dataset}.json": json.dumps(about).encode()})
        by_name = list(zip(names, *worth, strict=True))
        parts = {
            "tsv": (CURVES, [(one, k, s, s, a) for one, s, a in by_name for k in (1, 2)]),
            "units.tsv": (UNITS, [(one, f, s, s, a) for one, s, a in by_name for f in "xy"]),
            "variance.tsv": (VARIANCE, [(*row, 0, 0) for row in zip(names, *SPREAD, strict=True)]),
            "facts.tsv": (("fact", "value"), [("rows", 10)]),
            "choices.tsv": (
                ("question", "rule", "precision"),
                [("alpha", "auto", 0.5 if dataset == "one" else "nan")],
            ),
        }
        path = folder / f"mine/alpha/{dataset}"
        files = {Path(f"{path}.{end}"): table_to_bytes(*part) for end, part in parts.items()}
        write_with_manifest(files)
    rows = [
        (question, aim, dataset, rule, alpha, k, *[0.5] * 3, *[lost] * 3)
        for question in ("alpha", "size")
        for aim in AIMS
        for rule, columns in RULES.items()
        for dataset, alpha, k, lost in zip(WORTH, *columns, strict=True)
    ]
    write_with_manifest({folder / "mine/alpha_rules.tsv": table_to_bytes(HEADER, rows)})
    return folder


@pytest.fixture
def draw(results, tmp_path):
    """Draws the only figure of a study; closed when the test ends."""
    figures = []

    def drawn(**entry):
        path = tmp_path / "mine.yaml"
        path.write_text(yaml.safe_dump({**STUDY, "figures": {"f": {"title": "F", **entry}}}))
        study = load_study(path, SCHEMA, list(WORTH))
        entry = study.figures["f"]
        kind = kind_of("figure", entry)
        context = output_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
        with panels.style():
            figures.append(kind.build(View(json.loads(json.dumps(context)), str(results))))
        return figures[-1]

    yield drawn
    for figure in figures:
        panels.pyplot().close(figure)


def legend_of(owner):
    return [text.get_text() for text in owner.get_texts()]


def lines_of(ax, length):
    """Values of lines of so many points."""
    return [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == length]


def dots_of(ax):
    return [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if is_dot(line)]


def is_dot(line):
    return len(line.get_xdata()) == 1


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "alpha_curves"},
        {"kind": "alpha_predicted", "question": "size", "rules": ["nearest"]},
        # Three data sets, and intervals that are wide.
        {"kind": "alpha_regret", "truth": "unknown"},
        {"kind": "alpha_variance"},
    ],
    ids=lambda entry: entry["kind"],
)
def test_no_text_hides_another(draw, entry):
    assert hidden_texts(draw(**entry), 100) == []


# Curves


def test_each_family_has_a_panel_and_the_others_one_with_their_mean(draw):
    noise, rows, others = draw(kind="alpha_curves", aim="stability", relative=False).axes
    assert [ax.get_title() for ax in (noise, rows, others)] == [
        "(a) Noise",
        "(b) Rows",
        "(c) Other data sets",
    ]
    assert np.array(lines_of(noise, 3)) == pytest.approx(
        np.array([WORTH["one"][0][:3], WORTH["two"][0][:3]])
    )
    assert dots_of(noise) == [(0.5, 0.6), (0.5, 0.3)]
    three, four, mean = lines_of(others, 3)
    assert mean == pytest.approx((three + four) / 2)
    assert legend_of(others.get_legend()) == ["mean of 2 data sets", "one data set"]
    assert noise.get_ylabel() == "Stability (Nogueira)"
    assert {ax.get_xlabel() for ax in (noise, rows, others)} == {"α, weight of relevance"}


def test_a_legend_says_what_differs_or_what_the_entry_does(draw):
    noise, rows, _ = draw(kind="alpha_curves").axes
    assert legend_of(noise.get_legend()) == ["weak", "strong"]
    assert legend_of(rows.get_legend()) == ["Blocks, strong"]
    noise, *_ = draw(kind="alpha_curves", labels={"two": "base"}).axes
    assert legend_of(noise.get_legend()) == ["Blocks, weak", "base"]


def test_differences_are_to_the_best_alpha_and_dots_do_not_hide_each_other(draw):
    noise, rows, _ = draw(kind="alpha_curves", aim="stability").axes
    one, two = lines_of(noise, 3)
    assert one == pytest.approx([-0.4, 0, -0.2])
    assert two == pytest.approx([-0.2, 0, -0.1])
    (_, first), (_, second) = dots_of(noise)
    assert first == 0 < second
    assert max(noise.get_yticks()) == 0
    shared = {
        line.get_color() for ax in (noise, rows) for line in ax.lines if not one_of_noise(line)
    }
    assert shared == {"#000000"}
    assert noise.get_ylabel() == "Difference to the best α:\nstability (Nogueira)"


def one_of_noise(line):
    """Whether it is drawn in a colour of its own, as what one family alone has."""
    return line.get_color() == panels.COLOURS[0]


# Predictions


def test_predictions_lie_beside_the_best_with_their_error(draw):
    axes = draw(kind="alpha_predicted").axes
    titles = [ax.get_title() for ax in axes]
    labels = [rule_label("alpha", rule) for rule in ("regression", "nearest", "auto")]
    assert [title.split("\n")[0][4:].lower() for title in titles] == [
        label.lower() for label in labels
    ]
    assert titles[0].endswith("mean error 0.25, ρ undefined")
    assert titles[1].endswith("mean error 0.50, ρ = −1.00")
    assert titles[2].endswith("mean error 0.10, ρ = 0.95")
    diagonal, others, families = axes[2].lines
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata())
    assert others.get_xydata() == pytest.approx(np.array([(0, 0.1), (1, 0.9)]))
    assert families.get_xydata() == pytest.approx(np.array([(0.5, 0.4), (0.5, 0.6)]))
    assert axes[0].get_xlabel() == "α: best afterwards"


def test_sizes_are_predicted_on_logarithmic_axes(draw):
    (ax,) = draw(kind="alpha_predicted", question="size", rules=["auto"]).axes
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xlim()[0] < 1 < 50 < ax.get_xlim()[1]
    _, others, families = ax.lines
    assert others.get_xydata() == pytest.approx(np.array([(5, 4), (50, 40)]))
    assert families.get_xydata() == pytest.approx(np.array([(1, 2), (2, 2)]))
    assert "mean error 3.0 features" in ax.get_title()


def test_a_rule_must_answer_what_is_asked(draw):
    with pytest.raises(UserError, match=r"f\.rules: knot is a rule for question: size"):
        draw(kind="alpha_predicted", rules=["auto", "knot"])
    with pytest.raises(UserError, match="all learn from other data sets"):
        draw(kind="alpha_predicted", rules=["average"])


def test_points_on_each_other_are_spread_the_same_way_every_time():
    places = np.array([(0.5, 0.5)] * 6 + [(0.9, 0.1)])
    spread = _spread(places)
    assert (spread == _spread(places)).all()
    assert (spread[0] == places[0]).all()
    assert (spread[-1] == places[-1]).all()
    off = np.abs(spread[:, None] - spread[None]).max(axis=2) + np.eye(7)
    assert off.min() > 0.015
    assert np.abs(spread - places).max() < 0.1


# Losses


@pytest.mark.parametrize("question", ["alpha", "size"])
def test_losses_are_strips_in_the_order_of_the_rules(draw, question):
    figure = draw(kind="alpha_regret", question=question)
    first, *_ = figure.axes
    rules = ("auto", "half", "nearest", "regression", "blind")
    assert [label.get_text().replace("\n", " ") for label in first.get_yticklabels()] == [
        rule_label(question, rule) for rule in rules
    ]
    assert [ax.get_title() for ax in figure.axes] == ["(a) Stability", "(b) Accuracy", "(c) Both"]
    for ax in figure.axes:
        strips = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == len(WORTH)]
        assert np.array(strips) == pytest.approx(np.array([RULES[rule][2] for rule in rules]))
        means = dots_of(ax)
        assert means == [(pytest.approx(np.mean(RULES[r][2])), at) for at, r in enumerate(rules)]
        low, high = ax.get_xlim()
        assert low < -0.01 < 0.8 < high
    assert legend_of(figure.legends[0]) == ["one data set", "mean", "95% interval of the mean"]


def test_losses_may_be_those_of_data_sets_whose_truth_is_not_known(draw):
    ax = draw(kind="alpha_regret", truth="unknown").axes[0]
    strips = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == len(WORTH) - 1]
    assert list(strips[0]) == RULES["auto"][2][1:]


# Variance


def test_variance_is_drawn_against_stability_and_miq_apart(draw):
    figure = draw(kind="alpha_variance")
    a, b, c, d = figure.axes[:4]
    assert [ax.get_title()[:3] for ax in (a, b, c, d)] == ["(a)", "(b)", "(c)", "(d)"]
    assert (a.get_xscale(), b.get_xscale(), c.get_xscale()) == ("log", "linear", "log")
    points = a.collections[0]
    expected = [
        place
        for stability, _ in WORTH.values()
        for place in zip(SPREAD[0][:3], stability[:3], strict=True)
    ]
    assert np.array(points.get_offsets()) == pytest.approx(np.array(expected))
    assert list(points.get_array()) == [*ALPHAS] * len(WORTH)
    # Of a quotient: beyond the axis, at its end.
    far = next(line for line in a.lines if line.get_label() == "MIQ, farther right")
    assert list(far.get_ydata()) == [stability[3] for stability, _ in WORTH.values()]
    assert set(far.get_xdata()) == {100 * 0.06}
    miq = next(line for line in b.lines if line.get_label() == "MIQ")
    assert set(miq.get_xdata()) == {0.6}
    ratios = np.array(c.collections[0].get_offsets())[:3, 0]
    assert ratios == pytest.approx(np.array([0.01, 0.02, 0.06]) / 0.03)
    assert not any(line.get_label().startswith("MIQ") for line in c.lines)
    assert "MIQ" in "".join(legend_of(figure.legends[0]))
    # Variance rises with α: within the data sets ρ is 0.5, 0.5, −1 and √¾.
    assert "mean ρ within data sets: 0.22" in c.get_title()
