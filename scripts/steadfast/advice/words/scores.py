"""What a score says, in words."""

from steadfast.accuracy.scores import USUAL, Score

#: What to ask about a feature that tells nearly all.
BEFORE_OR_AFTER = "Is it known before the class is, or a consequence of it?"


def achieved(score: Score, label: str, value: float, blind: float) -> str:
    """What a classifier achieves with the selected features, and what guessing achieves."""
    who = f"a classifier ({label}) with these features"
    value_text, blind_text = score.text(value), score.text(blind)
    if score.name in USUAL:
        return (
            f"{who} classifies {value_text} of the rows it has not seen correctly, where always "
            f"predicting the most frequent class gives {blind_text}"
        )
    if score.name == "auc":
        return (
            f"{who} has an AUC of {value_text} on rows it has not seen, where guessing gives "
            f"{blind_text}"
        )
    if score.name == "balanced_accuracy":
        return (
            f"{who} classifies {value_text} of the rows it has not seen correctly, each class "
            f"counted equally, where guessing gives {blind_text}"
        )
    return (
        f"{who} has a {score.noun} of {value_text} on rows it has not seen (lower is better), "
        f"where {score.blind} alone have {blind_text}"
    )


def no_better(score: Score, label: str, value: float, other: str, reference: float) -> str:
    """The warning that features do not help against a reference, named in print."""
    mine, theirs = score.text(value), score.text(reference)
    return (
        f"{score.label} is not significantly better than that of {other}: {label} has {mine} with "
        f"the selected features, {other} {theirs}."
    )


def alone(score: Score, feature: str, value: float) -> str:
    """The suspicion against a feature that says all by itself."""
    if score.percent:
        equally = "" if score.name in USUAL else ", each class counted equally"
        found = f"{feature} alone classifies {value:.0%} of the rows correctly{equally}"
    else:
        found = f"{feature} alone ranks {value:.0%} of the pairs of rows correctly ({score.noun})"
    return f"{found}. {BEFORE_OR_AFTER}"


def lost(score: Score, points: float) -> str:
    """`0.4 points less accurate`, `0.012 worse in log-loss`: what a choice costs."""
    if score.name in USUAL:
        return f"{loss_text(score, points)} less accurate"
    return f"{loss_text(score, points)} worse in {score.noun}"


def loss_text(score: Score, points: float) -> str:
    """A difference of scores: `0.4 points`, or `0.012` of a score that is no share."""
    return f"{100 * points:.1f} points" if has_points(score) else f"{points:.3f}"


def margin_text(score: Score, margin: float) -> str:
    """The margin in print: `2 points of accuracy`, `1 point of AUC`."""
    if not has_points(score):
        return f"{round(margin, 3):g} of {score.noun}"
    points = round(100 * margin, 1)
    return f"{points:g} {'point' if points == 1 else 'points'} of {score.noun}"


def has_points(score: Score) -> bool:
    """Whether a hundredth of it is a point, as of all scores between 0 and 1: AUC, too."""
    return score.larger_is_better and score.largest == 1
