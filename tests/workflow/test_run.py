"""The real workflow on small real data: what comes out, and that it comes out the same."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_file_of_the_contract_is_there(finished):
    expected = {
        "data/wine.npz",
        "data/wine.json",
        "small/discrete/wine.npz",
        "small/resamples/wine.npz",
        "small/resamples/wine.tsv",
        "small/selections/wine/mid/b01_r0.25.tsv",
        "small/stability/iris/own.tsv",
        "small/accuracy/iris/anova.tsv",
        "small/criterion/wine/miq.tsv",
        "small/tables/table2.csv",
        "small/tables/table2.md",
        "small/figures/figure2.svg",
        "small/figures/figure2.png",
        "small/summary.md",
        "small/claims.json",
        "small/curves.parquet",
        "small/units.parquet",
        "index.html",
    }
    assert expected <= set(finished.results())


def test_a_fold_shows_what_was_picked_and_why(finished):
    fold = finished.rows("small/selections/wine/mid/b01_r0.25.tsv")
    assert len(fold) == 13
    for row in fold:
        difference = float(row["relevance"]) - float(row["redundancy"])
        assert float(row["score"]) == pytest.approx(difference)


def test_stability_and_accuracy_are_there_for_every_size_and_ratio(finished):
    stability = finished.rows("small/stability/wine/mid.tsv")
    measured = ["su_matching", "kuncheva", "spearman", "nogueira", "zucknick"]
    assert [(row["measure"], row["ratio"], row["k"]) for row in stability] == [
        (measure, ratio, str(k))
        for measure in measured
        for ratio in ("0.25", "0.5", "1.0")
        for k in range(1, 14)
    ]
    for row in stability:
        undefined = row["measure"] in ("kuncheva", "nogueira") and row["k"] == "13"
        assert (row["value"] == "nan") == (row["note"] != "") == undefined
        assert undefined or -1 <= float(row["value"]) <= 1
    accuracy = finished.rows("small/accuracy/wine/mid.tsv")
    knn = [row for row in accuracy if row["classifier"] == "knn"]
    assert len(knn) == 2 * 3 * 13
    svm = {(row["ratio"], row["k"]) for row in accuracy if row["classifier"] == "svm"}
    assert svm == {("0.5", "2"), ("0.5", "4")}


def test_a_rank_table_is_what_its_curves_say(finished):
    curves = {
        name: [
            float(row["value"])
            for row in finished.rows(f"small/stability/wine/{name}.tsv")
            if (row["measure"], row["ratio"]) == ("su_matching", "0.25")
        ]
        for name in ("mid", "miq")
    }
    ranks = [1 if a >= b - 1e-10 else 2 for a, b in zip(curves["mid"], curves["miq"])]
    table = {row["ratio"]: row for row in finished.rows("small/tables/table2.csv")}
    assert float(table["0.25"]["mid"]) == pytest.approx(sum(ranks) / len(ranks))
    printed = (finished.folder / "results/small/tables/table2.md").read_text()
    assert printed.startswith("**Table 2. Ranks on wine**")
    assert re.search(r"\| 0\.25 \| \d\.\d ∓ \d\.\d \|", printed)


def test_the_summary_states_the_claim_as_measured(finished):
    page = (finished.folder / "results/small/summary.md").read_text()
    assert "MID is more stable than MIQ" in page
    assert re.search(r"\*\*(The one claim|Of 2 claims) .*\.\*\*", page)
    claims = json.loads((finished.folder / "results/small/claims.json").read_text())
    assert list(claims["counts"]) == [
        *("holds", "holds in part", "does not hold", "cannot be tested here"),
    ]
    assert sum(claims["counts"].values()) == len(claims["claims"]) == 2
    assert all(claim["sentence"] in page for claim in claims["claims"])
    assert "figure3 (sonar)" in page  # left out, and said so
    assert "| Nogueira, all pairs |" in page


def test_the_page_of_the_run_has_every_claim_with_its_verdict(finished):
    claims = json.loads((finished.folder / "results/small/claims.json").read_text())["claims"]
    page = (finished.folder / "results/index.html").read_text()
    assert [claim["number"] for claim in claims] == [1, 2]
    for claim in claims:
        shown = page.partition(f'id="small-claim{claim["number"]}"')[2].partition("</details>")[0]
        badge = shown.partition('class="badge')[2].partition("</p>")[0]
        assert f"</svg>{claim['verdict']}</span>" in badge
        assert html.escape(claim["sentence"]) in badge
    links = set(re.findall(r'(?:href|src)="([^#"]+)"', page))
    assert {"small/tables/table2.csv", "small/figures/figure2.png", "data/wine.json"} <= links
    assert all((finished.folder / "results" / link).is_file() for link in links)


def test_differences_under_each_measure_have_an_interval(finished):
    """The mean over sizes and folds of the difference, as the curves have it."""
    table = finished.rows("small/tables/measures.csv")
    found = {(row["dataset"], row["ratio"], row["measure"]): row for row in table}
    means = {
        name: [
            float(row["value"])
            for row in finished.rows(f"small/stability/wine/{name}.tsv")
            if (row["measure"], row["ratio"]) == ("spearman", "0.5")
        ]
        for name in ("mid", "miq")
    }
    row = found["wine", "0.5", "spearman"]
    difference = sum(means["mid"]) / 13 - sum(means["miq"]) / 13
    assert float(row["difference"]) == pytest.approx(difference, abs=1e-12)
    assert float(row["low"]) <= float(row["difference"]) <= float(row["high"])
    assert {row["measure"] for row in finished.rows("small/tables/orders.csv")} == {
        measure for _, _, measure in found
    }


def test_random_selection_is_as_stable_as_chance_says(finished):
    chance = finished.rows("small/chance/wine.tsv")
    found = {(row["measure"], row["k"]): float(row["value"]) for row in chance}
    assert found["kuncheva", "5"] == pytest.approx(0, abs=1e-12)
    assert 0 < found["su_matching", "5"] < found["su_matching", "12"] < 1
    random = finished.rows("small/selections/wine/chance/b01_r0.5.tsv")
    assert sorted(int(row["rank"]) for row in random) == list(range(1, 14))


def test_the_run_says_how_much_of_its_cpu_time_was_computation(finished):
    assert re.search(r"CPU time: \d+ s in \d+ jobs, \d+% of it computation", finished.output)


def test_one_core_gives_the_same_bytes_as_two(finished, fresh):
    fresh.run(cores=1)
    assert fresh.results() == finished.results()


def test_bins_inside_the_training_fold_change_selections_but_not_the_folds(project):
    before = project.results()
    project.edit_yaml(
        "config/studies/small.yaml", lambda study: study["discretise"].update(fit_on="train")
    )
    assert not {"load_data", "resample", "discretise"} & set(project.planned())
    project.run("results/small/stability/wine/mid.tsv")
    after = project.results()
    fold = "small/selections/wine/mid/b01_r0.25.tsv"
    assert after[fold] != before[fold]
    assert after["small/resamples/wine.npz"] == before["small/resamples/wine.npz"]


def test_a_data_set_from_a_folder_of_files(fresh, tmp_path):
    folder = tmp_path / "my files"
    folder.mkdir()
    table = "".join(f"{i},{(i * 7) % 11},{'yes' if i % 2 else 'no'}\n" for i in range(60))
    (folder / "mine.csv").write_text("height,weight,sick\n" + table)
    fresh.edit_yaml(
        "config/studies/small.yaml",
        lambda study: study.update(datasets=["mine"]),
    )
    fresh.run("results/small/stability/mine/mid.tsv", "--config", f"local_data={folder}")
    about = json.loads((fresh.folder / "results/data/mine.json").read_text())
    assert about["classes"] == {"no": 30, "yes": 30}
    assert "mine.csv" in about["origin"]


def test_single_targets_run_only_what_they_need(fresh):
    planned = fresh.planned("results/small/stability/iris/mid.tsv")
    assert planned == {
        "load_data": 1,
        "discretise": 1,
        "resample": 1,
        "select": 2,
        "stability": 1,
    }


def test_snakemake_lint_is_clean(fresh):
    assert "Congratulations" in fresh.run("--lint")


def test_rules_are_few_and_named_after_what_they_do(fresh):
    rules = [line for line in fresh.run("--list-rules").splitlines() if line.isidentifier()]
    assert {"select", "stability", "accuracy", "table", "figure", "page"} <= set(rules)
    assert len(set(rules)) <= 32
    assert not [name for name in rules if "small" in name or "batch" in name]


READ = """
import json, sys
from pathlib import Path
sys.path.insert(0, "scripts")
from steadfast.core import registry
from steadfast.core.config import read_yaml
from steadfast.outputs.results import Results
from steadfast.study.plan import Plan
from steadfast.study.run import load_run

