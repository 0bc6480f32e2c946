"""Measures of two subsets from their sizes and what they share.

Each function takes a = |A|, b = |B|, shared = |A ∩ B| as arrays and the number of features m, and
gives one value for each; NaN where it is undefined. A system of runs has the mean over its pairs.
"""

import numpy as np

from steadfast.measures.declare import measure


def divide(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """`above / below`, NaN where `below` is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, np.nan, np.true_divide(above, below))


@measure(
    "jaccard",
    label="Jaccard",
    kind="counts",
    bounds=(0, 1),
    needs=("no_empty_pair",),
    source="Jaccard (1901); Kalousis, Prados, Hilario (2005)",
    aliases={
        "tanimoto": "Tanimoto",
        "gk": "GK (generalised Kalousis)",
        "ati": "ATI (average Tanimoto index)",
        "relative_hamming_union": "Relative Hamming, ÷ |A ∪ B|",
    },
)
def jaccard(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """|A ∩ B| / |A ∪ B|.

    Tanimoto's 1 − (|A| + |B| − 2|A ∩ B|) / (|A| + |B| − |A ∩ B|) and the relative Hamming
    similarity 1 − (|A∖B| + |B∖A|) / |A ∪ B| are the same number. The mean over all pairs is called
    GK by Somol and Novovicova and average Tanimoto index (ATI) by Ji et al. Two random subsets
    reach k/(2m − k) and more: it grows with k.

    References
    ----------
    Jaccard, Bulletin de la Société vaudoise des sciences naturelles 37 (1901). Kalousis, Prados,
    Hilario, Stability of feature selection algorithms (2005), S_S. Somol, Novovicova (2008),
    equation (7). Alelyani (2013), equations (2.6) and (2.7). Ji et al. (2015), table 1.
    """
    return divide(shared, a + b - shared)


@measure(
    "dice",
    label="Dice",
    kind="counts",
    bounds=(0, 1),
    needs=("no_empty_pair",),
    source="Dice (1945)",
)
def dice(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """2 |A ∩ B| / (|A| + |B|).

    References
    ----------
    Dice, Measures of the amount of ecologic association between species (1945). Alelyani (2013),
    equation (2.5).
    """
    return divide(2 * shared, a + b)


@measure(
    "ochiai",
    label="Ochiai",
    kind="counts",
    bounds=(0, 1),
    needs=("no_empty_run",),
    source="Ochiai (1957)",
)
def ochiai(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """|A ∩ B| / √(|A| · |B|), the cosine of the two indicator vectors.

    References
    ----------
    Ochiai, Zoogeographical studies on the soleoid fishes (1957). Zucknick, Richardson, Stronach
    (2008).
    """
    return divide(shared, np.sqrt(np.asarray(a * b, float)))


@measure(
    "anhd",
    label="ANHD (average normal Hamming distance)",
    kind="counts",
    bounds=(0, 1),
    distance=True,
    source="Dunne, Cunningham, Azuaje (2002)",
)
def anhd(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A∖B| + |B∖A|) / m, a distance.

    Features that neither run selects count as agreement, so that it is small whenever k ≪ m.

    References
    ----------
    Dunne, Cunningham, Azuaje, Solutions to instability problems with sequential wrapper-based
    approaches to feature selection (2002). Alelyani (2013), equation (2.4).
    """
    return divide(a + b - 2 * shared, m)


@measure(
    "relative_hamming",
    label="Relative Hamming, ÷ m",
    kind="counts",
    bounds=(0, 1),
    source="Dunne, Cunningham, Azuaje (2002)",
    aliases={"anhd_similarity": "1 − ANHD"},
)
def relative_hamming(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """1 − (|A∖B| + |B∖A|) / m, which is 1 − ANHD.

    Ji et al. print ÷ |A ∪ B| instead, which is Jaccard: `relative_hamming_union`.

    References
    ----------
    Dunne, Cunningham, Azuaje (2002); Ji et al. (2015), table 1, after it.
    """
    return 1 - anhd(a, b, shared, m)


@measure(
    "kuncheva",
    label="Kuncheva",
    kind="counts",
    bounds=(-1, 1),
    corrected=True,
    unequal_sizes=False,
    needs=("equal_sizes", "no_empty_run", "no_full_run"),
    source="Kuncheva (2007)",
)
def kuncheva(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B|·m − k²) / (k(m − k)), with k = |A| = |B|.

    Overlap beyond that of random subsets, k²/m, as a share of the most that there can be. −1 is
    reached by disjoint subsets of m/2 features; disjoint subsets of k reach −k/(m − k).

    References
    ----------
    Kuncheva, A stability index for feature selection (2007). Alelyani (2013), equation (2.8).
    """
    return np.where(a == b, divide(shared * m - a * b, a * (m - b)), np.nan)


@measure(
    "kuncheva_unequal",
    label="Kuncheva, unequal sizes",
    kind="counts",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_run"),
    source="Wald, Khoshgoftaar, Napolitano (2013)",
    aliases={"wald": "Wald"},
)
def kuncheva_unequal(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B| − |A||B|/m) / (min(|A|, |B|) − |A||B|/m).

    Kuncheva's index where the sizes are equal. A subset of the other counts as perfect agreement,
    whatever their sizes. At least 1 − m.

    References
    ----------
    Wald, Khoshgoftaar, Napolitano, Stability of filter- and wrapper-based feature subset selection
    (2013).
    """
    return divide(shared * m - a * b, np.minimum(a, b) * (m - np.maximum(a, b)))


@measure(
    "kappa",
    label="Kappa",
    kind="counts",
    bounds=(-1, 1),
    corrected=True,
    needs=("no_empty_pair", "no_full_pair"),
    source="Carletta (1996)",
)
def kappa(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B| − |A||B|/m) / ((|A| + |B|)/2 − |A||B|/m), Cohen's kappa of the indicator vectors.

    Kuncheva's index where the sizes are equal.

    References
    ----------
    Carletta, Assessing agreement on classification tasks: the kappa statistic (1996); as a
    stability measure: Bommert, Rahnenführer, Lang (2017).
    """
    return divide(2 * (shared * m - a * b), (a + b) * m - 2 * a * b)


@measure(
    "phi",
    label="Phi",
    kind="counts",
    bounds=(-1, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_run"),
    source="Nogueira, Brown (2016)",
)
def phi(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B|·m − |A||B|) / √(|A|(m − |A|)|B|(m − |B|)), Pearson's of the indicator vectors.

    Kuncheva's index where the sizes are equal.

    References
    ----------
    Nogueira, Brown, Measuring the stability of feature selection (2016).
    """
    spread = np.sqrt(np.asarray(a * (m - a), float)) * np.sqrt(np.asarray(b * (m - b), float))
    return divide(shared * m - a * b, spread)


@measure(
    "unadjusted",
    label="Unadjusted intersection",
    kind="counts",
    bounds=(-1, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_pair"),
    source="Bommert, Rahnenführer (2020)",
)
def unadjusted(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B| − |A||B|/m) / (√(|A||B|) − |A||B|/m).

    What the adjusted intersections (`intersection_count` and its like) are where no two features
    are similar; Kuncheva's index for subsets of one size.

    References
    ----------
    Bommert, Rahnenführer, Adjusted measures for feature selection stability for data sets with
    similar features (2020), in the form of R's stabm (Bommert, Lang 2021).
    """
    most = np.sqrt(np.asarray(a * b, float))
    return divide(shared * m - a * b, most * m - a * b)


@measure(
    "lustgarten",
    label="Lustgarten",
    kind="counts",
    bounds=(-1, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_run"),
    source="Lustgarten, Gopalakrishnan, Visweswaran (2009)",
)
def lustgarten(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B| − |A||B|/m) / (min(|A|, |B|) − max(0, |A| + |B| − m)).

    Identical subsets of k features reach 1 − k/m, or k/m where k > m/2, not 1.

    References
    ----------
    Lustgarten, Gopalakrishnan, Visweswaran, Measuring stability of feature selection in biomedical
    datasets (2009).
    """
    span = np.minimum(a, b) - np.maximum(0, a + b - m)
    return divide(shared * m - a * b, span * m)


@measure(
    "pog",
    label="POG",
    kind="counts",
    bounds=(0, 1),
    symmetric=False,
    needs=("no_empty_run",),
    source="Shi et al. (2005)",
)
def pog(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """|A ∩ B| / |A|, the percentage of overlapping genes.

    References
    ----------
    Shi et al., Cross-platform comparability of microarray technology (2005). Alelyani (2013),
    equation (2.9).
    """
    return divide(shared, a)


@measure(
    "npog",
    label="nPOG",
    kind="counts",
    bounds=(None, 1),
    symmetric=False,
    corrected=True,
    needs=("no_empty_run", "no_full_run"),
    source="Zhang et al. (2009)",
)
def npog(a: np.ndarray, b: np.ndarray, shared: np.ndarray, m: int) -> np.ndarray:
    """(|A ∩ B| − E) / (|A| − E), with the hypergeometric mean E = |A||B|/m.

    Kuncheva's index where the sizes are equal. Alelyani gives [−1, 1]; a large B that misses A
    goes below −1.

    References
    ----------
    Zhang et al., Evaluating reproducibility of differential expression discoveries in microarray
    studies by considering correlated molecular changes (2009). Alelyani (2013), equation (2.11).
    """
    return divide(shared * m - a * b, a * (m - b))
