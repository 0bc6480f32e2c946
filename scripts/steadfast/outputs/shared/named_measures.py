"""Measures that papers print side by side, under the papers' names for them."""

#: Measures of a profile: weights, ranks with either treatment of ties, subsets.
PROFILE = {
    "pearson": "S_W",
    "spearman": "S_R",
    "spearman_random_ties": "S_R, random ties",
    "jaccard": "S_S",
}

#: The same in words.
PROFILE_IN_WORDS = {
    "pearson": "stability of weights (S_W)",
    "spearman": "stability of ranks (S_R)",
    "spearman_random_ties": "stability of ranks with ties at random",
    "jaccard": "stability of subsets (S_S)",
}

#: Measures of whole subsets that their selectors chose, under the names that Somol and Novovicova
#: (2008) print.
CONSISTENCY = {
    "c": "C",
    "cw": "CW",
    "cw_rel": "CWrel",
    "jaccard": "GK",
    "cw_min": "CWmin",
    "cw_max": "CWmax",
}

#: Columns of tables of such subsets, in print.
SUBSET_COLUMNS = {"runs": "Runs", "rate": "Rate", "size": "Size", **CONSISTENCY}