plan = Plan(load_run(read_yaml(Path("config/config.yaml")), Path.cwd()), "scripts")
opened = set()
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event == "open" else None)
for sort in ("table", "figure"):
    for name, entry in getattr(plan.studies["small"], sort + "s").items():
        opened.clear()
        context = json.loads(plan.output_context(sort, "small", name))
        registry.load(sort, entry["kind"]).kind.make(Results(context, "results"))
        read = {path for path in opened if path.startswith("results/")}
        folds = {path for path in read if "/selections/" in path}
        more = read - folds - set(plan.output_files(sort, "small", name))
        print(sort, name, "reads", len(read), "undeclared:", sorted(more))
"""


def test_an_output_reads_no_file_that_its_kind_does_not_declare(finished):
    """Each in a process of its own cache: what an earlier output has read is not read again."""
    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=finished.folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert all(line.endswith("undeclared: []") for line in lines), done.stdout


def test_a_report_can_be_made(finished, tmp_path):
    finished.run("--report", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text()
    assert all(name in page for name in ("table2.csv", "figure2.svg", "summary.md"))


SCRIPTS = sorted(path.name for path in (ROOT / "scripts").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_explains_itself(script):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "usage:" in done.stdout


NESTED = """
title: Profiles in nested folds
datasets: [wine, made]
resample: {scheme: nested_cv, folds: 3, inner: 3}
selectors:
  info_gain: {label: IG}
  relieff: {}
  svm_rfe: {step: 0.5}
  random: {}
