"""Tables of α: the best α, what rules lose, and how far the criterion varies."""

import numpy as np
import pandas as pd

from steadfast.outputs.intervals import Interval, mean_interval
from steadfast.outputs.kinds import table
from steadfast.outputs.sources.alpha import AIMS, MID, MIQ, Alpha, Question, Truth, correlations
from steadfast.outputs.table import Table, each
from steadfast.outputs.verdict import listed
from steadfast.statistics.correlation import spearman
from steadfast.statistics.p_values import holm, printed_p

#: What the best α is of, in print.
_OF = {
    "stability": "stability",
    "matching": "the paper's stability",
    "accuracy": "accuracy",
    "both": "both",
}

#: Printed columns of losses.
_LOSSES = each({aim: f"Loss in {aim}" for aim in AIMS}, "{*:.3f}| [{*_low:.3f}, {*_high:.3f}]")


def _ends(name: str) -> list[str]:
    """Columns of a mean and the ends of its interval."""
    return [name, f"{name}_low", f"{name}_high"]


def _means(values: pd.DataFrame) -> pd.DataFrame:
    """The mean of each column (in a row of its own), and the ends of its interval."""
    rows = [mean_interval(values[name].to_numpy()) for name in values]
    return pd.DataFrame(rows, index=values.columns, columns=Interval._fields)


@table
def alpha_best(alpha: Alpha) -> Table:
    """The best α of each data set for stability, accuracy and both, and what `auto` chooses.

    Notes
    -----
    The α of the largest mean over sizes and folds; in brackets the 95% interval of where the
    largest lies, over bootstraps of the folds. Folds share rows, so that it is rather too narrow.
    Stability is Nogueira's, the paper's is SU matching; both is the mean of (Nogueira's) stability
    and accuracy. α = 0 looks at redundancy alone, α = 1 at relevance alone. auto: what the selector
    chooses inside the training rows, mean over folds.

    Best on the mean over all {n} data sets: {over_all}.
    """
    frame = pd.DataFrame(index=pd.Index(alpha.datasets, name="dataset"))
    for name in _OF:
        frame[_ends(name)] = alpha.best(name)
    choices = alpha.frame("choices").query("question == 'alpha' and rule == 'auto'")
    frame["auto"] = choices.set_index("dataset")["alpha"]
    for name in ("stability", "accuracy"):
        values = alpha.by_alpha(name)
        frame[f"{name}_half"], frame[f"{name}_largest"] = values[0.5], values.max(axis=1)
    over_all = [f"α = {alpha.best_on_mean(name):g} for {label}" for name, label in _OF.items()]
    best = {name: f"Best α for {label}" for name, label in _OF.items()}
    halves = {
        name: f"{name.capitalize()} at α = 0.5 (largest)" for name in ("stability", "accuracy")
    }
    return Table(
        frame.reset_index(),
        {"Dataset": "{dataset}"}
        | each(best, "{*:g} ({*_low:g}–{*_high:g})")
        | {"α of auto, mean": "{auto:.2f}"}
        | each(halves, "{*_half:.2f} ({*_largest:.2f})"),
        say={"n": len(frame), "over_all": ", ".join(over_all)},
    )


#: Sentences of notes that are about some questions, data sets or rules only.
_CHOICES = {"alpha": "α", "size": "the size at α = 0.5", "both": "α and size"}
_MADE = (
    "Data sets that are made in one way are not independent, so that intervals are rather too "
    "narrow."
)
_ONCE = (
    "An α that is chosen once is chosen on the training rows of one fold and judged on all folds, "
    "most of whose test rows it has seen: it shows what the change of α costs, and is no fair "
    "forecast."
)


