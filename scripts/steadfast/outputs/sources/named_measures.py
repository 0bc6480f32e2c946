"""Measures that papers print side by side, under the papers' names for them."""

#: Measures of a profile: weights, ranks with either treatment of ties, subsets.
PROFILE = {
    "pearson": "S_W",
    "spearman": "S_R",
    "spearman_random_ties": "S_R, random ties",
    "jaccard": "S_S",
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
