"""What a score says, in words."""

from steadfast.accuracy.scores import USUAL, Score

#: What to ask about a feature that tells nearly all.
BEFORE_OR_AFTER = "Is it known before the class is, or a consequence of it?"


def achieved(score: Score, label: str, value: float, blind: float) -> str:
    """What a classifier has with the selected features, and who knows nothing of the rows."""
    who = f"a classifier ({label}) with these features"
    value_text, blind_text = score.text(value), score.text(blind)
    if score.name in USUAL:
        return (
            f"{who} is right for {value_text} of the rows it has not seen, where always naming the "
            f"most frequent class is right for {blind_text}"
        )
    if score.name == "auc":
        return (
            f"{who} ranks a row of the right class above another in {value:.0%} of the cases "
            f"(AUC), where guessing has {blind:.0%}"
        )
    if score.name == "balanced_accuracy":
        return (
            f"{who} is right for {value_text} of the rows it has not seen, each class counted "
            f"alike, where guessing is right for {blind_text}"
        )
    return (
        f"{who} has a {score.noun} of {value_text} on rows it has not seen, where {score.blind} "
        f"alone have {blind_text} (the lower the better)"
    )


def no_better(score: Score, label: str, value: float, blind: float) -> str:
    """The warning that features do not help."""
    value_text, blind_text = score.text(value), score.text(blind)
    if score.name in USUAL:
        return (
            "Accuracy is no better than the majority: always naming the most frequent class is "
            f"right for {blind_text} of the rows, {label} with the selected features for "
            f"{value_text}, a difference that chance explains."
        )
    return (
        f"{score.label} is no better than without features: {score.blind} "
        f"{'has' if score.larger_is_better else 'have'} {blind_text}, {label} with the selected "
        f"features {value_text}, a difference that chance explains."
    )


def alone(score: Score, feature: str, value: float) -> str:
    """The suspicion against a feature that says all by itself."""
    if score.percent:
        alike = "" if score.name in USUAL else ", each class counted alike"
        found = f"{feature} alone is right for {value:.0%} of the rows{alike}"
    else:
        found = f"{feature} alone ranks the rows rightly in {value:.0%} of the cases ({score.noun})"
    return f"{found}. {BEFORE_OR_AFTER}"


def best_of(score: Score) -> str:
    """`highest accuracy`, `lowest log-loss`."""
    return f"{'highest' if score.larger_is_better else 'lowest'} {score.noun}"


def as_good(score: Score) -> str:
    """`as accurate`, `as good by AUC`: goes on with `as the best`."""
    return "as accurate" if score.name in USUAL else f"as good by {score.noun}"
