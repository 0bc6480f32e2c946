"""Evidence for tests of the page: every number is derived from rankings of real subsamples."""

import json
from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from steadfast.files import write_with_manifest
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.kinds import interval, load
from steadfast.measures.runs import Runs
from steadfast.seeds import generator
from steadfast.selecting import select

#: Names that are markup, script, keys of objects or options somewhere; all are data here.
AWKWARD = [
    "</script><script>document.title='broken'</script>",
    "<img src=x onerror=\"document.title='broken'\">",
    "&lt;b&gt; &amp; \"quotes\" 'single'",
    "a/b\\c ..\\..",
    "gene 🧬 αβγ",
    "גובה (ס״מ)",
    "__proto__",
    "constructor",
    "--out",
    "x" * 200,
    "<!-- not a comment",
    "line\u2028separator\u2029and\ttab",
    "  two  spaces  ",
    "${title} $policy",
]

SELECTORS = {
    "mid": "MID",
    "miq": "MIQ",
    "fisher": "Fisher",
    "relieff": "ReliefF",
    "random": "Random",
}
BINNED = ("mid", "miq", "chi2")


def subsamples(y, runs, seed=1, share=0.8):
    """Training rows of each run: a share of each class."""
    found = []
    for run in range(runs):
        draw = generator(seed, "subsample", run)
        rows = [draw.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
        found.append(np.sort(np.concatenate([r[: round(share * len(r))] for r in rows])))
    return found


def rank(use, X, y, trains, params=None):
    """The features by rank in each run, and whole subsets of those that choose their size."""
    bins = {"method": "equal_width", "bins": 10} if use in BINNED else None
    fitted = [
        select(
            {"use": use, "params": params or {}},
            *(X[rows], y[rows]),
            seed=1,
            names=("page", f"run{run}"),
            discretise=bins,
        )
        for run, rows in enumerate(trains)
    ]
    return [np.asarray(one.sequence_) for one in fitted]


def _ends(values, low, high):
    plain = [[None if np.isnan(v) else float(v) for v in ends] for ends in (values, low, high)]
    return dict(zip(("value", "low", "high"), plain))


def stability(sequences, m, sizes):
    """Nogueira's measure with its interval at each size; of whole subsets where there is none."""
    measure, runs = load("nogueira"), Runs(m, sequences)
    with np.errstate(all="ignore"):
        found = measure.curves(runs, max(sizes)) if sizes else measure.subsets(runs)
        low, high = interval(found, measure.about.bounds)
    places = [size - 1 for size in sizes] if sizes else [0]
    return _ends(found.values[places], low[places], high[places])


def scored(sequences, X, y, trains, sizes):
    """Accuracy of the nearest class mean on the rows left out, and the interval of its mean."""
    rates = np.empty((len(trains), len(sizes) or 1))
    for run, (rows, sequence) in enumerate(zip(trains, sequences)):
        test = np.setdiff1d(np.arange(len(y)), rows)
        Z = (X - X[rows].mean(0)) / (X[rows].std(0) + 1e-12)
        means = np.array([Z[rows][y[rows] == c].mean(0) for c in np.unique(y)])
        # The distance to each mean grows feature by feature, in the order of the ranking.
        distances = ((Z[test][:, None] - means)[:, :, sequence] ** 2).cumsum(axis=2)
        right = distances.argmin(axis=1) == y[test][:, None]
        rates[run] = right.mean(axis=0)[[k - 1 for k in sizes] or [-1]]
    mean, half = rates.mean(axis=0), 2.09 * rates.std(axis=0, ddof=1) / np.sqrt(len(rates))
    return _ends(mean, np.maximum(mean - half, 0), np.minimum(mean + half, 1))


def frequencies(sequences, size=None):
    """Feature to frequency and mean rank, counted one by one; the order of the page."""
    found = {}
    for sequence in sequences:
        for place, feature in enumerate(list(sequence)[:size]):
            found.setdefault(int(feature), []).append(place + 1)
    rows = [(f, len(r) / len(sequences), sum(r) / len(r)) for f, r in found.items()]
    return sorted(rows, key=lambda row: (-row[1], row[2], row[0]))


def _best(entry, sizes, classifier):
    """The smallest size not clearly worse than the most accurate (or most stable) one."""
    curve = entry["accuracy"][classifier] if classifier else entry["stability"]
    known = [i for i, value in enumerate(curve["value"]) if value is not None]
    if not known:
        return None
    top = max(known, key=lambda i: (curve["value"][i], -i))
    at = next(i for i in known if curve["value"][i] >= curve["low"][top])
    accuracy = entry["accuracy"][classifier]["value"][at] if classifier else None
    return {"size": sizes[at], "stability": entry["stability"]["value"][at], "accuracy": accuracy}


def _set_pareto(entries):
    def beaten(best):
        return any(
            o["best"]["stability"] >= best["stability"]
            and (o["best"]["accuracy"] or 0) >= (best["accuracy"] or 0)
            and o["best"] != best
            for o in entries
            if o["best"] and not o["baseline"]
        )

    for entry in entries:
        entry["pareto"] = bool(entry["best"] and not entry["baseline"]) and not beaten(
            entry["best"]
        )


def _knot(entry, sizes):
    values = [-1 if v is None else v for v in entry["stability"]["value"]]
    place = max(i for i, v in enumerate(values) if v >= max(values) - 0.01) if values else 0
    return sizes[place] if 0 < place < len(values) - 1 and max(values) > -1 else None


def _interchangeable(X, sequences, size):
    """Pairs of selected features that correlate by more than 0.9."""
    similarity = np.abs(np.corrcoef(X.T))
    rows = [f for f, share, _ in frequencies(sequences, size) if share >= 0.1]
    groups = []
    for i, first in enumerate(rows):
        for second in rows[i + 1 :]:
            if similarity[first, second] > 0.9:
                sets = [set(map(int, s[:size])) for s in sequences]
                each = [sum(f in s for s in sets) / len(sets) for f in (first, second)]
                either = sum(bool({first, second} & s) for s in sets) / len(sets)
                groups.append(
                    {
                        "features": [first, second],
                        "similarity": float(similarity[first, second]),
                        "frequency": either,
                        "each": each,
                    }
                )
    return groups[:4]


def evidence(
    name,
    X,
    y,
    features,
    rankings,
    *,
    labels,
    trains,
    sizes,
    own=(),
    classes=("0", "1"),
    accuracy=True,
    verdict="trust",
    warnings=(),
    left_out=(),
):
    """The evidence of a data set; `rankings` are the sequences of each selector."""
    classifiers = {"nearest": "Nearest mean"} if accuracy else {}
    classifier, m = ("nearest" if accuracy else None), X.shape[1]
    entries = []
    for use, sequences in rankings.items():
        itself = use in own
        nothing = {end: [None] * len(sizes) for end in ("value", "low", "high")}
        curve = nothing if itself else stability(sequences, m, sizes)
        rates = {c: scored(sequences, X, y, trains, sizes) for c in classifiers if not itself}
        entry = {"id": use, "label": labels[use], "baseline": use == "random", "note": ""}
        entry |= {"runs": [list(map(int, s[: max(sizes)])) for s in sequences], "stability": curve}
        entry |= {"accuracy": rates, "own": None, "difference": None}
        if itself:
            single = {k: v[0] for k, v in stability(sequences, m, []).items()}
            rate = {c: scored(sequences, X, y, trains, []) for c in classifiers}
            rate = {c: {k: v[0] for k, v in found.items()} for c, found in rate.items()}
            size = float(np.mean([len(s) for s in sequences]))
            entry["own"] = {"size": size, "stability": single, "accuracy": rate}
            best = {"size": size, "stability": single["value"]}
            entry["best"] = best | {"accuracy": rate[classifier]["value"] if accuracy else None}
            entry["note"] = "chooses its own number of features"
        else:
            entry["best"] = _best(entry, sizes, classifier)
        entry["knot"] = None if itself else _knot(entry, sizes)
        entries.append(entry)
    _set_pareto(entries)
    front = [e for e in entries if e["pareto"]] or entries[:1]
    most = max(e["best"]["accuracy"] or 0 for e in front)
    close = [e for e in front if (e["best"]["accuracy"] or 0) >= most - 0.02]
    chosen = max(close, key=lambda e: e["best"]["stability"])
    itself, size = chosen["own"] is not None, chosen["best"]["size"]
    sequences = rankings[chosen["id"]]
    cut = None if itself else size
    for entry in entries:
        if entry is not chosen and not entry["own"] and not itself:
            kept = [s[: entry["best"]["size"]] for s in rankings[entry["id"]]]
            test = nogueira_test(Runs(m, kept), Runs(m, [s[:size] for s in sequences]))
            entry["difference"] = {"statistic": test[0], "p": test[1]}
            if np.isnan(test[1]):
                entry["difference"] = None
    counted = frequencies(sequences, cut)
    consensus = [
        {
            "feature": f,
            "frequency": share,
            "mean_rank": mean,
            "ahead": min(1.0, share) if m < 100 else None,
            "votes": sum(
                dict((g, s) for g, s, _ in frequencies(r, cut)).get(f, 0) > 0.5
                for r in rankings.values()
            ),
            "trusted": share >= 0.9 and verdict != "nothing",
        }
        for f, share, mean in counted
        if share >= 0.5
    ]
    counts = {str(classes[c]): int((y == c).sum()) for c in np.unique(y)}
    higher = [int(np.argmax([X[y == c, f].mean() for c in np.unique(y)])) for f in range(m)]
    words = {
        "trust": "can be trusted",
        "caution": "needs caution",
        "nothing": "is no better than chance",
    }
    return {
        "dataset": {
            "name": name,
            "title": name,
            "origin": f"local file {name}.csv",
            "rows": len(y),
            "features": m,
            "classes": counts,
            "groups": None,
            "categories": 0,
            "missing": None,
            "left_out": list(left_out),
            "sha256": "0" * 64,
            "licence": None,
            "citation": None,
        },
        "runs": {
            "count": len(trains),
            "told": f"{len(trains)} subsamples of 80% of the rows, each class in its share",
        },
        "measure": "Nogueira",
        "sizes": list(sizes),
        "classifiers": classifiers,
        "majority": max(counts.values()) / len(y) if accuracy else None,
        "features": [
            {"name": n, "direction": f"higher in {classes[h]}", "agreement": 0.97}
            for n, h in zip(features, higher)
        ],
        "selectors": entries,
        "advice": {
            "verdict": verdict,
            "answer": [
                f"The selection of {chosen['label']} on {name} {words[verdict]}.",
                f"With {size:.3g} features its stability is {chosen['best']['stability']:.2f}, where 0 is chance and 1 the same features every time.",
                f"{sum(c['trusted'] for c in consensus)} features are selected in at least nine of ten runs.",
            ],
            "selector": chosen["id"],
            "size": size,
            "own": itself,
            "classifier": classifier,
            "why_size": f"The smallest size that is not significantly worse than the best is {size:.3g}.",
            "why_selector": "No other selector is both more stable and more accurate.",
            "warnings": list(warnings),
            "consensus": consensus,
            "voters": len(rankings),
            "interchangeable": _interchangeable(X, sequences, cut),
        },
    }


def _table(loader):
    data = loader()
    return (
        data.data,
        data.target,
        list(map(str, data.feature_names)),
        list(map(str, data.target_names)),
    )


@cache
def _good(runs=20):
    X, y, names, classes = _table(load_breast_cancer)
    trains = subsamples(y, runs)
    rankings = {use: rank(use, X, y, trains) for use in SELECTORS}
    left_out = [{"column": "id", "reason": "a different value in every row"}]
    return json.dumps(
        evidence(
            *("breast cancer", X, y, names, rankings),
            labels=SELECTORS,
            trains=trains,
            sizes=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 29],
            classes=classes,
            left_out=left_out,
        )
    )


