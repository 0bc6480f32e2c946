"""The default configuration is right, and every mistake gets one line that names the fix."""

import re
from pathlib import Path

import pytest
import yaml

from steadfast.core.config import check_schema, merge, read_yaml
from steadfast.core.errors import UserError
from steadfast.data.catalogue import check_catalogue
from steadfast.study.load import load_study
from steadfast.study.run import load_run, over_default, study_schema

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text())
STUDY = read_yaml(ROOT / "config/studies/gulgezen2009.yaml")
SCHEMA = study_schema(ROOT / "workflow/schemas")
DATASETS = {"wine", "sonar", "musk1", "mfeat", "ionosphere", "digits"}


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_the_default_configuration_and_the_papers_are_valid():
    studies = load_run(CONFIG, ROOT).studies
    assert len(studies["gulgezen2009"].datasets) == 6


def test_the_papers_data_sets_need_a_file_of_the_users(tmp_path):
    paper = merge(CONFIG, yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    with pytest.raises(UserError, match=r"allaml\.path: .* is not there; put it there, or"):
        load_run(paper, ROOT)
    files = ("audio_genre5", "prostate_ge", "cloud", "warppie10p", "tox_171")
    for name in (*files, "warpar10p", "glioma", "allaml", "liver_disorders"):
        (tmp_path / f"{name}.csv.gz").touch()
    run = load_run({**paper, "local_data": str(tmp_path)}, ROOT)
    studies, files = run.studies, run.local_files
    assert len(studies["gulgezen2009"].datasets) == 8
    assert studies["gulgezen2009"].stand_ins == {"audio_genre": "audio_genre5"}
    assert files["audio_genre5"] == tmp_path / "audio_genre5.csv.gz"
    assert files["wine"] is None


def test_every_key_of_the_config_is_in_the_default_file_and_the_documentation():
    known = read_yaml(ROOT / "workflow/schemas/config.schema.yaml")["properties"]
    assert set(CONFIG) == set(known)
    text = (ROOT / "config/README.md").read_text()
    study_keys = SCHEMA["properties"]
    for key in [*known, *study_keys]:
        assert f"`{key}`" in text, f"config/README.md does not explain {key}"


def all_properties(schema):
    if isinstance(schema, dict):
        for name, value in schema.get("properties", {}).items():
            yield name, value
        for key, value in schema.items():
            if key not in ("if", "then", "allOf"):  # conditions repeat keys described above
                yield from all_properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from all_properties(value)


@pytest.mark.parametrize("path", sorted((ROOT / "workflow/schemas").glob("*.yaml")))
def test_every_key_of_a_schema_is_described(path):
    for name, value in all_properties(read_yaml(path)):
        assert "description" in value or "$ref" in value, f"{path.name}: {name}"


def mistaken(path, value, name="gulgezen2009"):
    """A study of the project with one value changed; `...` takes the key out."""
    study = yaml.safe_load((ROOT / f"config/studies/{name}.yaml").read_text())
    *above, last = path
    place = study
    for key in above:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return study


VARIES = {"kind": "criterion_variation", "text": "It varies.", "dataset": "musk1", "more": "miq"}
MISTAKES = [
    (["sizess"], "all", "sizess: unknown key; did you mean 'sizes'?"),
    (["title"], ..., "title: this key is missing"),
    (["sizes"], "every", "sizes: 'every' is not valid under any of the given schemas"),
    (["datasets"], "wine", "datasets: 'wine' is not of type 'array'"),
    (["datasets"], ["wine", "sonnar"], "unknown data set 'sonnar'; did you mean 'sonar'?"),
    (["discretise", "bins"], 1, "discretise.bins: 1 is less than the minimum of 2"),
    (["discretise", "bins"], "ten", "discretise.bins: 'ten' is not of type 'integer'"),
    (["discretise", "method"], "equal_widht", "did you mean 'equal_width'?"),
    (["discretise", "fit_on"], "test", "discretise.fit_on: 'test' is not known"),
    (["resample", "scheme"], "bootstrap", "did you mean 'shrinking_bootstrap'?"),
    (["resample", "ratios"], [0, 1], "resample.ratios.0: 0 is less than or equal to the minimum"),
    (["selectors", "midd"], {}, "unknown selector 'midd'; did you mean 'mid'?"),
    (["selectors", "a"], {"use": "mid_alpha", "aplha": 1}, "did you mean 'alpha'?"),
    (["selectors", "a"], {"use": "mid_alpha", "alpha": "1"}, "alpha: must be a number, got '1'"),
    (["selectors", "a"], {"use": "mid", "alpha": 1}, "mid has no such parameter"),
    (["selectors", "a/b"], {"use": "mid"}, "selectors: 'a/b' does not match"),
    (["selectors", "a"], {"use": "rule", "alpha": 1}, "a.alpha: use: rule has no such setting"),
    (["selectors", "a"], {"use": "rule", "time_limit": 9}, "a.time_limit: use: rule has no such"),
    (["selectors", "mid"], {"use": "rule"}, "figures.figure2.selector: mid has no relevance"),
    (["claims"], [{**VARIES, "than": "random"}], "than: random has no relevance"),
    (["stability", "measures"], ["su_machting"], "did you mean 'su_matching'?"),
    (["stability", "compare"], "pairs", "stability.compare: 'pairs' is not known"),
    (["accuracy", "classifiers", "knn", "neighbours"], 3, "neighbours: knn has no such key"),
    (["accuracy", "classifiers", "knn", "C"], 3, "knn.C: knn has no such key"),
    (["accuracy", "classifiers", "tree"], {}, "unknown classifier 'tree'"),
    (["accuracy", "classifiers", "svm", "ratios"], [0.3], "unknown ratio 0.3"),
    (["tables", "table3", "kind"], "rank", "did you mean 'ranks'?"),
    (["tables", "table3", "selectors"], ["mid", "mic"], "unknown selector 'mic'"),
    (["tables", "table3", "ratios"], [0.2], "tables.table3.ratios: unknown ratio 0.2"),
    (["tables", "table4", "classifier"], "kn", "unknown classifier 'kn'; did you mean 'knn'?"),
    (["figures", "figure3", "dataset"], "musk", "unknown data set 'musk'; did you mean 'musk1'?"),
    (["figures", "figure3", "panels", 0, "ratio"], 0.2, "panels.0.ratio: unknown ratio 0.2"),
    (["tables", "table3", "dataset"], ..., "tables.table3.dataset: this key is missing"),
    (["tables", "table7", "ratio"], ..., "tables.table7.ratio: this key is missing"),
    (["tables", "svm", "selectors"], ["mid", "miq", "mid_alpha_0"], "is too long"),
    (["tables", "svm", "ratios"], [1.0], "tables.svm: svm is not scored at ratio 1"),
    (["figures", "figure3", "panels"], ..., "figures.figure3.panels: this key is missing"),
    (["figures", "figure1", "selector"], "anova", "unknown selector 'anova'"),
    (["tables", "table7", "dataset"], "wine", "tables.table7.ratios: this key is missing"),
    (
        ["accuracy", "classifiers", "knn", "ratios"],
        [0.25],
        "knn is not scored at ratio 0.1",
    ),
    (["claims", 1, "ratios"], [], "claims.1.ratios: [] should be non-empty"),
    (["claims", 0, "expect"], {"about": 0}, "claims.0.expect.about: "),
    (["claims", 0, "expect"], {"above": 0, "below": 1}, "claims.0.expect: "),
    (["claims", 0, "verdict"], {"holds": 2}, "claims.0.verdict.holds: 2 is greater than"),
    (["claims", 0, "of"], ..., "claims.0.of: this key is missing"),
    (["selectors", "mid"], {"bins": 3}, "selectors.mid.bins: it gets the study's bins"),
    (["claims", 0, "better"], "mad", "claims.0.better: unknown selector 'mad'"),
    (["claims", 3, "table"], "table9", "claims.3.table: unknown table 'table9'"),
    (["stability", "measures"], ["dice", "dice"], "stability.measures"),
    (
        ["stability", "measures"],
        ["su_matching", {"measure": "su_matching", "compare": "reference"}],
        "stability.measures: su_matching by reference stands there twice",
    ),
    (["tables", "table3", "measure"], "dice", "unknown measure 'dice'"),
    (
        ["tables", "table3", "compare"],
        "all_pairs",
        "tables.table3: su_matching is not measured by all_pairs",
    ),
    (["discretise", "method"], "mdl", "discretise.fit_on: mdl looks at the classes"),
    (["figures", "figure3", "panels", 0, "ratio"], ..., "ratio: is missing; the study has several"),
    (["figures", "figure3", "dataset"], ..., "dataset: is missing, in the figure or in the panel"),
    (
        ["figures", "figure3", "panels", 0, "against"],
        "relieff",
        "figures.figure3.panels.0.against: unknown selector 'relieff'",
    ),
    (
        ["figures", "figure3", "panels", 0, "against"],
        "mid_alpha_0",
        "panels.0.against: mid_alpha_0 is not among the selectors of the figure",
    ),
    (
        ["figures", "figure3", "panels", 0, "against"],
        "mid",
        "panels.0.against: su_matching compares features by the data",
    ),
    (
        ["figures", "figure4", "panels", 2, "range"],
        [1, 0.5],
        "figures.figure4.panels.2.range: 1 is not below 0.5; name the lowest first",
    ),
    (["published_means"], {"tabel": ["error"]}, "published_means.tabel: unknown table"),
    (
        ["resample"],
        {"scheme": "cv", "ratios": [0.5]},
        "resample.ratios: cv has no such setting",
    ),
    (["resample"], {"scheme": "cv"}, "stability.compare: cv has no reference to compare with"),
]


#: Changes of kalousis2005 and what the one line about them says.
OTHER_MISTAKES = [
    (
        ["accuracy", "classifiers", "svm", "balance"],
        "sometimes",
        "accuracy.classifiers.svm.balance: 'sometimes' is not known; known are always, unequal",
    ),
    (
        ["accuracy", "classifiers", "clusters"],
        {"use": "kmeans"},
        "accuracy.classifiers.clusters: scoring: auc needs decision values, which kmeans does not",
    ),
    (
        ["accuracy", "classifiers", "svm", "outcomes"],
        False,
        "tables.table3.classifier: McNemar's test needs the rows that svm was wrong on",
    ),
    (["tables", "table3", "sizes"], [10, 15], "tables.table3.sizes: 15 is not among the sizes"),
    (["stability", "measures"], ["jaccard"], "tables.table2: pearson is not measured by all_pairs"),
    (["published_means"], {"table2": ["foo"]}, "published_means.table2: unknown column 'foo'"),
]


@pytest.mark.parametrize(("path", "value", "message"), MISTAKES)
def test_a_mistake_in_a_study_is_one_line_with_file_and_key(tmp_path, path, value, message):
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(mistaken(path, value)))
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        load_study(file, SCHEMA, DATASETS)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ")


