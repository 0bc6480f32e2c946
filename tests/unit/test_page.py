"""The page of a study: what it says without scripts, and that names stay data."""

import base64
import copy
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import page_cases as cases
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsed_page import Parsed, listed, page

from steadfast.core.seeds import generator
from steadfast.page import text
from steadfast.page.data import read_evidence
from steadfast.page.document import PARTS, SCRIPTS, STYLES, to_script_json, versions
from steadfast.page.payload import DIGITS, pack_run, shorten
from steadfast.page.statistics import AXIS, critical_differences

ROOT = Path(__file__).parents[2]


def test_the_same_evidence_gives_the_same_bytes():
    assert page(cases.good_case()) == page(cases.good_case())


def test_the_answer_comes_first_and_in_its_own_words():
    found = cases.good_case()
    parsed = Parsed(page(found))
    sentences = [p["text"] for p in parsed.all("p")][1:4]
    assert sentences == found["advice"]["answer"]
    assert parsed.all("title")[0]["text"] == cases.context()["title"]


def test_names_are_shown_as_they_are_and_are_never_markup():
    found = cases.awkward_case()
    parsed = Parsed(page(found, title="<script>alert(1)</script>"))
    shown = {e["text"] for e in parsed.all("bdi", "name")}
    listed = [found["features"][row["feature"]]["name"] for row in found["advice"]["consensus"]]
    assert set(listed) & set(cases.AWKWARD), "the case is about awkward names"
    assert set(listed) <= shown
    assert found["selectors"][1]["label"] in shown
    assert {"<i>yes</i>", "__proto__"} <= shown
    assert not parsed.all("img")
    assert not parsed.all("b")
    assert not parsed.all("i")
    assert [e.get("type") for e in parsed.all("script")] == ["application/json", None]
    assert found["advice"]["warnings"][-1]["text"] in [e["text"] for e in parsed.all("li")]


def test_the_carried_data_bring_back_every_name():
    found = cases.awkward_case()
    raw = page(found).decode()
    payload = Parsed(raw.encode()).data()[0]
    assert [entry[0] for entry in payload["features"]] == [f["name"] for f in found["features"]]
    block = re.search(r'id="evidence">(.*?)</script>', raw, re.DOTALL)[1]
    assert not re.search("[<>&\u2028\u2029]", block)


@given(st.text() | st.lists(st.text(alphabet="<>&/\\\"'\u2028\u2029 sc!-"), max_size=5))
def test_embedded_json_comes_back_and_cannot_end_its_element(value):
    written = to_script_json(value)
    assert json.loads(written) == value
    assert not set(written) & set("<>&\u2028\u2029")


def test_half_a_surrogate_pair_does_not_stop_the_page():
    found = cases.good_case()
    found["features"][0]["name"] = "broken \ud83e name"
    assert b"broken ? name" in page(found)


def test_only_this_style_and_this_script_may_run():
    parsed = Parsed(page(cases.good_case()))
    policy = next(e["content"] for e in parsed.all("meta") if "http-equiv" in e)
    style, script = parsed.all("style")[0]["text"], parsed.all("script")[-1]["text"]

    def digest(content):
        return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()

    assert f"script-src 'sha256-{digest(script)}'" in policy
    assert f"style-src 'sha256-{digest(style)}'" in policy
    assert policy.startswith("default-src 'none';")
    attributes = {key for e in parsed.elements for key in e}
    assert not {key for key in attributes if key.startswith("on")} | attributes & {"style", "src"}
    links = [e["href"] for e in parsed.elements if "href" in e]
    assert all(link.startswith("#") for link in links)


def test_numbers_are_those_of_the_evidence():
    found = cases.good_case()
    parsed, advice = Parsed(page(found)), found["advice"]
    chosen = next(s for s in found["selectors"] if s["id"] == advice["selector"])
    place = found["sizes"].index(advice["size"])
    values = [e["text"] for e in parsed.all("dd")]
    stable, accurate = chosen["stability"], chosen["accuracy"][advice["classifier"]]
    assert values[:8:2] == [
        chosen["label"],
        str(advice["size"]),
        f"{stable['value'][place]:.2f}",
        f"{100 * accurate['value'][place]:.1f}%",
    ]
    assert f"{stable['low'][place]:.2f} to {stable['high'][place]:.2f}" in values[5]
    for row, entry in zip(listed(parsed), advice["consensus"], strict=True):
        rank = "–" if entry["mean_rank"] is None else f"{entry['mean_rank']:.1f}"
        feature = found["features"][entry["feature"]]
        assert row["Feature"] == feature["name"]
        assert row["In how many runs"] == f"{100 * entry['frequency']:.0f}%"
        assert row["Mean rank"] == rank
        effect = feature["effect"]
        ends = (text.stability(effect[end]) for end in ("auc", "auc_low", "auc_high"))
        assert row["AUC"] == "{} {} to {}".format(*ends)
        assert row["Difference"].startswith(
            "−" if effect["difference"] < 0 else tuple("0123456789")
        )
        assert row["Selectors that agree"] == f"{entry['votes']} of {advice['voters']}"
        assert row["Trusted"] == ("✓ yes" if entry["trusted"] else "no")


