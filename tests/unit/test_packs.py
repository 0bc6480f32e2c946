"""Packs: the folds of a batch on machines that share no folder."""

import zipfile

import numpy as np
import pytest
import yaml
from documents import ROOT

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import read_verified, write_with_manifest
from steadfast.core.packs import pack_of, unpack, write_pack
from steadfast.selectors.filters import FisherScore
from steadfast.selectors.running.fold_file import by_selector, read_folds, selection_to_bytes
from steadfast.study.plan import Plan
from steadfast.study.run import load_run


@pytest.fixture
def batch(tmp_path):
    """A manifest whose files have not come along, beside their pack."""
    manifest = tmp_path / "mid" / "batch0.sha256"
    contents = {manifest.with_name(f"s{n}.tsv"): f"fold {n}\n".encode() for n in (1, 2)}
    write_with_manifest(contents, manifest)
    write_pack(contents, manifest)
    for path in contents:
        path.unlink()
    return manifest


def test_files_come_out_as_they_went_in(batch):
    unpack(batch)
    assert read_verified(batch.with_name("s1.tsv"), batch) == b"fold 1\n"
    assert read_verified(batch.with_name("s2.tsv"), batch) == b"fold 2\n"


def test_a_file_that_is_there_stays(batch):
    batch.with_name("s1.tsv").write_bytes(b"damaged\n")
    unpack(batch)
    with pytest.raises(UserError, match="its content differs"):
        read_verified(batch.with_name("s1.tsv"), batch)


def test_a_pack_that_differs_from_the_manifest_is_named(batch):
    write_pack({batch.with_name(f"s{n}.tsv"): b"other\n" for n in (1, 2)}, batch)
    unpack(batch)
    with pytest.raises(UserError, match="its content differs"):
        read_verified(batch.with_name("s2.tsv"), batch)


def test_a_pack_that_lacks_a_file_or_was_cut_is_named(batch):
    write_pack({batch.with_name("s1.tsv"): b"fold 1\n"}, batch)
    with pytest.raises(UserError, match=r"batch0\.zip: cannot be read"):
        unpack(batch)
    pack_of(batch).write_bytes(b"PK")
    with pytest.raises(UserError, match=r"batch0\.zip: cannot be read"):
        unpack(batch)


def test_without_a_pack_nothing_is_done(batch):
    pack_of(batch).unlink()
    unpack(batch)
    assert sorted(path.name for path in batch.parent.iterdir()) == ["batch0.sha256"]


def test_the_same_files_give_the_same_bytes(batch):
    first = pack_of(batch).read_bytes()
    write_pack({batch.with_name(f"s{n}.tsv"): f"fold {n}\n".encode() for n in (1, 2)}, batch)
    assert pack_of(batch).read_bytes() == first


def test_only_what_the_manifest_lists_is_unpacked(batch):
    with zipfile.ZipFile(pack_of(batch), "a") as archive:
        archive.writestr("../elsewhere.tsv", b"")
    unpack(batch)
    assert not (batch.parents[1] / "elsewhere.tsv").exists()


def test_packs_among_the_inputs_are_no_manifests(batch):
    assert by_selector([batch, pack_of(batch)]) == {"mid": [batch]}


def test_selections_are_read_from_a_pack(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 4))
    fitted = FisherScore().fit(X, np.arange(30) % 2)
    manifest, features = tmp_path / "fisher" / "batch0.sha256", ["a", "b", "c", "d"]
    contents = {manifest.with_name("s1.tsv"): selection_to_bytes(fitted, features)}
    write_with_manifest(contents, manifest)
    write_pack(contents, manifest)
    manifest.with_name("s1.tsv").unlink()
    read = read_folds([manifest], features)
    assert list(read["s1"].sequence) == list(fitted.sequence_)


STUDY = {
    "title": "Mine",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample", "repeats": 100},
    "selectors": {"mid": {}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
}


def plan_of(folder, stored: bool, **more) -> Plan:
    (folder / "mine.yaml").write_text(yaml.safe_dump({**STUDY, **more}))
    config = read_yaml(ROOT / "config/config.yaml")
    config |= {"studies": [str(folder / "mine.yaml")], "results": str(folder / "results")}
    return Plan(load_run(config, ROOT), "scripts", stored=stored)


def test_through_a_storage_each_batch_has_its_pack(tmp_path):
    with_packs = plan_of(tmp_path, True).family_batches("mine", "wine", "mid")
    without = plan_of(tmp_path, False).family_batches("mine", "wine", "mid")
    assert [path for path in with_packs if path.endswith(".sha256")] == without
    packs = [path for path in with_packs if path.endswith(".zip")]
    assert packs == [path.replace(".sha256", ".zip") for path in without]
    assert len(packs) == 2


def test_of_a_storage_nothing_is_known_here(tmp_path):
    assert plan_of(tmp_path, False).lost_files()
    assert plan_of(tmp_path, True).lost_files() == []


def test_a_budget_needs_the_table_here(tmp_path):
    plan = plan_of(tmp_path, True, budget="10 min")
    assert not plan.waits_for_table("mine", "wine")
    with pytest.raises(UserError, match="study mine: its budget follows from the table"):
        plan.selection_rows("mine", "wine", "mid")