@table
def alpha_regret(alpha: Alpha, *, question: Question = "alpha", truth: Truth = "any") -> Table:
    """What each rule for α, the size, or both loses against the best choice, over data sets.

    Parameters
    ----------
    question
        What is asked: `alpha` (means over all sizes), `size` (at α = 0.5), or `both`.
    truth
        Data sets that count, by whether their relevant features are `known` or `unknown`; or `any`.

    Notes
    -----
    Loss (regret): the largest stability that any choice of {choice} reaches on a data set, less
    what the choice of the rule has there; likewise of accuracy, and of both, the mean of the
    two.{over_sizes} Means over {n} data sets, with the 95% interval of the mean. {made}

    The best is chosen with knowledge of the result: an oracle, which nobody has. Rules that learn
    from other data sets learn nothing from the results on the data set itself, nor from those on
    its kin, and aim at what the column is of. All others choose the same in every column.
    Characteristics and variances are those of all rows, test rows included, which favours the rules
    that look at them. Those that choose inside the training rows of every fold ({inside}) pay for
    choosing: what differs from fold to fold is less stable, too.

    {once}
    """
    datasets = alpha.of_truth(truth)
    rules = alpha.losses(question, "both", datasets).columns
    frame = pd.DataFrame({"datasets": len(datasets)}, index=rules)
    for aim in AIMS:
        lost = alpha.losses(question, aim, datasets)
        frame[_ends(aim)] = _means(lost)
        frame[f"{aim}_worst"], frame[f"{aim}_worst_dataset"] = lost.max(), lost.idxmax()
    labels = alpha.rules(question)
    inside = [rule for rule in rules if rule in ("auto", "settled", "knot", "peak", "one_se")]
    over_sizes = " Stability and accuracy are means over all sizes."
    return Table(
        frame.reset_index(),
        {"Rule": "{rule}"}
        | _LOSSES
        | {"Largest loss in both": "{both_worst:.3f} ({both_worst_dataset})"},
        say={
            "choice": _CHOICES[question],
            "n": len(datasets),
            "over_sizes": over_sizes if question == "alpha" else "",
            "made": "" if truth == "unknown" else _MADE,
            "inside": "; ".join(labels[rule] for rule in inside),
            "once": _ONCE if "once" in rules else "",
        },
        printed=frame.drop(index="best", errors="ignore").reset_index(),
        labels={"rule": labels, "both_worst_dataset": alpha.labels["dataset"]},
    )


@table
def alpha_sizes(alpha: Alpha) -> Table:
    """Rules for the subset size: what they lose, and how much of what they choose is relevant.

    Notes
    -----
    α is 0.5, but for {with_alpha}. Size k and losses against the best size: means over {unknown}
    data sets whose truth is not known, with the 95% interval of the mean; k of rules that aim at
    something is that for both. Truth known: means over the folds of {known} made data sets.
    Precision: share of the chosen features that are relevant; recall: share of the blocks of
    relevant features of which one is chosen; F1: their harmonic mean. Rules that do not choose
    inside the training rows have none. Found: share of folds in which there was a knot or a peak;
    else the most stable size is taken.
    """
    unknown, known = alpha.of_truth("unknown"), alpha.of_truth("known")
    sizes = alpha.taken("size", "both", "k").combine_first(alpha.chosen("k"))
    labels = alpha.rules("size")
    rules = [rule for rule in labels if rule in sizes]
    with_alpha = [f"“{labels[rule]}”" for rule in rules if rule.endswith("_both")]
    frame = pd.DataFrame(index=pd.Index(rules, name="rule"))
    frame["k"] = _means(sizes.loc[unknown])["mean"]
    for aim in AIMS:
        frame[_ends(aim)] = _means(alpha.losses("size", aim, unknown))
    for name in ("k", "precision", "recall", "f1"):
        frame["k_known" if name == "k" else name] = _means(alpha.chosen(name).loc[known])["mean"]
    frame["found"] = _means(alpha.chosen("found"))["mean"]
    frame["_found"] = frame["found"].where(frame.index.isin(["knot", "peak"]))
    return Table(
        frame.reset_index(),
        {"Rule": "{rule}", "k": "{k:.1f}"}
        | _LOSSES
        | {"k, truth known": "{k_known:.1f}", "Precision": "{precision:.2f}"}
        | {"Recall of blocks": "{recall:.2f}", "F1": "{f1:.2f}", "Found": "{_found:.0%}"},
        say={"with_alpha": listed(with_alpha), "unknown": len(unknown), "known": len(known)},
        labels={"rule": labels},
    )


