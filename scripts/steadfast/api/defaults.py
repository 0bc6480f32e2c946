"""What a report does where it is told nothing: the same as `steadfast advise`.

A test compares these with config/advise.yaml, so that the library needs no file of settings.
"""

#: How rows are drawn.
RESAMPLE = {"scheme": "subsample", "repeats": 30, "share": 0.8}

#: Bins for selectors that want them, fitted on the training rows of each fold.
BINS = {"method": "equal_width", "bins": 5, "fit_on": "train"}

#: The largest subset that is looked at.
LARGEST = 100

#: Two by information, one each by spread, by neighbours, by an SVM and by trees, and one at random
#: to compare with. With α = 1, mRMR ranks by mutual information alone: see docs/alpha.md.
SELECTORS = {
    "mrmr": {"use": "mid_alpha", "alpha": 1, "label": "mRMR (α = 1)"},
    "info_gain": {"label": "Information gain"},
    "fisher": {"label": "Fisher score"},
    "relieff": {"label": "ReliefF"},
    "svm_rfe": {"label": "SVM-RFE"},
    "forest": {
        "use": "sklearn.ensemble.RandomForestClassifier",
        "params": {"n_estimators": 100},
        "label": "Random forest",
    },
    "random": {"label": "Random"},
}

#: Names in print of others, where they are asked for by name.
LABELS = {"mid": {"label": "mRMR (MID)"}}

#: Sizes at which classifiers are scored that are trained anew for each.
SIZES = [*range(1, 21), 22, 24, 26, 28, 30, 35, 40, 50, 60, 80, 100]

CLASSIFIERS = {
    "svm": {"label": "SVM", "scale": "standard", "balance": "unequal", "sizes": SIZES},
    "knn": {"label": "5-NN", "k": 5, "scale": "standard"},
}

#: What classifiers are scored by: AUC decides where classes are unequal.
SCORING = ["accuracy", "auc"]

#: The seed of config/config.yaml.
SEED = 1
