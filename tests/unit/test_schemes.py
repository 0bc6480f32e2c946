"""Schemes as classes: how they are found, what can be set, what they say of themselves."""

import numpy as np
import pytest

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.resampling import schemes
from steadfast.resampling.scheme import Scheme

NAMES = sorted(registry.declared("scheme"))

OWN = '''
from steadfast.core.keys import whole
from steadfast.core.registry import scheme
from steadfast.resampling.scheme import Scheme

@scheme("{name}", fixed={{"every": 3}})
class Alternating(Scheme):
    """Every third row tests."""

    keys = {{"every": whole("Which rows.", default=2), "repeats": whole("Number.", default=4)}}
'''


def test_a_scheme_is_found_by_the_text_of_its_file(tmp_path):
    (tmp_path / "own.py").write_text(OWN.format(name="alternating"))
    found = registry.declared("scheme", tmp_path)
    assert list(found) == ["alternating"]
    assert found["alternating"].class_name == "Alternating"
    assert found["alternating"].fixed == {"every": 3}


def test_a_name_that_stands_twice_is_refused(tmp_path):
    for file in ("one.py", "two.py"):
        (tmp_path / file).write_text(OWN.format(name="same"))
    with pytest.raises(UserError, match="scheme 'same' is declared twice"):
        registry.declared("scheme", tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_every_scheme_and_key_is_described_and_every_default_is_allowed(name):
    found = registry.load("scheme", name)
    assert issubclass(found, Scheme)
    assert found.__doc__.splitlines()[0].endswith(".")
    assert all(key.description.endswith(".") for key in found.keys.values())
    filled = schemes.complete({"scheme": name}, "x.yaml")
    assert schemes.complete(filled, "x.yaml") == filled
    assert set(filled) - {"scheme"} == {
        key for key, about in schemes.keys_of(name).items() if about.has_default
    }
    assert schemes.create(filled).settings == schemes.create({"scheme": name}).settings
    assert (registry.PACKAGE.parent / schemes.file_of(name)).is_file()


def test_what_a_name_settles_cannot_be_set():
    assert schemes.create({"scheme": "halves"}).settings["share"] == 0.5
    assert "share" not in schemes.keys_of("halves")
    assert "share" in schemes.keys_of("subsample")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "x.yaml: resample.scheme: this key is missing"),
        ({"scheme": "bootstrap"}, "x.yaml: resample.scheme: 'bootstrap' is not known; did you"),
        ({"scheme": "cv", "ratios": [0.5]}, "x.yaml: resample.ratios: cv has no such setting"),
        (
            {"scheme": "cv", "fold": 3},
            "resample.fold: cv has no such setting; did you mean 'folds'",
        ),
        ({"scheme": "halves", "share": 0.3}, "x.yaml: resample.share: halves has no such setting"),
        ({"scheme": "cv", "folds": 1}, "x.yaml: resample.folds: 1 is less than the minimum of 2"),
        ({"scheme": "cv", "disjoint": 0.6}, "resample.disjoint: 0.6 is greater than the maximum"),
        ({"scheme": "nested_cv", "inner": "ten"}, "resample.inner: 'ten' is not of type 'integer'"),
        ({"scheme": "perturbed", "perturbations": ["a"]}, "perturbations.0: 'a' is not of type"),
        (
            {"scheme": "perturbed", "perturbations": [0.1, 0.1000001]},
            "x.yaml: resample.perturbations: two of them are equal",
        ),
    ],
)
def test_a_wrong_setting_is_one_line_that_begins_with_the_file(settings, words):
    with pytest.raises(UserError) as caught:
        schemes.complete(settings, "x.yaml")
    assert str(caught.value).startswith("x.yaml: resample.")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_whole_numbers_may_be_written_with_a_point():
    assert repr(schemes.complete({"scheme": "cv", "folds": 5.0}, "x.yaml")["folds"]) == "5"