def test_selectors_are_listed_by_stability_and_random_selection_last():
    found = cases.good_case()
    rows = Parsed(page(found)).rows("selectors")
    best = {s["label"]: s["best"] for s in found["selectors"]}
    labels = [next(label for label in best if row[0].startswith(label)) for row in rows]
    values = [best[label]["stability"] for label in labels]
    assert labels[-1] == "Random"
    assert values[:-1] == sorted(values[:-1], reverse=True)
    for row, label in zip(rows, labels):
        assert row[1] == str(best[label]["size"])
        assert row[2].startswith(text.stability(best[label]["stability"]))
        assert row[3].startswith(text.accuracy(best[label]["accuracy"]))


def test_a_study_without_accuracy_speaks_of_none():
    parsed = Parsed(page(cases.without_accuracy()))
    headings = [e["text"] for e in parsed.all("th")]
    assert "Accuracy" not in headings
    assert "Pareto front" not in headings
    assert "This study measures no accuracy." in parsed.all("figcaption")[0]["text"]


def test_a_wrapper_is_shown_at_the_mean_of_its_own_sizes():
    found = cases.wrappers()
    wrapper = next(s for s in found["selectors"] if s["own"])
    row = next(r for r in Parsed(page(found)).rows("selectors") if r[0].startswith("SFS"))
    assert row[1] == text.size(wrapper["own"]["size"])
    assert row[2].startswith(text.stability(wrapper["own"]["stability"]["value"]))


def test_several_data_sets_have_an_overview_with_links_to_their_sections():
    evidences = cases.several_cases()
    parsed = Parsed(page(*evidences))
    rows = parsed.rows("overview")
    assert [row[0] for row in rows] == [e["dataset"]["title"] for e in evidences]
    for row, found in zip(rows, evidences):
        trusted = sum(entry["trusted"] for entry in found["advice"]["consensus"])
        has_votes = found["advice"]["voters"] is not None
        assert row[7] == (str(trusted) if has_votes else "–")
    targets = {e.get("id") for e in parsed.all("section")}
    assert {e["href"][1:] for e in parsed.all("a")} <= targets
    assert "p = 0.031" in parsed.all("figcaption")[0]["text"]
    assert "p < 0.001" in parsed.all("figcaption")[1]["text"]


def test_a_data_set_without_advice_is_told_so(tmp_path):
    found = cases.good_case()
    found["advice"], found["selectors"], found["features"] = None, [], []
    (path,) = cases.write(tmp_path, [found])
    parsed = Parsed(page(read_evidence(path)))
    assert "No selector finished enough runs" in parsed.all("div", "answer")[0]["text"]
    assert not parsed.all("figure")


def test_long_tables_are_cut_but_can_be_opened():
    found = cases.many_selectors()
    row = found["advice"]["consensus"][0]
    found["advice"]["consensus"] = [
        {**row, "feature": feature % len(found["features"]), "trusted": feature < 60}
        for feature in range(300)
    ]
    parsed = Parsed(page(found))
    assert len(parsed.rows("consensus")) == 1 + 260
    assert parsed.all("summary")[0]["text"] == "and 240 more features, the first 200:"


def test_a_page_of_eighty_selectors_lists_them_all():
    found = cases.many_selectors()
    assert len(Parsed(page(found)).rows("selectors")) == 80


def test_a_wide_table_makes_a_page_that_can_be_sent():
    found, draw = cases.many_selectors(), generator(1, "wide page")
    names = [f"a gene of some name {number}" for number in range(5000)]
    known = {**found["features"][0], "direction": "higher in sick", "q": 0.1234, "votes": 3}
    found["features"] = [{**known, "name": n} for n in names]
    found["advice"] |= {"level": 0.05, "voters": 12}
    found["selectors"] = found["selectors"][:20]
    found["advice"]["selector"] = found["selectors"][1]["id"]
    for selector in found["selectors"]:
        selector["runs"] = [draw.permutation(5000)[:100].tolist() for _ in range(30)]
    assert len(page(found)) < 1_000_000


def test_positions_in_the_diagram_are_the_mean_ranks():
    entry = cases.context(several=True)["statistics"][0]
    parsed = Parsed(critical_differences(entry).encode())
    ranks = sorted(entry["mean_ranks"].values())
    places = [float(e["cx"]) for e in parsed.all("circle")]
    steps = [(b - a) / (s - r) for a, b, r, s in zip(places, places[1:], ranks, ranks[1:])]
    assert steps == pytest.approx([AXIS / (len(ranks) - 1)] * len(steps), rel=5e-3)
    length = next(float(e["x2"]) - float(e["x1"]) for e in parsed.all("line", "cd"))
    assert length == pytest.approx(entry["cd"] * steps[0], abs=0.2)
    joined = [(float(e["x1"]) + 4, float(e["x2"]) - 4) for e in parsed.all("line", "clique")]
    at = dict(zip(sorted(entry["mean_ranks"], key=entry["mean_ranks"].get), places))
    assert joined == [
        pytest.approx((at["MID"], at["ReliefF"]), abs=0.2),
        pytest.approx((at["Fisher"], at["Random"]), abs=0.2),
    ]