stability:
  compare: all_pairs
  ties: random
  measures: [jaccard, spearman, spearman_random_ties, pearson]
accuracy:
  classifiers: {svm: {kernel: linear, C: 0.5, scale: unit, outcomes: true, sizes: [2, 4]}}
published_means: {table2: [jaccard]}
tables:
  table2: {kind: profile, title: Profiles, size: 4}
  table3: {kind: tradeoff, title: Errors, sizes: [2, 4]}
  knots: {kind: knots, title: Knots, smallest: 2}
figures:
  figure1: {kind: picture, title: Selections, dataset: made, size: 4}
  figure2:
    kind: curves
    title: Curves
    chance: true
    knots: true
    panels:
      - {of: stability, dataset: wine}
      - {of: stability, dataset: made}
      - {of: accuracy, dataset: made}
"""


def test_profiles_in_nested_folds(fresh):
    """The whole chain of another scheme, on real and on synthetic data."""
    (fresh.folder / "config/studies/nested.yaml").write_text(NESTED)
    generator = {"rows": 60, "features": 25, "relevant": 4}
    fresh.edit_yaml(
        "config/datasets.yaml",
        lambda catalogue: catalogue.update(
            made={"title": "Made", "source": "synthetic", "generator": generator}
        ),
    )
    published = ["table,row,column,value,sd", "table2,x,relieff jaccard,0.7,nan"]
    published.append("table2,x,random jaccard,0.1,nan")
    (fresh.folder / "config/published/nested.csv").write_text("\n".join(published) + "\n")
    fresh.run("--config", "studies=[nested]")
    profile = {(r["dataset"], r["selector"]): r for r in fresh.rows("nested/tables/table2.csv")}
    assert float(profile["made", "relieff"]["jaccard"]) > float(
        profile["made", "random"]["jaccard"]
    )
    assert profile["made", "svm_rfe"]["pearson"] == "nan"
    assert 0 <= float(profile["made", "info_gain"]["zero_weights"]) <= 1
    errors = fresh.rows("nested/tables/table3.csv")
    assert [row["k"] for row in errors] == ["2", "4"] * 2
    assert all(row["choice"] in ("info_gain", "relieff", "svm_rfe", "random") for row in errors)
    plan = fresh.rows("nested/resamples/made.tsv")
    assert [row["scored"] for row in plan].count("yes") == 3
    page = (fresh.folder / "results/nested/summary.md").read_text()
    assert "only the order of the methods can be compared" in page
    for figure in ("figure1", "figure2"):
        assert (fresh.folder / f"results/nested/figures/{figure}.png").stat().st_size > 10_000