def good():
    """Breast cancer, five selectors, 20 subsamples."""
    return json.loads(_good())


def awkward():
    """The same with names that are markup, and selectors and classes named likewise."""
    found = good()
    for feature, text in zip(found["features"], AWKWARD):
        feature["name"] = text
    order = [f for f, _, _ in frequencies(found["selectors"][0]["runs"])]
    for place, feature in enumerate(order[: len(AWKWARD)]):
        found["features"][feature]["name"] = AWKWARD[place]
    found["selectors"][1]["label"] = "<b>MIQ</b> & co"
    found["selectors"][1]["id"] = "__proto__"
    found["dataset"]["title"] = "mine <script>document.title='broken'</script>"
    found["advice"]["answer"][0] += " <i>not italic</i>"
    return found


def without_accuracy():
    found = good()
    found["classifiers"], found["majority"], found["advice"]["classifier"] = {}, None, None
    for selector in found["selectors"]:
        selector["accuracy"] = {}
        if selector["best"]:
            selector["best"]["accuracy"] = None
    return found


@cache
def _noise():
    X, y, names, classes = _table(load_breast_cancer)
    draw = generator(1, "noise")
    y = draw.permutation(y)
    X = draw.normal(size=X.shape)
    trains = subsamples(y, 20)
    rankings = {use: rank(use, X, y, trains) for use in SELECTORS}
    warnings = [
        "Stability is no better than chance: other rows would give other features.",
        "Accuracy is no better than that of always naming the most frequent class.",
    ]
    return json.dumps(
        evidence(
            *("noise", X, y, names, rankings),
            labels=SELECTORS,
            trains=trains,
            sizes=list(range(1, 21)),
            classes=classes,
            verdict="nothing",
            warnings=warnings,
        )
    )