def test_long_names_in_the_diagram_are_whole_in_a_table_below():
    names = [f"a selector of a long name and of the setting {number}" for number in (1, 2)]
    tested = cases.context(several=True)["statistics"][0]
    tested |= {"mean_ranks": dict(zip(names, (1.25, 1.75))), "cliques": [names]}
    parsed = Parsed(page(*cases.several_cases(), statistics=[tested]))
    assert parsed.rows("ranks") == [[names[0], "1.25"], [names[1], "1.75"]]


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    # What JavaScript's toFixed gives, with the sign of print.
    [(0.125, 2, "0.13"), (2.5, 0, "3"), (-2.5, 0, "−3"), (1.005, 2, "1.00"), (-0.001, 2, "0.00")],
)
def test_numbers_are_rounded_as_the_script_rounds(value, digits, written):
    assert text.to_fixed(value, digits) == written


@given(st.floats(-1, 1))
def test_shortened_numbers_print_alike(value):
    assert text.stability(shorten(value)) == text.stability(value)
    assert text.accuracy(shorten(value)) == text.accuracy(value)


@given(st.data(), st.sampled_from([1, 89, 90, 5000, 10_000, 800_000]))
def test_packed_runs_come_back(data, n_features):
    run = data.draw(st.lists(st.integers(0, n_features - 1), max_size=8))
    written = pack_run(run, n_features)
    width = len(written) // len(run) if run else 1
    base = len(DIGITS)
    digits = [
        [DIGITS.index(c) for c in written[i : i + width]] for i in range(0, len(written), width)
    ]
    assert [sum(d * base**p for p, d in enumerate(reversed(one))) for one in digits] == run


def test_versions_are_named_without_importing_the_packages():
    named = versions()
    assert {"steadfast", "Python", "numpy", "scikit-learn", "snakemake"} <= named.keys()
    loaded = (
        "import sys; sys.path.insert(0, 'scripts'); from steadfast.page.document import versions;"
    )
    loaded += "versions(); print('sklearn' in sys.modules, 'snakemake' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_every_part_is_used():
    assert {path.name for path in PARTS.iterdir()} == {"page.html", *STYLES, *SCRIPTS}


# The command


def run(folder, paths, settings=None):
    command = [sys.executable, "scripts/page.py", *map(str, paths), "--out", f"{folder}/page.html"]
    command += ["--context", json.dumps(settings or cases.context())]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_command_writes_the_page_and_its_manifest(tmp_path):
    done = run(tmp_path, cases.write(tmp_path, [cases.good_case()]))
    assert (done.returncode, done.stderr) == (0, "")
    content = (tmp_path / "page.html").read_bytes()
    assert content == page(cases.good_case())
    assert hashlib.sha256(content).hexdigest() in (tmp_path / "page.sha256").read_text()


def _without(field):
    def change(found):
        del found[field]

    return change


def _unknown_selector(found):
    found["advice"]["selector"] = "mod"


def _unknown_feature(found):
    found["selectors"][0]["runs"][0][0] = len(found["features"])


def _short_curve(found):
    found["selectors"][2]["stability"]["low"].pop()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without("sizes"), "sizes: is missing"),
        (_unknown_selector, "advice.selector: 'mod' is none of the selectors"),
        (_unknown_feature, "selectors: 'mid': runs: a feature is not in the list of features"),
        (_short_curve, "selectors: 'fisher': its curves and sizes differ in length"),
    ],
)
def test_wrong_evidence_is_one_line_and_no_page(tmp_path, change, message):
    found = copy.deepcopy(cases.good_case())
    change(found)
    (path,) = cases.write(tmp_path, [found])
    done = run(tmp_path, [path])
    fix = "delete it and run the same command again"
    assert done.stderr == f"steadfast: {path}: {message}; {fix}\n"
    assert done.returncode == 1
    assert not (tmp_path / "page.html").exists()


def test_edited_evidence_is_named(tmp_path):
    (path,) = cases.write(tmp_path, [cases.good_case()])
    path.write_text(path.read_text().replace("0.9", "0.8"))
    done = run(tmp_path, [path])
    assert done.returncode == 1
    assert "differs from the checksum" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_context_without_a_title_is_named(tmp_path):
    done = run(tmp_path, cases.write(tmp_path, [cases.good_case()]), {"study": "advice", "seed": 1})
    assert done.returncode == 1
    assert done.stderr.startswith("steadfast: --context: title: is missing")
