"""Classifiers as classes: how they are found and set, those of other packages, and the command."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

from steadfast.accuracy import classifiers
from steadfast.accuracy.classifier import Classifier
from steadfast.accuracy.classifiers import class_of, complete, create
from steadfast.accuracy.external import External
from steadfast.accuracy.rows import HEADER, accuracy_rows, transforms_of
from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified, write_with_manifest
from steadfast.core.seeds import derive_seed
from steadfast.data.table import Table, save
from steadfast.resampling.folds import Fold, write_plan
from steadfast.selectors.running.fold_file import Selection

SCRIPTS = Path(__file__).parents[2] / "scripts"
NAMES = sorted(registry.declared("classifier"))
AT = "accuracy.classifiers.mine"
BAYES = "sklearn.naive_bayes.GaussianNB"

OWN = '''
from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.core.keys import whole
from steadfast.core.registry import classifier

@classifier("first_class")
class FirstClass(Classifier):
    """Always the first class."""

    keys = {"number": whole("Which.", default=0)}
'''


def test_a_classifier_is_found_by_the_text_of_its_file(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    found = registry.declared("classifier", tmp_path)
    assert {name: about.class_name for name, about in found.items()} == {
        "first_class": "FirstClass"
    }


@pytest.mark.parametrize("name", [*NAMES, BAYES])
def test_every_classifier_and_key_is_described_and_every_default_is_allowed(name):
    found = class_of(name)
    assert issubclass(found, Classifier)
    assert found.__doc__.splitlines()[0].endswith(".")
    assert all(key.description.endswith(".") for key in classifiers.keys_of(name).values())
    filled = complete("mine", {"use": name}, "x.yaml", AT)
    assert complete("mine", filled, "x.yaml", AT) == filled
    assert create(filled).settings == create({"use": name}).settings


def test_the_id_is_the_name_of_the_classifier_unless_it_says_otherwise():
    assert complete("knn", {}, "x.yaml", AT) == {"use": "knn", "k": 3}
    assert complete("mine", {"use": "knn", "k": 5}, "x.yaml", AT) == {"use": "knn", "k": 5}
    assert complete("svm", {}, "x.yaml", AT) == {
        **{"use": "svm", "kernel": "rbf", "scale": "standard", "outcomes": False}
    }


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, ".use: unknown classifier 'mine'"),
        ({"use": "knnn"}, ".use: unknown classifier 'knnn'; did you mean 'knn'?"),
        ({"use": 3}, ".use: 3 is not of type 'string'"),
        ({"use": "knn", "C": 3}, ".C: knn has no such key"),
        ({"use": "knn", "scal": "unit"}, ".scal: knn has no such key; did you mean 'scale'?"),
        ({"use": "svm", "clusters": 2}, ".clusters: svm has no such key"),
        ({"use": "gaussian", "scale": "unit"}, ".scale: gaussian has no such key"),
        ({"use": "knn", "k": 0}, ".k: 0 is less than the minimum of 1"),
        ({"use": "svm", "kernel": "poly"}, ".kernel: 'poly' is not known"),
        ({"use": "svm", "tune": "once", "C": 2}, ".C: tune chooses it; take one of them out"),
        (
            {"use": "kmeans", "truth": "class"},
            ".truth: 'class' is not known; did you mean 'classes'",
        ),
        ({"use": "knn", "sizes": "all"}, ".sizes: 'all' is not valid"),
        ({"use": "knn", "ratios": [0]}, ".ratios.0: 0 is less than or equal to the minimum"),
        ({"use": BAYES, "k": 3}, f".k: {BAYES} has no such key"),
        ({"use": BAYES, "params": [1]}, ".params: [1] is not of type 'object'"),
    ],
)
def test_a_wrong_entry_is_one_line(entry, words):
    with pytest.raises(UserError) as caught:
        complete("mine", entry, "x.yaml", AT)
    assert str(caught.value).startswith(f"x.yaml: {AT}{words}")
    assert "\n" not in str(caught.value)


def test_create_refuses_a_key_that_a_classifier_does_not_have():
    with pytest.raises(UserError, match="K: knn has no such key; did you mean 'k'"):
        create({"use": "knn", "K": 3})


def test_files_and_seeds_of_classifiers():
    for name in NAMES:
        assert (SCRIPTS / classifiers.file_of(name)).is_file()
    assert classifiers.file_of(BAYES) is None
    drawing = {name for name in NAMES if classifiers.needs_seed({"use": name})}
    assert drawing == {"kmeans"}
    assert classifiers.needs_seed({"use": BAYES})
    splitting = [create({"use": "svm", "tune": "once"}), create({"use": "svm"})]
    assert [one.splits_rows for one in splitting] == [True, False]


@pytest.mark.parametrize(
    ("settings", "wrapper", "inside"),
    [
        ({"use": "gaussian"}, {"classifier": "gaussian"}, True),
        ({"use": "gaussian", "ridge": 0.1}, {"classifier": "gaussian"}, False),
        (
            {"use": "gaussian", "ridge": 0.1},
            *({"classifier": "gaussian", "classifier_params": {"ridge": 0.1}}, True),
        ),
        ({"use": "knn", "scale": "unit"}, {"classifier": "knn"}, True),
        ({"use": "knn", "scale": "unit"}, {"classifier": "knn", "classifier_params": None}, True),
        ({"use": "knn"}, {"classifier": "knn"}, False),
        ({"use": "knn", "scale": "unit", "k": 5}, {"classifier": "knn"}, False),
        (
            {"use": "knn", "scale": "unit", "k": 5},
            *({"classifier": "knn", "classifier_params": {"n_neighbors": 5}}, True),
        ),
        ({"use": "knn", "scale": "unit"}, {"classifier": "svm"}, False),
        ({"use": "knn", "scale": "unit"}, {}, False),
        ({"use": "svm", "scale": "unit"}, {"classifier": "svm"}, True),
        ({"use": "svm"}, {"classifier": "svm"}, False),
        ({"use": "svm", "scale": "unit", "tune": "once"}, {"classifier": "svm"}, False),
        ({"use": "svm", "scale": "unit", "kernel": "linear"}, {"classifier": "svm"}, False),
        ({"use": "svm", "scale": "unit", "C": 2}, {"classifier": "svm"}, False),
        (
            {"use": "svm", "scale": "unit"},
            *({"classifier": "svm", "classifier_params": {"gamma": 0.5}}, False),
        ),
        ({"use": "kmeans"}, {"classifier": "kmeans"}, False),
        ({"use": BAYES}, {"classifier": BAYES}, False),
    ],
)
def test_a_classifier_knows_whether_it_is_the_one_inside_a_wrapper(settings, wrapper, inside):
    assert create(settings).is_inside(wrapper) is inside


def data(n=90, m=5, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return rng.normal(size=(n, m)) * [1, 10, 0.1, 1, 3] + y[:, None], y


def rows_of(settings, X, y, fold, sequence=(3, 0, 4, 1, 2), **more):
    selections = {fold.name: Selection(np.array(sequence), np.zeros(len(sequence)))}
    return list(accuracy_rows("mine", settings, [fold], selections, X, y, **more))


FOLD = Fold("f01", 1, 1.0, np.arange(60), np.arange(60, 90))


@pytest.mark.parametrize("scale", [None, "unit"])
def test_a_classifier_of_scikit_learn_scores_as_it_does_there(scale):
    X, y = data()
    settings = {
        "use": BAYES,
        "params": {"var_smoothing": 1e-3},
        "outcomes": True,
        "sizes": [1, 3, 5],
    }
    rows = rows_of({**settings, **({"scale": scale} if scale else {})}, X, y, FOLD)
    sequence = [3, 0, 4, 1, 2]
    assert [row[2] for row in rows] == [1, 3, 5]
    for _, _, k, _, value, tested, wrong in rows:
        train, test = X[:60, sequence[:k]], X[60:, sequence[:k]]
        if scale:
            scaler = MinMaxScaler().fit(train)
            train, test = scaler.transform(train), scaler.transform(test)
        peer = GaussianNB(var_smoothing=1e-3).fit(train, y[:60])
        assert value == peer.score(test, y[60:])
        assert tested == 30
        assert wrong.split() == [
            str(row) for row in 60 + np.flatnonzero(peer.predict(test) != y[60:])
        ]


def test_one_that_draws_gets_a_seed_of_its_own_in_each_fold_unless_it_has_one():
    X, y = data()
    use = "sklearn.tree.DecisionTreeClassifier"
    settings = {"use": use, "params": {"splitter": "random"}, "sizes": [2]}
    first = rows_of(settings, X, y, FOLD, place=(4, "wine"))
    assert first == rows_of(settings, X, y, FOLD, place=(4, "wine"))
    seed = derive_seed(4, "wine", "f01", use) % 2**32
    peer = DecisionTreeClassifier(splitter="random", random_state=seed)
    assert first[0][4] == peer.fit(X[:60, [3, 0]], y[:60]).score(X[60:, [3, 0]], y[60:])
    seeded = {**settings, "params": {"splitter": "random", "random_state": 1}}
    assert len({tuple(rows_of(seeded, X, y, FOLD, place=(at, "wine"))) for at in range(5)}) == 1
    assert len({tuple(rows_of(settings, X, y, FOLD, place=(at, "wine"))) for at in range(5)}) > 1


def test_one_class_and_no_test_rows_need_no_classifier():
    X, y = data()
    one_class = rows_of({"use": BAYES}, X, np.where(np.arange(90) < 60, 1, y), FOLD)
    assert {row[4] for row in one_class} == {np.mean(y[60:] == 1)}
    empty = Fold("f01", 1, 1.0, np.arange(60), np.arange(0))
    assert all(np.isnan(row[4]) for row in rows_of({"use": BAYES}, X, y, empty))
    assert rows_of({"use": BAYES, "sizes": [9]}, X, y, FOLD) == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"use": "sklearn.naive_bayes.GaussianBN"}, "cannot be imported"),
        ({"use": "no_such_package.Thing"}, "cannot be imported"),
        (
            {"use": BAYES, "params": {"smoothing": 1}},
            f"classifier {BAYES}: .*look at its parameters",
        ),
        ({"use": BAYES, "params": {"var_smoothing": -1}}, "mine on fold f01: .*var_smoothing"),
        ({"use": "sklearn.preprocessing.MinMaxScaler"}, "has no fit and predict"),
        ({"use": "sklearn.linear_model.LinearRegression"}, "what it predicts is no class"),
    ],
)
def test_a_class_that_cannot_be_used_is_one_line(settings, words):
    X, y = data()
    with pytest.raises(UserError, match=words) as caught:
        rows_of(settings, X, y, FOLD)
    assert "\n" not in str(caught.value)


def test_a_job_imports_the_classifier_that_it_uses_and_no_other():
    code = (
        "import sys; from steadfast.accuracy.rows import create; create({'use': 'knn'});"
        "print(*(name for name in sys.modules if name.startswith(('steadfast.acc', 'sklearn'))))"
    )
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, check=True, cwd=SCRIPTS)
    assert "steadfast.accuracy.classifiers.knn" in done.stdout.split()
    other = {"sklearn", "steadfast.accuracy.external", "steadfast.accuracy.classifiers.svm"}
    assert not other & set(done.stdout.split())


def test_an_external_classifier_is_one_that_the_registry_does_not_know():
    assert class_of(BAYES) is External
    known = registry.declared("classifier").values()
    assert External.__name__ not in {about.class_name for about in known}


def test_names_of_one_selector_after_its_transforms():
    assert transforms_of(["mid"]) == {"mid": ""}
    assert transforms_of(["mid+svd1"]) == {"mid+svd1": "svd1"}
    assert list(transforms_of(["mid+a", "mid+b"]).values()) == ["a", "b"]
    for names in (["mid", "chi2"], ["mid", "mid+a"], ["mid+a", "chi2+a"]):
        with pytest.raises(UserError, match="not one selector after its transforms"):
            transforms_of(names)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Write selections of some selectors, run the command on them, and read what it wrote."""
    X, y = data()
    features = tuple("abcde")
    save(Table(X, y, features, ("x", "y", "z")), {}, tmp_path / "wine.npz")
    write_plan([FOLD], y, ["x", "y", "z"], tmp_path / "plan.npz")
    settings = {"knn": {"use": "knn"}, "mine": {"use": BAYES, "sizes": [2]}}
    main = runpy.run_path(str(SCRIPTS / "accuracy.py"))["main"]

    def run(*selectors):
        manifests = []
        for number, selector in enumerate(selectors):
            order = np.random.default_rng(number).permutation(5)
            lines = [f"{rank}\t{features[column]}\t{-rank}" for rank, column in enumerate(order, 1)]
            text = "\n".join(["rank\tfeature\tweight", *lines]) + "\n"
            manifests.append(tmp_path / selector / "batch0.sha256")
            write_with_manifest({tmp_path / selector / "f01.tsv": text.encode()}, manifests[-1])
        out = tmp_path / "accuracy" / "mid.tsv"
        call = ["accuracy.py", *manifests, "--plan", tmp_path / "plan.npz", "--table"]
        call += [tmp_path / "wine.npz", "--classifiers", json.dumps(settings), "--out", out]
        monkeypatch.setattr(sys, "argv", [str(part) for part in call])
        main()
        return parse_table(read_verified(out))

    return run


def test_the_command_writes_one_file_for_one_selector(run):
    table = run("mid")
    assert tuple(table) == HEADER
    assert table["classifier"] == ["knn"] * 5 + ["mine"]


def test_the_command_writes_one_file_for_a_selector_after_its_transforms(run):
    plain, one, both = run("mid"), run("mid+none"), run("mid+none", "mid+svd1")
    assert tuple(one) == tuple(both) == ("transform", *HEADER)
    assert both["transform"] == ["none"] * 6 + ["svd1"] * 6
    for column in HEADER:
        assert plain[column] == one[column] == both[column][:6]
    assert both["value"][:6] != both["value"][6:]
    with pytest.raises(UserError, match="not one selector after its transforms"):
        run("mid+none", "chi2+none")
