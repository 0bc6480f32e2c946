"""Figures about α: what is drawn is what the files say, and no text hides another."""

import alpha_results
import numpy as np
import pytest
from figure_cases import hidden_texts

from steadfast.core.errors import UserError
from steadfast.outputs.figures import panels

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
FAMILIES = {"Noise": ["one", "two"], "Rows": ["two"]}

#: Of each rule: α, size and loss on each data set; all aims alike.
RULES = {
    "best": ([0.5, 0.5, 0, 1], [1, 2, 5, 50], [0, 0, 0, 0]),
    "auto": ([0.4, 0.6, 0.1, 0.9], [2, 2, 4, 40], [0.1, 0.3, -0.01, 0.2]),
    "half": ([0.5] * 4, [10] * 4, [0, 0, 0.4, 0.4]),
    "nearest": ([0.5, 0.5, 1, 0], [2, 4, 5, 20], [0, 0, 0.8, 0.4]),
    "regression": ([0.5] * 4, [10] * 4, [0, 0, 0.4, 0.4]),
    "blind": ([np.nan] * 4, [np.nan] * 4, [0.2, 0.1, 0.4, 0.3]),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    for dataset, (stability, accuracy) in WORTH.items():
        worth, spreads = zip(stability, stability, accuracy), zip(*SPREAD)
        precision = 0.5 if dataset == "one" else np.nan
        choices = [("size", "auto", 0.5, 2, 0, 0, precision, precision, 1)]
        own = worth, spreads, choices, {}, TITLES[dataset]
        alpha_results.write_dataset(folder, dataset, *own)
    rows = [
        (question, aim, dataset, rule, alpha, k, *[0.5] * 3, *[lost] * 3)
        for question in ("alpha", "size")
        for aim in ("stability", "accuracy", "both")
        for rule, columns in RULES.items()
        for dataset, alpha, k, lost in zip(WORTH, *columns, strict=True)
    ]
    alpha_results.write_rules(folder, rows)
    return folder


@pytest.fixture
def draw(results):
    """Draws a figure; closed when the test ends."""
    figures = []

    def drawn(kind, **entry):
        context = {"datasets": list(WORTH), "dataset_families": FAMILIES}
        with panels.style():
            figures.append(alpha_results.make(results, "figure", kind, context, **entry))
        return figures[-1]

    yield drawn
    for figure in figures:
        panels.pyplot().close(figure)


def legend_of(owner):
    return [text.get_text() for text in owner.get_texts()]


def lines_of(ax):
    """Values of lines over all α; after them come a gap and the dot at the best."""
    return np.array([line.get_ydata()[:3] for line in ax.lines])


def dots_of(ax):
    return [tuple(line.get_xydata()[-1]) for line in ax.lines]


def points_of(ax):
    """The points of other data sets, and of those of a family."""
    return [np.array(points.get_offsets()) for points in ax.collections]


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("alpha_curves", {}),
        ("alpha_predicted", {"question": "size", "rules": ["nearest"]}),
        ("alpha_regret", {}),
        ("alpha_variance", {}),
    ],
)
def test_no_text_hides_another(draw, kind, entry):
    assert hidden_texts(draw(kind, **entry), 100) == []


def test_each_family_has_a_panel_and_the_others_one_with_their_mean(draw):
    noise, rows, others = draw("alpha_curves", aim="stability").axes
    titles = [ax.get_title() for ax in (noise, rows, others)]
    assert titles == ["(a) Noise", "(b) Rows", "(c) Other data sets"]
    assert lines_of(noise) == pytest.approx(np.array([[-0.4, 0, -0.2], [-0.2, 0, -0.1]]))
    three, four, mean = lines_of(others)
    assert mean == pytest.approx((three + four) / 2)
    assert legend_of(others.get_legend()) == ["one data set", "mean of 2 data sets"]
    assert noise.get_ylabel() == "Difference to the best α:\nstability (Nogueira)"
    # Both are best at 0.5: the second dot is above the first.
    (first, low), (second, high) = dots_of(noise)
    assert first == second == 0.5
    assert low == 0 < high
    assert max(noise.get_yticks()) == 0