#: Facts and their names in print.
_FACTS = {
    "rows": "Rows n",
    "features": "Features m",
    "classes": "Classes",
    "rows_per_feature": "n / m",
    "class_entropy": "Class entropy",
    "relevance_mean": "Mean relevance",
    "relevance_sd": "Sd of relevance",
    "redundancy": "Redundancy",
    "effective_features": "Effective features",
    "label_noise": "Label noise",
}


@table
def alpha_facts(alpha: Alpha) -> Table:
    """Characteristics of each data set, and how they go with the best α.

    Notes
    -----
    Relevance: I(f; class) / H(class) of the features. Redundancy: mean symmetrical uncertainty of
    pairs of features. Effective features: participation ratio of the correlation matrix, as a share
    of the features (1: uncorrelated). Class entropy: 1 where classes are of equal size. Label
    noise: share of rows whose class is not that of most of their five nearest neighbours, an upper
    estimate.

    ρ: Spearman's correlation over the {n} data sets with the best α; in brackets its p-value,
    corrected by Holm for all {tests} tests; below 0.05: {below}. Data sets that are made in one way
    are not independent, so that these p-values are rather too small.
    """
    facts = alpha.frame("facts").pivot(index="dataset", columns="fact", values="value")
    facts = facts.loc[alpha.datasets, list(_FACTS)]
    best = pd.DataFrame({f"best_{aim}": alpha.best(aim)["alpha"] for aim in AIMS})
    rho, p = correlate_facts(facts, best)
    tests, printed = [], []
    for aim, rhos, corrected in zip(AIMS, rho, p):
        tests.append([f"correlation with the best alpha for {aim}", *rhos])
        tests.append([f"corrected p for {aim}", *corrected])
        pairs = zip(rhos, corrected)
        cells = ["–" if np.isnan(one) else f"{one:+.2f} ({printed_p(q)})" for one, q in pairs]
        printed.append([f"**ρ with the best α for {aim} (p)**", *cells])
    frame, names = facts.join(best).reset_index(), ["dataset", *facts]
    under = pd.DataFrame(tests, columns=names).reindex(columns=list(frame), fill_value="")
    texts = facts.map("{:.3g}".format)
    texts[["rows", "features"]] = facts[["rows", "features"]].map("{:.0f}".format)
    return Table(
        pd.concat([frame, under]),
        {"Dataset": "{dataset}"} | each(_FACTS, "{*}"),
        say={"n": len(facts), "tests": np.sum(~np.isnan(p)), "below": np.sum(p < 0.05) or "none"},
        printed=pd.concat([texts.reset_index(), pd.DataFrame(printed, columns=names)]),
    )