#: Data sets that kalousis2005 names, also those of config/paper.yaml.
NAMED = ["synthetic_100x2000", "arcene", "colon_alon", "leukemia_golub", "prostate_ge"]


@pytest.mark.parametrize(("path", "value", "message"), OTHER_MISTAKES)
def test_a_mistake_in_another_study(tmp_path, path, value, message):
    file = tmp_path / "mine.yaml"
    study = mistaken(path, value, "kalousis2005")
    study["accuracy"]["scoring"] = ["accuracy", "auc"]
    file.write_text(yaml.safe_dump(study))
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        load_study(file, SCHEMA, {*DATASETS, *NAMED})
    assert "\n" not in str(caught.value)


RUN_MISTAKES = [
    ({"sed": 1}, "--config): sed: unknown key; did you mean 'seed'?"),
    ({"seed": "one"}, "--config): seed: 'one' is not of type 'integer'"),
    ({"seed": -1}, "--config): seed: -1 is less than the minimum of 0"),
    ({"studies": ["gulgezen"]}, "unknown study 'gulgezen'; did you mean 'gulgezen2009'?"),
    ({"studies": ["mine.yaml"]}, "--config): studies: mine.yaml: no such file"),
    ({"studies": []}, "--config): studies: [] should be non-empty"),
    ({"verdicts": {"hold": 1}}, "--config): verdicts.hold: unknown key; did you mean 'holds'?"),
    ({"verdicts": {"holds": 0.2}}, "verdicts.in_part: 0.25 must not be above holds, 0.2"),
    ({"local_data": "no/such/folder"}, "local_data: no/such/folder is not a folder"),
    ({"rules": ["mine.smk"]}, "--config): rules: mine.smk: no such file; name a file of Snakemake"),
    ({"folds_per_job": 0}, "--config): folds_per_job: 0 is less than the minimum of 1"),
    ({"overrides": {"gulgezen2009": {"tables": {"svn": None}}}}, "tables.svn: no such key to take"),
    ({"studies": ["my study.yaml"]}, "a study's name becomes part of paths"),
    ({"overrides": {"gulgezen209": {}}}, "did you mean 'gulgezen2009'?"),
    ({"overrides": {"gulgezen2009": {"size": 1}}}, "size: unknown key; did you mean 'sizes'?"),
]


