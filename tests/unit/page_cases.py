"""Data sets for tests of the page: a good one, noise, and awkward ones."""

import json
from functools import cache

import numpy as np
from page_evidence import evidence, frequencies
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from steadfast.core.files import write_with_manifest
from steadfast.core.seeds import generator

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
    "carriage\rreturn",
    "javascript:document.title='broken'",
    "{{constructor.constructor('broken')()}} {% raw %}",
    "</style><style>*{display:none}</style>",
    "<svg onload=\"document.title='broken'\"><a xlink:href='javascript:1'>",
    "invoice\u202ecsv.exe",
    '=cmd|"/C calc"!A1',
    r"$\frac{",
    "\x1b]0;broken\x07\x1b[2J",
]

USES = {"mid": "MID", "miq": "MIQ", "fisher": "Fisher", "relieff": "ReliefF", "random": "Random"}


def _table(loader):
    data = loader()
    labels = [str(data.target_names[y]) for y in data.target]
    return data.data, labels, list(map(str, data.feature_names))


@cache
def _good():
    return evidence("breast cancer", *_table(load_breast_cancer), USES, probes=["mid", "fisher"])


def good_case():
    """Breast cancer, five selectors, 20 subsamples."""
    return json.loads(_good())


def awkward_case():
    """The good case with names that are markup, and selectors and classes named likewise."""
    found = good_case()
    order = [feature for feature, _, _ in frequencies(found["selectors"][0]["runs"], 12)]
    for text, feature in zip(AWKWARD, dict.fromkeys([*order, *range(30)])):
        found["features"][feature]["name"] = text
    found["features"][order[0]]["direction"] = "<b>higher</b> in </td>"
    found["selectors"][1] |= {"label": "<b>MIQ</b> & co", "id": "__proto__"}
    found["dataset"]["title"] = "mine <script>document.title='broken'</script>"
    found["dataset"]["classes"] = {"<i>yes</i>": 357, "__proto__": 212}
    found["advice"]["answer"][0] += " <i>not italic</i>"
    found["advice"]["warnings"].append({"kind": "bold", "text": "<b>not bold</b>"})
    found["dataset"]["noticed"] = ["<b>not bold</b> either"]
    return found


def without_accuracy():
    """A study that measures stability alone."""
    found = good_case()
    found["classifiers"], found["majority"], found["advice"]["classifier"] = {}, None, None
    for selector in found["selectors"]:
        selector["accuracy"] = {}
        selector["best"]["accuracy"] = None
    return found


@cache
def _noise():
    _, labels, names = _table(load_breast_cancer)
    X = generator(1, "noise").normal(size=(len(labels), len(names)))
    return evidence("noise", X, labels, names, USES, probes=["fisher"])


def noise():
    """Random numbers: nothing to find."""
    return json.loads(_noise())


@cache
def _wrappers():
    uses = {"fisher": "Fisher", "sfs": "SFS, 3-NN", "random": "Random"}
    own = {"sfs": {"n_splits": 3, "largest": 6}}
    return evidence("wine", *_table(load_wine), uses, runs=8, own=own)


def wrappers():
    """Wine with a wrapper that chooses its own number of features."""
    return json.loads(_wrappers())


@cache
def _iris():
    return evidence("iris", *_table(load_iris), USES, runs=8)


@cache
def _with_q_values():
    X, labels, names = _table(load_breast_cancer)
    X = np.column_stack([X, generator(1, "more noise").normal(size=(len(labels), 6))])
    names = [*names, *(f"noise {number}" for number in range(6))]
    uses = {"mid": "MID", "fisher": "Fisher", "relieff": "ReliefF", "random": "Random"}
    return evidence(*("q-values", X, labels, names, uses), runs=8, probes=["mid"], trust=True)


def with_q_values():
    """Breast cancer and six features of noise, with q-values: most features are trusted."""
    return json.loads(_with_q_values())


def mixed_effects():
    """Several classes, a category, an effect without interval, medians against the ranks."""
    found = json.loads(_iris())
    features, advice = found["features"], found["advice"]
    (row,) = advice["consensus"]
    ends = {"difference": 12.34, "low": 5.0, "high": 20.0, "auc": None}
    features[0] |= {"direction": "", "agreement": 0.5}
    features[0]["effect"] |= {**ends, "unit": "points", "level": AWKWARD[0], "class": AWKWARD[1]}
    features[1]["effect"] |= {"low": None, "high": None}
    features[3]["effect"] |= {"difference": -0.4, "low": -0.5, "high": -0.3}
    absent = {**row, "frequency": 0.0, "mean_rank": None, "trusted": True, "votes": 2}
    advice |= {"consensus": [absent | {"feature": 0}, absent | {"feature": 1}, row | {"votes": 1}]}
    for place, votes in enumerate((2, 2, 0, 1)):
        features[place]["votes"] = votes
    group = {"features": [0, 3], "similarity": 0.7, "frequency": 1.0, "each": [0.0, 1.0]}
    advice |= {"voters": 2, "interchangeable": [group]}
    return found


def several_cases():
    """Four data sets, one of them with a different set of selectors."""
    return [good_case(), noise(), wrappers(), json.loads(_iris())]


@cache
def _wide(n, m, runs):
    draw = generator(1, "wide")
    y = np.arange(120) % 2
    X = draw.normal(size=(len(y), m))
    X[:, :40] += 0.8 * y[:, None]
    weights = np.abs(X[y == 1].mean(0) - X[y == 0].mean(0))
    uses, rankings = {"random": "Random"}, {}
    for number in range(n - 1):
        use = f"blurred_{number}"
        uses[use] = f"Difference of means, blurred by {number / n:.2f}"
        blurred = [weights + draw.normal(scale=0.05 + number / n, size=m) for _ in range(runs)]
        rankings[use] = [np.argsort(-one, kind="stable") for one in blurred]
    names = [f"gene {i:04d} of the wide table" for i in range(m)]
    labels = [["sick", "well"][c] for c in y]
    return evidence(*("wide", X, labels, names, uses), runs=runs, largest=100, rankings=rankings)


def many_selectors(n=80, m=400, runs=10):
    """Many selectors on a wide table: differences of class means, blurred more and more."""
    return json.loads(_wide(n, m, runs))


def context(several=False):
    """What the workflow tells the page's command."""
    found = {
        "study": "advice",
        "title": "Which features can be trusted?",
        "paper": "",
        "seed": 1,
        "method": ["Each selector ranks the features on subsamples of the rows."],
        "command": "snakemake --cores 2 results/advice/page.html",
        "statistics": [],
    }
    if several:
        ranks = {"MID": 1.5, "MIQ": 3.25, "Fisher": 2.0, "ReliefF": 3.5, "Random": 4.75}
        test = {"n_datasets": 4, "mean_ranks": ranks, "statistic": 10.6, "p": 0.0314, "cd": 3.05}
        cliques = [["MID", "Fisher", "MIQ", "ReliefF"], ["Fisher", "MIQ", "ReliefF", "Random"]]
        found["statistics"] = [
            {"title": "Stability", **test, "cliques": cliques},
            {"title": "Accuracy", **test, "p": 0.00004, "cliques": []},
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