def correlate_facts(facts: pd.DataFrame, best: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Spearman's by aim (rows) and fact (columns), and their p-values, corrected all together."""
    from scipy.stats import t

    rho = np.array([[spearman(facts[fact], best[aim]) for fact in facts] for aim in best])
    n = len(facts)
    if n < 4:
        return rho, np.full(rho.shape, np.nan)
    left = np.maximum(1 - rho**2, 1e-300)
    p = 2 * t.sf(np.abs(rho) * np.sqrt((n - 2) / left), n - 2)
    return rho, holm(p.ravel()).reshape(rho.shape)


@table
def alpha_variance(alpha: Alpha) -> Table:
    """How far the criterion varies over bootstraps for each α and for MIQ, beside stability.

    Notes
    -----
    Over bootstraps, along the sequence that each criterion gives on all rows, means over its steps.
    Variance: that of the chosen feature's score (equation 13 of Gulgezen et al.). It depends on the
    scale of the criterion, which α changes; that of a quotient is another one, and where redundancy
    is nearly 0 it has no bounds. Noise: mean variance of the candidates' scores as a share of that
    plus the variance between their means; free of scale, 1 where nothing but chance decides. ρ:
    Spearman's correlation over the α with stability (Nogueira's, mean over sizes); below 0 where
    what varies less is the more stable.
    """
    terms, columns = ("variance", "noise"), {}
    pairs = {"mid": MID, "miq": MIQ}
    for term in terms:
        columns |= {f"{term}_{name}": alpha.by_criterion(term)[at] for name, at in pairs.items()}
    columns |= {f"least_{term}": alpha.by_alpha(term).idxmin(axis=1) for term in terms}
    columns |= {f"rho_{term}": alpha.correlations(term) for term in terms}
    stability = alpha.by_criterion("stability")
    columns |= {f"stability_{name}": stability[at] for name, at in pairs.items()}
    frame = pd.DataFrame(columns)
    over_all = pd.DataFrame({"**Mean**": frame.mean(), "**Median**": frame.median()}).T
    printed = pd.concat([frame, over_all]).rename_axis("dataset").reset_index()
    for name in pairs:
        printed[f"_{name}"] = printed[f"variance_{name}"].map(_thousandths, na_action="ignore")
    return Table(
        frame.reset_index(),
        {"Dataset": "{dataset}"}
        | {"1000 × variance, α = 0.5": "{_mid}", "1000 × variance, MIQ": "{_miq}"}
        | {"Noise, α = 0.5": "{noise_mid:.2f}", "Noise, MIQ": "{noise_miq:.2f}"}
        | each({term: f"α of the least {term}" for term in terms}, "{least_*:.1f}")
        | each({term: f"ρ of {term} and stability" for term in terms}, "{rho_*:+.2f}")
        | {"Stability, α = 0.5": "{stability_mid:.2f}", "Stability, MIQ": "{stability_miq:.2f}"},
        printed=printed,
    )


def _thousandths(value: float) -> str:
    """Variances are small; where W is nearly 0, those of the quotient are huge."""
    return f"{1000 * value:.2f}" if value < 1 else f"{1000 * value:.1e}"


@table
def alpha_criteria(alpha: Alpha) -> Table:
    """Variance over bootstraps and stability of V, W, V − W, V / W and every α, over data sets.

    Notes
    -----
    Over {n} data sets: medians of variances, those of V and W of the chosen features among them
    (1000 times), and of noise, which a few would govern in the mean; mean stability with its 95%
    interval; ρ is Spearman's correlation over the data sets, below 0 where data on which the
    criterion varies less have the more stable selection. α V − (1 − α) W has the scale of its α.
    """
    stability = alpha.by_criterion("stability")
    variances = ["variance", "relevance_variance", "redundancy_variance"]
    terms = ("variance", "noise", "relevance_variance", "redundancy_variance")
    frame = pd.DataFrame({term: alpha.by_criterion(term).median() for term in terms})
    frame[_ends("stability")] = _means(stability)
    for term in terms[:2]:
        frame[f"rho_{term}"] = correlations(alpha.by_criterion(term).T, stability.T)
    frame[["_score", "_v", "_w"]] = 1000 * frame[variances]
    labels = {name: f"α = {name}" for name in stability}
    labels |= {"0": "−W (α = 0)", MID: "V − W (α = 0.5, MID)", "1": "V (α = 1)", MIQ: "V / W (MIQ)"}
    return Table(
        frame.rename_axis("criterion").reset_index(),
        {"Criterion": "{criterion}", "1000 × variance": "{_score:.2f}", "Noise": "{noise:.2f}"}
        | {"of V": "{_v:.2f}", "of W": "{_w:.2f}"}
        | {"Stability": "{stability:.2f}| [{stability_low:.2f}, {stability_high:.2f}]"}
        | each({term: f"ρ of {term} and stability" for term in terms[:2]}, "{rho_*:+.2f}"),
        say={"n": len(stability)},
        labels={"criterion": labels},
    )