def noise():
    """Random numbers: nothing to find."""
    return json.loads(_noise())


@cache
def _wrappers():
    X, y, names, classes = _table(load_wine)
    trains = subsamples(y, 10)
    own = {"sfs": {"n_splits": 3, "largest": 6}}
    rankings = {"fisher": rank("fisher", X, y, trains)}
    rankings |= {use: rank(use, X, y, trains, params) for use, params in own.items()}
    rankings["random"] = rank("random", X, y, trains)
    return json.dumps(
        evidence(
            *("wine", X, y, names, rankings),
            labels={"fisher": "Fisher", "sfs": "SFS, 3-NN", "random": "Random"},
            trains=trains,
            sizes=list(range(1, 13)),
            classes=classes,
            own=own,
            verdict="caution",
        )
    )


def wrappers():
    """Wine with a wrapper that chooses its own number of features."""
    return json.loads(_wrappers())


@cache
def _several():
    X, y, names, classes = _table(load_iris)
    trains = subsamples(y, 10)
    rankings = {use: rank(use, X, y, trains) for use in SELECTORS}
    iris = evidence(
        *("iris", X, y, names, rankings),
        labels=SELECTORS,
        trains=trains,
        sizes=[1, 2, 3],
        classes=classes,
        verdict="caution",
        warnings=["The smallest class has 10 rows in some test parts."],
    )
    return json.dumps(iris)


