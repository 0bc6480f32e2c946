"""What the page says of features, doubts, and studies of methods."""

import copy
import re

import page_cases as cases
import pytest
from page_evidence import frequencies
from parsed_page import Parsed, listed, page

from steadfast.advice.words.answer import EXCELLENT
from steadfast.page import text
from steadfast.page.data import with_advice
from steadfast.page.document import study_page
from steadfast.page.feature_cells import difference
from steadfast.page.features import features_part, reason
from steadfast.page.sections import RANDOM


def test_the_recommended_frequencies_can_be_counted_in_the_runs():
    """What the script counts at the recommended size is what the evidence says."""
    found = cases.good_case()
    advice = found["advice"]
    chosen = next(s for s in found["selectors"] if s["id"] == advice["selector"])
    counted = {f: (share, rank) for f, share, rank in frequencies(chosen["runs"], advice["size"])}
    rows = {r["feature"]: (r["frequency"], r["mean_rank"]) for r in advice["consensus"]}
    assert counted == {f: pytest.approx(rows[f], abs=1e-6) for f in counted}
    assert all(rows[f] == (0, None) for f in rows.keys() - counted.keys())


def test_a_reason_stands_where_selected_and_trusted_differ_and_only_there():
    found = cases.good_case()
    advice = found["advice"]
    first = advice["consensus"][0]
    advice["consensus"] = rows = [{**first, "feature": feature} for feature in range(6)]
    advice["level"] = 0.05
    wanted = [
        ({"trusted": True, "frequency": 0.5}, "–"),
        ({"trusted": False, "frequency": 0.49}, "–"),
        (
            {"trusted": False, "frequency": 0.5, "q": 0.31},
            "q = 0.310: not distinguishable from noise",
        ),
        (
            {"trusted": False, "frequency": 1.0},
            "0 of 2 selectors agree: not distinguishable from noise",
        ),
        ({"trusted": True, "frequency": 0.2}, "{} is selected in its place"),
        ({"trusted": True, "frequency": 0.4}, "ranked lower by {}; the list has room for {}"),
    ]
    for row, (changes, _) in zip(rows, wanted, strict=True):
        row |= {"votes": 0, **changes}
    label = next(s["label"] for s in found["selectors"] if s["id"] == advice["selector"])
    stand_in = rows[0]["feature"]
    group = {"features": [stand_in, rows[4]["feature"]], "each": [0.9, 0.2], "frequency": 0.9}
    advice["interchangeable"] = [{**group, "similarity": 0.5, "trusted": [True, True]}]
    found["features"][stand_in]["name"] = hostile = cases.AWKWARD[1]
    parsed = Parsed(page(found))
    reasons = [why for _, why in wanted]
    reasons[4] = reasons[4].format(hostile)
    reasons[5] = reasons[5].format(label, text.count(advice["size"], "feature"))
    assert [row["Why"] for row in listed(parsed)] == reasons
    assert not parsed.all("img")
    assert ["".join(reason(found, row)) or "–" for row in rows] == reasons
    # A group that few runs select from stands in for nothing.
    advice["interchangeable"][0]["frequency"] = 0.4
    assert reason(found, rows[4])[0] == "ranked lower by "
    rows[:] = rows[:2]
    assert "Why" not in listed(Parsed(page(found)))[0]


def test_a_reason_names_a_few_of_the_features_that_are_selected_instead():
    found = cases.good_case()
    row = {"feature": 0, "frequency": 0.0, "trusted": True}
    for count, wanted in (
        (2, "{} and {} are"),
        (3, "{}, {} and {} are"),
        (5, "{}, {}, {} and 2 more are"),
    ):
        members = list(range(count + 1))
        group = {"features": members, "each": [0, *[0.9] * count], "frequency": 1.0}
        found["advice"] |= {"interchangeable": [group], "voters": 2}
        names = [found["features"][f]["name"] for f in members[1:]]
        assert "".join(reason(found, row)) == f"{wanted.format(*names)} selected in its place"


def test_without_a_recommended_selector_trusted_features_are_listed_all_the_same():
    found = cases.good_case()
    rows = found["advice"]["consensus"]
    found["advice"]["consensus"] = [{**r, "frequency": None, "mean_rank": None} for r in rows[:3]]
    found["advice"] |= {"selector": None, "size": None}
    for row in listed(Parsed("".join(features_part(found, "h2")).encode())):
        assert row["In how many runs"] == row["Mean rank"] == "–"
        assert "Why" not in row