@pytest.mark.parametrize(("change", "message"), RUN_MISTAKES)
def test_a_mistake_in_the_config_is_one_line(change, message):
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        load_run({**CONFIG, **change}, ROOT)
    assert "\n" not in str(caught.value)


def test_whole_numbers_may_be_written_with_a_point():
    run = load_run({**CONFIG, "overrides": {"gulgezen2009": {"resample": {"repeats": 2.0}}}}, ROOT)
    assert repr(run.studies["gulgezen2009"].resample["repeats"]) == "2"


def test_a_key_that_does_not_go_with_the_source_is_named():
    entry = {"title": "Wine", "source": "sklearn", "loader": "wine", "path": "wine.csv"}
    with pytest.raises(UserError, match=r"datasets\.yaml: wine\.path: .* has no such key"):
        check_catalogue({"wine": entry}, "datasets.yaml")


def test_the_printed_numbers_figure_needs_printed_numbers(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(STUDY))
    study = load_study(file, SCHEMA, DATASETS, has_published=False)
    reason = "no published numbers"
    assert study.left_out == [f"percentiles ({reason})", f"published ({reason})"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1, 2", "line 2"),
        ("a: 1\na: 2", "line 2: the key 'a' stands twice"),
        ("- a", "must be a mapping"),
        ("", "must be a mapping"),
    ],
)
def test_yaml_that_cannot_be_read_is_named_with_its_line(tmp_path, text, message):
    (tmp_path / "study.yaml").write_text(text + "\n")
    with pytest.raises(UserError, match=re.escape(message)):
        read_yaml(tmp_path / "study.yaml")