def test_a_legend_has_titles_or_what_the_entry_says(draw):
    noise, *_ = draw("alpha_curves", aim="accuracy", labels={"two": "base"}).axes
    assert legend_of(noise.get_legend()) == ["Blocks, weak", "base"]
    assert noise.get_ylabel().endswith("accuracy (3-NN)")


def test_predictions_lie_beside_the_best_with_their_error(draw):
    axes = draw("alpha_predicted").axes
    assert [ax.get_title() for ax in axes] == [
        "(a) Regression on characteristics\nmean error 0.25, ρ undefined",
        "(b) Best on the five most similar data sets\nmean error 0.50, ρ = −1.00",
        "(c) Auto, inside the training rows\nmean error 0.10, ρ = 0.95",
    ]
    others, families = points_of(axes[2])
    assert others == pytest.approx(np.array([(0, 0.1), (1, 0.9)]))
    assert families == pytest.approx(np.array([(0.5, 0.4), (0.5, 0.6)]))
    # The regression takes 0.5 for both data sets of a family, of which 0.5 is the best.
    _, families = axes[0].collections
    assert families.get_sizes() == 2 * axes[2].collections[1].get_sizes()[0]
    assert axes[0].get_xlabel() == "α: best afterwards"


def test_sizes_are_predicted_on_logarithmic_axes(draw):
    (ax,) = draw("alpha_predicted", question="size", rules=["auto"]).axes
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert ax.get_xlim()[0] < 1 < 50 < ax.get_xlim()[1]
    others, families = points_of(ax)
    assert others == pytest.approx(np.array([(5, 4), (50, 40)]))
    assert families == pytest.approx(np.array([(1, 2), (2, 2)]))
    assert "mean error 3.0 features" in ax.get_title()


def test_rules_that_learn_from_other_data_sets_need_some(draw):
    with pytest.raises(UserError, match="all learn from other data sets"):
        draw("alpha_predicted", rules=["average"])


@pytest.mark.parametrize(("question", "half"), [("alpha", "α = 0.5"), ("size", "10 features")])
def test_losses_are_strips_in_the_order_of_the_rules(draw, question, half):
    figure = draw("alpha_regret", question=question)
    rules = ("auto", "half", "nearest", "regression", "blind")
    lost = np.array([RULES[rule][2] for rule in rules])
    assert figure.axes[0].get_yticklabels()[1].get_text() == f"always {half}"
    assert [ax.get_title() for ax in figure.axes] == ["(a) Stability", "(b) Accuracy", "(c) Both"]
    for ax in figure.axes:
        points = [line.get_xdata() for line in ax.lines[1:5]]
        assert np.transpose(points) == pytest.approx(lost)
        means = next(line for line in ax.lines if line.get_label() == "mean")
        assert means.get_xydata() == pytest.approx(np.column_stack([lost.mean(axis=1), range(5)]))
        low, high = ax.get_xlim()
        assert low < -0.01 < 0.8 < high
    assert legend_of(figure.legends[0]) == ["one data set", "mean", "95% interval of the mean"]


def test_variance_is_drawn_against_stability_and_miq_apart(draw):
    figure = draw("alpha_variance")
    a, b, c, d = figure.axes[:4]
    assert [ax.get_title()[:3] for ax in (a, b, c, d)] == ["(a)", "(b)", "(c)", "(d)"]
    assert [ax.get_xscale() for ax in (a, b, c)] == ["log", "linear", "log"]
    points = a.collections[0]
    expected = [place for own, _ in WORTH.values() for place in zip(SPREAD[0], own[:3])]
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
    assert "MIQ, farther right" in legend_of(figure.legends[0])
    # Variance rises with α: within the data sets ρ is 0.5, 0.5, −1 and √¾.
    assert "mean ρ within data sets: 0.22" in c.get_title()