def test_defaults_are_not_shared_between_studies():
    first = schemes.complete({"scheme": "shrinking_bootstrap"}, "x.yaml")
    first["ratios"].append(0.9)
    assert 0.9 not in schemes.complete({"scheme": "shrinking_bootstrap"}, "x.yaml")["ratios"]


#: Which of the schemes have what, and how the folds of their page's ratio are described.
ABOUT = {
    "has_reference": {"shrinking_bootstrap"},
    "independent_draws": {"subsample", "halves"},
    "one_sample": {"shrinking_bootstrap", "cv", "subsample", "halves", "pairs", "perturbed"},
    "mixed": {"shrinking_bootstrap", "nested_cv", "perturbed", "repeated_halves"},
    "halves": {"halves", "repeated_halves", "pairs"},
}


@pytest.mark.parametrize("property_", ABOUT)
def test_schemes_say_what_can_be_done_with_their_folds(property_):
    found = {name for name in NAMES if getattr(schemes.create({"scheme": name}), property_)}
    assert found == ABOUT[property_]


def test_what_schemes_say_is_what_their_folds_are():
    y = np.arange(120) % 2
    for name in NAMES:
        scheme = schemes.create({"scheme": name})
        folds = list(scheme.folds(y, ["a", "b"], 1, ("study", "data")))
        compared = [fold for fold in folds if fold.comparison]
        assert scheme.has_reference == all(fold.reference for fold in folds)
        assert scheme.one_sample == (len({fold.comparison for fold in compared}) == 1)
        kinds = {(fold.ratio, fold.scored, bool(fold.comparison)) for fold in folds}
        assert scheme.mixed == (len(kinds) > 1)
        assert {fold.ratio for fold in folds} == set(scheme.ratios())
        group = [fold for fold in compared if fold.comparison == compared[0].comparison]
        assert scheme.runs() == len(group) / len(scheme.ratios())
        if scheme.independent_draws:
            fewer = schemes.create({"scheme": name, "repeats": 3})
            for fold, again in zip(folds, fewer.folds(y, ["a", "b"], 1, ("study", "data"))):
                assert (fold.train == again.train).all()


@pytest.mark.parametrize(
    ("settings", "ratio", "words"),
    [
        ({"scheme": "shrinking_bootstrap"}, 0.75, "10 bootstraps of the rows, 75% of each"),
        ({"scheme": "shrinking_bootstrap", "ratios": [1]}, 1, "10 bootstraps of the rows"),
        ({"scheme": "cv", "folds": 5}, 1, "5 folds of a cross-validation, each class in its share"),
        (
            {"scheme": "repeated_cv", "repeats": 3},
            *(1, "10 folds of each of 3 cross-validations, each class in its share"),
        ),
        (
            {"scheme": "nested_cv", "folds": 4},
            *(1, "the 4 outer folds of a nested cross-validation, each class in its share"),
        ),
        ({"scheme": "subsample", "stratified": False}, 1, "10 subsamples of 80% of the rows"),
        (
            {"scheme": "halves", "repeats": 2},
            *(1, "2 random halves of the rows, each class in its share"),
        ),
        (
            {"scheme": "perturbed", "perturbations": [0, 0.4]},
            *(
                0.4,
                "10 samples of 25% of the rows, each class in its share, 40% of each drawn anew",
            ),
        ),
    ],
)
def test_the_page_says_how_its_folds_were_drawn(settings, ratio, words):
    scheme = schemes.create(settings)
    assert scheme.page_ratio() == ratio
    assert scheme.describe(ratio) == words


def test_a_scheme_that_says_no_more_than_it_must_has_a_description():
    class Bare(Scheme):
        def names(self):
            return ["a"]

        def folds(self, y, classes, seed, names):
            return iter(())

        def runs(self):
            return 7

    bare = Bare({})
    assert (bare.page_ratio(), bare.mixed, bare.describe(1.0)) == (1, False, "7 draws of the rows")