LAUGHS = "a0: &a0 [x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [*a]\n", r"line 1: \*a stands inside of what it stands for"),
        ("b: 1\na: &a {b: *a}\n", r"line 2: \*a stands inside"),
        (LAUGHS, "stands for more than 200,000 values"),
        ("a: " + "[" * 100_000, "line 1: it nests deeper than 50 levels"),
        ("a: " + "{b: " * 60 + "1" + "}" * 60, "line 1: it nests deeper than 50 levels"),
        ("a:\n\t- b\n", "line 2: "),
        ("? [a, b]\n: c\n", "line 1: a key must be text"),
        ("? {a: b}\n: c\n", "line 1: a key must be text"),
        ("a: " + "9" * 5000, "line 1: .*too many digits for a number; a text needs quotes"),
        ("a: !!bool x\n", "holds a value that cannot be read"),
        ("a: !!int ''\n", "holds a value that cannot be read"),
        ("a: !!set {b}\n", "line 1: the tag .*set is not known here"),
        ("a: !!binary eA==\n", "line 1: the tag .*binary is not known here"),
        ("a: !!python/object/apply:os.system [id]\n", "line 1: the tag .* is not known here"),
        ("a: *nowhere\n", "line 1: found undefined alias"),
    ],
)
def test_yaml_that_would_take_the_machine_down_is_one_line(tmp_path, text, message):
    path = tmp_path / "study.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=rf"study\.yaml: .*{message}") as refused:
        read_yaml(path)
    assert len(str(refused.value).splitlines()) == 1


def test_aliases_and_dates_are_fine(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2001-13-45}\n")
    assert read_yaml(path) == {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1, "y": "2001-13-45"}}


def test_a_config_that_holds_itself_is_refused_even_if_snakemake_has_read_it():
    config: dict = {"overrides": {}}
    config["overrides"]["mine"] = config
    laughs: list = []
    for _ in range(30):
        laughs = [laughs, laughs]
    for wrong in (config, {"studies": laughs}):
        with pytest.raises(UserError, match=r"config\.yaml .*: nests deeper than 50 levels, or"):
            over_default(wrong, ROOT)


def test_of_a_long_value_the_beginning_is_shown():
    schema = {"properties": {"a": {"type": "integer"}, "b": {"enum": ["x"]}}}
    for key in ("a", "b"):
        with pytest.raises(UserError) as refused:
            check_schema({key: "x" * 1_000_000}, schema, "c.yaml")
        assert len(str(refused.value)) < 400


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_no_number(value):
    with pytest.raises(UserError, match=r"a: (nan|inf) is not of type 'number'"):
        check_schema({"a": value}, {"properties": {"a": {"type": "number"}}}, "c.yaml")


def test_a_number_as_key_is_refused():
    with pytest.raises(UserError, match=r"selectors\.0\.25: a key must be text"):
        check_schema({"selectors": {0.25: {}}}, SCHEMA, "x.yaml")


def test_overrides_merge_mappings_and_take_out_nulls():
    base = {"a": {"x": 1, "y": 2}, "b": [1, 2]}
    assert merge(base, {"a": {"y": None, "z": 3}, "b": [9]}) == {"a": {"x": 1, "z": 3}, "b": [9]}


def test_tables_on_data_sets_that_are_not_run_are_left_out_and_listed(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(mistaken(["datasets"], ["wine", "musk1"])))
    study = load_study(file, SCHEMA, DATASETS)
    assert "table5" not in study.tables
    absent = [reason for reason in study.left_out if "Friedman" not in reason]
    assert absent == ["table5 (mfeat)", "table6 (mfeat)", "figure5 (mfeat)"]


def test_a_claim_goes_with_the_table_that_an_override_takes_out():
    config = {**CONFIG, "overrides": {"gulgezen2009": {"tables": {"table7": None}}}}
    study = load_run(config, ROOT).studies["gulgezen2009"]
    assert study.left_out == []
    assert [(claim["number"], claim["reason"]) for claim in study.untested] == [(4, "table7")]
    assert [claim["number"] for claim in study.claims] == [1, 2, 3, 5, 6, 7]