def test_effects_say_what_is_compared_and_names_in_them_stay_names():
    found, hostile = cases.good_case(), "<img src=x>"
    first, second, *_ = (found["features"][r["feature"]] for r in found["advice"]["consensus"])
    told = "".join(features_part(found, "h2"))
    shown = f"the median of {text.name('malignant')} minus that of {text.name('benign')}"
    assert shown in told
    assert "these effects are too large on average" in told
    assert "Each group of rows" not in told
    found["dataset"]["groups"] = 12
    effect = {"class": hostile, "against": None, "difference": 12.34, "low": 5.0, "high": 20.0}
    effect |= {"unit": "points", "level": f"{hostile} level"}
    first |= {"direction": "", "agreement": 0.5, "effect": {**effect, "auc": None}}
    second["effect"] = {**effect, "unit": "units", "low": None, "high": None, "auc": None}
    parsed = Parsed("".join(features_part(found, "h2")).encode())
    rows = listed(parsed)
    assert not parsed.all("img")
    assert rows[0]["Direction"] == "no steady direction"
    one = f"{hostile} against all others"
    assert rows[0]["Difference"] == f"12 5 to 20 points, share of {hostile} level {one}"
    assert rows[0]["AUC"] == "–"
    assert rows[1]["Difference"] == "12"
    assert "Each group of rows counts once per class" in parsed.all("p", "told")[0]["text"]


@pytest.mark.parametrize(
    ("ends", "written"),
    [
        ((1.48, 1.208, 1.752), "1.48 1.21 to 1.75"),
        ((535, 454.295, 615.705), "535 454 to 616"),
        ((-0.017, -0.03, 0.004), "−0.017 −0.030 to 0.004"),
        ((0, 0, 0), "0 0 to 0"),
        ((3e-9, 1e-9, 5e-9), "3e−09 1e−09 to 5e−09"),
        ((2e9, 1e9, 3e9), "2e+09 1e+09 to 3e+09"),
    ],
)
def test_a_difference_has_the_digits_of_its_interval(ends, written):
    effect = dict(zip(("difference", "low", "high"), ends), unit="units", against="no")
    found = difference({"direction": "higher in yes", "effect": effect}).markup()
    assert re.sub("<[^>]*>", "", found) == written


def test_a_warning_that_several_data_sets_share_is_printed_once():
    evidences = cases.several_cases()
    for number, found in enumerate(evidences):
        text = f"Neighbouring rows are alike (0.1{number})."
        found["advice"]["warnings"] = [{"kind": "neighbours", "text": text}]
    alone = {"kind": "alone", "text": "Only here: glucose alone tells nearly everything."}
    evidences[1]["advice"]["warnings"].append(alone)
    parsed = Parsed(page(*evidences))
    items = [e["text"] for e in parsed.all("li") if "are alike" in e["text"]]
    assert items == [
        "On breast cancer, noise, wine and iris (example: breast cancer): Neighbouring rows are "
        "alike (0.10)."
    ]
    assert sum("glucose alone" in e["text"] for e in parsed.all("li")) == 1
    more = [copy.deepcopy(evidences[0]) for _ in range(7)]
    for number, found in enumerate(more):
        found["dataset"]["title"] = f"t{number}"
    items = [e["text"] for e in Parsed(page(*more)).all("li") if "are alike" in e["text"]]
    assert [item.partition(":")[0] for item in items] == [
        "On t0, t1, t2, t3, t4 and 2 more (example"
    ]


def test_caution_names_its_reasons_in_the_same_line():
    found = cases.good_case()
    found["advice"] |= {"verdict": "caution", "doubts": ["neighbouring rows are alike", "so is b"]}
    (badge,) = Parsed(page(found)).all("span", "verdict")
    assert badge["text"] == "! Trust with caution: neighbouring rows are alike; so is b"


def test_a_column_that_looks_like_groups_gives_the_command_to_paste():
    found = cases.good_case()
    found["dataset"]["proposed_groups"] = [{"column": "patient no", "values": 120}]
    typed = {"data": "tables/p.csv", "target": "diagnosis", "margin": "3", "config": ["my.yaml"]}
    parsed = Parsed(study_page([found], cases.context(False) | {"typed": typed}))
    commands = [e["text"] for e in parsed.all("code")]
    assert (
        "steadfast advise tables/p.csv --target diagnosis --margin 3 --config my.yaml "
        "--groups 'patient no'"
    ) in commands
    assert "If rows of one patient no belong together, run: steadfast advise" in " ".join(
        e["text"] for e in parsed.all("p")
    )


def test_a_study_of_methods_has_no_part_of_advice():
    """A page of readings recommended one of them, green."""
    evidences = [{**cases.good_case(), "advice": None, "of_methods": True} for _ in range(2)]
    parsed = Parsed(page(*map(with_advice, evidences)))
    assert not parsed.all("div", "answer")
    assert not parsed.all("span", "verdict")
    assert not parsed.all("section", "overview")
    assert "recommended" not in " ".join(e["text"] for e in parsed.all("td"))
    assert parsed.all("figure", "chart")
    assert parsed.all("table", "selectors")


def test_a_selector_that_saw_test_rows_is_marked():
    found = cases.good_case()
    found["selectors"][0]["barred"] = "learnt from test rows"
    marks = [e["text"] for e in Parsed(page(found)).all("span", "mark")]
    assert "not recommended: learnt from test rows" in marks