def several():
    """Four data sets."""
    return [good(), noise(), wrappers(), json.loads(_several())]


def many_selectors(n=80, m=500, runs=20, depth=100):
    """Many selectors on a wide table: weights of class differences, blurred more and more."""
    draw = generator(1, "wide")
    y = np.arange(120) % 2
    X = draw.normal(size=(len(y), m))
    X[:, :40] += 1.5 * y[:, None]
    trains = subsamples(y, runs)
    weights = [np.abs(X[t][y[t] == 1].mean(0) - X[t][y[t] == 0].mean(0)) for t in trains]
    rankings, labels = {}, {}
    for number in range(n - 1):
        blurred = [w + draw.normal(scale=number / n, size=m) for w in weights]
        use = f"blurred_{number}"
        rankings[use] = [np.argsort(-b, kind="stable")[:depth] for b in blurred]
        labels[use] = f"Difference of means, blurred by {number / n:.2f}"
    rankings["random"] = [draw.permutation(m)[:depth] for _ in trains]
    labels["random"] = "Random"
    sizes = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100]
    return evidence(
        *("wide", X, y, [f"gene {i:04d} of the wide table" for i in range(m)], rankings),
        labels=labels,
        trains=trains,
        sizes=sizes,
        verdict="caution",
    )


def context(several=False):
    """What the workflow tells the page's command."""
    found = {
        "study": "advice",
        "title": "Which features can be trusted?",
        "paper": "",
        "seed": 1,
        "method": [
            "Each selector ranks the features on 20 subsamples of the rows. Stability is Nogueira's measure of how alike the selections are.",
            "Accuracy is that of a classifier on the rows that a subsample leaves out.",
        ],
        "command": "snakemake --cores 2 results/advice/page.html",
        "statistics": [],
    }
    if several:
        ranks = {"MID": 1.5, "MIQ": 3.25, "Fisher": 2.0, "ReliefF": 3.5, "Random": 4.75}
        test = {"n_datasets": 4, "mean_ranks": ranks, "statistic": 10.6, "p": 0.0314, "cd": 3.05}
        cliques = [["MID", "Fisher", "MIQ", "ReliefF"], ["Fisher", "MIQ", "ReliefF", "Random"]]
        found["statistics"] = [
            {"title": "Stability", **test, "cliques": cliques},
            {"title": "Accuracy", **test, "p": 0.00004, "cliques": cliques},
        ]
    return found


def write(folder, evidences):
    """Evidence files with their manifests, as the workflow leaves them."""
    paths = []
    for number, found in enumerate(evidences):
        path = folder / f"evidence{number}.json"
        write_with_manifest({path: json.dumps(found, ensure_ascii=False).encode()})
        paths.append(path)
    return paths
