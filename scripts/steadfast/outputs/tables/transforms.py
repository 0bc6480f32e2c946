"""Tables of transforms: what is selected after them, what they gain, and what they keep."""

from typing import Annotated, Literal

import pandas as pd

from steadfast.accuracy.scores import USUAL
from steadfast.outputs.arguments import (
    AtLeast,
    Classifier,
    Datasets,
    MeasureUsed,
    Quantity,
    Ratio,
    Size,
)
from steadfast.outputs.curves import Curves
from steadfast.outputs.kinds import table
from steadfast.outputs.results import Results
from steadfast.outputs.sources import treated
from steadfast.outputs.table import Table, each, shown
from steadfast.outputs.verdict import capital
from steadfast.statistics.intervals import t_half_width


@table(mean_columns=("stability", "accuracy"), published_cells=True)
def treatments(
    curves: Curves,
    *,
    what: Quantity,
    ratio: Ratio,
    size: Size = 10,
    datasets: Datasets,
    families: treated.Families,
    transforms: treated.Transforms,
    baseline: treated.Baseline,
) -> Table:
    """Stability or accuracy of every selector after each transform, and what transforms gain.

    Notes
    -----
    {quantity} at {at} selected; {accuracy} on the rows as they are, whatever the features were
    selected on. Bold: the {best} of a row.

    {learnt}
    """
    values = treated.values_at(curves, what, ratio, families, datasets, size)
    frame = values.add_suffix(f" {what.of}")
    frame.insert(0, "row", [" ".join(key) for key in values.index])
    infos, score = {name: curves.transforms[name] for name in values}, curves.score
    return Table(
        frame,
        {"Selector": "{selector}", "Dataset": "{dataset}"}
        | each({name: info["label"] for name, info in infos.items()}, "{*}"),
        printed=_printed(values, what.direction),
        say={
            "quantity": capital(what.noun),
            "at": f"{size:.0%} of the features" if isinstance(size, float) else size,
            "accuracy": "accuracies are" if score.name in USUAL else f"{score.noun} is",
            "best": "largest" if what.direction > 0 else "smallest",
            "learnt": " ".join(f"{info['label']}: {info['note']}." for info in infos.values()),
        },
    )


def _printed(values: pd.DataFrame, direction: int) -> pd.DataFrame:
    """Cells with the best of a row in bold; below, averages, improvements and counts of these."""
    better = direction * values
    best = better.eq(better.max(axis=1), axis=0)
    texts = values.map(shown, form=".3f")
    cells = texts.mask(best, "**" + texts + "**")
    means = values.mean(skipna=False)
    gains = direction * (means / means.iloc[0] - 1)
    foot = {
        "Average": [shown(mean, ".3f") for mean in means],
        "Average improvement": ["", *(shown(gain, "+.1%") for gain in gains[1:])],
        f"Number of {'max' if direction > 0 else 'min'}": best.sum(),
    }
    cells = cells.rename_axis(["selector", "dataset"]).reset_index()
    below = pd.DataFrame([(name, "", *row) for name, row in foot.items()], columns=cells.columns)
    return pd.concat([cells, below])


@table
def gain_by_size(
    curves: Curves,
    *,
    measure: MeasureUsed,
    score: Classifier,
    ratio: Ratio,
    sizes: treated.Sizes,
    datasets: Datasets,
    families: treated.Families,
    transforms: treated.Transforms,
    baseline: treated.Baseline,
) -> Table:
    """What transforms gain over the baseline by size, in stability and, in brackets, accuracy.

    Notes
    -----
    Gain over {base} in {measure.label} stability, and in brackets in {score.noun} ({score.label},
    on the rows as they are). –: not measured at this size on every data set.
    """
    both = measure, score
    frame = treated.gains_by_size(curves, both, ratio, families, datasets, sizes)
    stability, accuracy = (f"{one.key[0]}_gain" for one in both)
    return Table(
        frame.assign(_size=[f"k = {k}" for k in frame["size"]]),
        {"Selector": "{selector}", "Dataset": "{dataset}", "Transform": "{transform}"},
        wide=("_size", f"{{{stability}:+.2f}}| ({{{accuracy}:+.2f}})"),
        labels={"selector": {treated.MEAN: "Average"}, "dataset": {treated.MEAN: "Average"}},
        say={"base": curves.transforms[baseline]["label"]},
    )


@table
def singular_values(
    results: treated.DataSets, *, datasets: Datasets, largest: Annotated[int, AtLeast(2)] = 6
) -> Table:
    """Singular values of the rows of each class, and without the class's mean.

    Parameters
    ----------
    largest
        How many singular values.

    Notes
    -----
    Where σ1 is far smaller without the class's mean, most of it is the mean's: matrix rank 1 keeps
    the mean row of each class, a multiple of it for each row, and little else.
    """
    frame = treated.singular_values(results, datasets, largest)
    keys = ["dataset", "class", "rows"]
    labels = {f"σ{number}": f"σ{number}/σ1" for number in range(2, largest + 1)}
    ratios = frame.pivot(index=keys, columns="number", values="relative").add_prefix("σ")
    return Table(
        frame,
        {"Dataset": "{dataset}", "Class": "{class}", "Rows": "{rows}", "σ1": "{value:.4g}"}
        | each(labels, "{*:.2f}")
        | {"Share of σ1² in Σσ²": "{share:.0%}"},
        printed=frame[frame["number"] == 1].join(ratios.reindex(columns=[*labels]), on=keys),
        labels={"rows": {treated.ROWS: "as they are", treated.CENTRED: "minus the class's mean"}},
    )


#: What columns of the table of precision are of, in print.
_BY = {
    "label_noise": ("share η of wrong classes", "η = {:.0%}"),
    "noise": ("noise α of the values", "α = {:g}"),
    "features": ("number of features m", "m = {:g}"),
}


@table
def precision(
    results: Results, *, rows: treated.Precision, by: Literal["label_noise", "noise", "features"]
) -> Table:
    """Share of the relevant features that is found, by wrong classes, noise or features.

    Parameters
    ----------
    by
        What the columns are of.

    Notes
    -----
    Precision by {name}, mean over data sets and all else that varies ± half of the 95% interval
    over data sets; by chance {chance:.2f}.
    """
    (name, heading), cells = _BY[by], []
    for key, own in rows.groupby(["selector", "transform", by]):
        found = treated.by_data_set(own)
        numbers = found.mean(), float(t_half_width(found)), own["chance"].mean(), found.size
        cells.append((*key, *numbers, heading.format(key[-1])))
    columns = ["selector", "transform", by, "precision", "half_width", "chance", "data_sets"]
    return Table(
        pd.DataFrame(cells, columns=[*columns, "_level"]),
        {"Selector": "{selector}", "Transform": "{transform}"},
        wide=("_level", "{precision:.2f}| ± {half_width:.2f}"),
        say={"name": name, "chance": rows["chance"].mean()},
    )