def test_the_page_explains_that_directions_compare_ranks():
    found = cases.good_case()
    for feature in found["features"]:
        feature["effect"] |= {"against": None}
    told = "".join(features_part(found, "h2"))
    assert "Direction: the class whose values rank highest on average, named" in told
    assert "the median of the class whose values rank highest minus" in told


def test_columns_are_not_explained_where_there_are_no_rows():
    found = cases.good_case()
    assert "Mean rank: the mean position in" in "".join(features_part(found, "h2"))
    found["advice"]["consensus"] = []
    told = "".join(features_part(found, "h2"))
    assert "Mean rank" not in told
    assert "No feature is recommended." in told


@pytest.mark.parametrize("trust", [False, True])
def test_where_no_selector_finished_nothing_is_judged(trust):
    """A red badge, "Left to chance", stood above "No selector finished enough runs"."""
    found = with_advice({**cases.good_case(), "advice": None})
    if trust:
        found["advice"] = {**found["advice"], "level": 0.05}
    parsed = Parsed(page(found))
    (badge,) = parsed.all("span", "verdict")
    assert badge["text"] == "– No recommendation"
    assert "unjudged" in badge["class"]
    assert "No selector finished enough runs" in parsed.all("div", "answer")[0]["text"]


def test_the_overview_gives_no_reason_that_is_not_true_of_every_data_set():
    evidences = [{**found, "advice": None} for found in cases.several_cases()]
    said = " ".join(e["text"] for e in Parsed(page(*map(with_advice, evidences))).all("p", "lead"))
    assert "the selection is not judged, for the reason given below" in said
    assert "accuracy" not in said


def stable(found, value, verdict="trust"):
    """The same data set without trust, and of this stability and verdict."""
    advice = found["advice"]
    advice |= {"verdict": verdict, "doubts": [], "voters": None, "level": None}
    selector = next(s for s in found["selectors"] if s["id"] == advice["selector"])
    selector["stability"]["value"][found["sizes"].index(advice["size"])] = value
    return found


@pytest.mark.parametrize(
    ("value", "words"),
    [(EXCELLENT, "✓ Stable and accurate"), (EXCELLENT - 0.01, "✓ Accurate, partly stable")],
)
def test_a_selection_that_changes_in_part_is_not_called_stable(value, words):
    (badge,) = Parsed(page(stable(cases.good_case(), value))).all("span", "verdict")
    assert badge["text"] == words


def test_partly_stable_selections_are_counted_apart():
    values = (0.9, 0.5, 0.7, 0.3)
    evidences = [stable(cases.good_case(), value) for value in values]
    evidences[-1]["advice"] |= {"verdict": "caution", "doubts": ["the selection is unstable"]}
    (lead,) = Parsed(page(*evidences)).all("p", "lead")
    assert lead["text"] == (
        "Of 4 data sets, the selection is stable and accurate on 1, is accurate and partly stable "
        "on 2 and should be used with caution on 1."
    )


def test_a_partly_stable_selection_with_trusted_features_can_be_trusted():
    found = cases.good_case()
    trusted = stable(cases.good_case(), 0.5) | {"advice": found["advice"]}
    (badge,) = Parsed(page(trusted)).all("span", "verdict")
    assert badge["text"] == "✓ Can be trusted"


def test_selectors_that_could_not_be_recommended_are_not_counted_as_compared():
    found = cases.good_case()
    notes = [e["text"] for e in Parsed(page(found)).all("dd", "told")]
    assert notes[0] == "of 4 compared"
    others = [s for s in found["selectors"] if s["id"] != found["advice"]["selector"]]
    others[0]["barred"] = "learnt from test rows"
    notes = [e["text"] for e in Parsed(page(found)).all("dd", "told")]
    assert notes[0] == "of 3 compared"


def test_random_features_of_the_same_number_stand_beside_each_accuracy():
    found = cases.wrappers()
    random = next(s for s in found["selectors"] if s["baseline"])["accuracy"]
    curve = random[found["advice"]["classifier"]]["value"]
    parsed = Parsed(page(found))
    titles = [e["text"] for e in parsed.all("th") if e.get("scope") == "col"]
    assert titles[titles.index("Accuracy") + 1] == RANDOM
    for selector in found["selectors"]:
        row = next(r for r in parsed.rows("selectors") if r[0].startswith(selector["label"]))
        size = selector["best"]["size"]
        nearest = min(found["sizes"], key=lambda one: (abs(one - size), one))
        shown = text.accuracy(curve[found["sizes"].index(nearest)])
        note = "" if nearest == size else f" with {nearest}"
        assert row[4] == ("–" if selector["baseline"] else f"{shown}{note}")
    overview = Parsed(page(found, cases.without_accuracy())).rows("overview")
    assert overview[0][6].startswith(text.accuracy(found["advice"]["random"]["value"]))
    assert overview[1][6] == "–"


def test_without_random_features_there_is_no_column_for_them():
    found = cases.good_case()
    found["selectors"] = [s for s in found["selectors"] if not s["baseline"]]
    assert RANDOM not in [e["text"] for e in Parsed(page(found)).all("th")]
