"""A short, seeded part of `make chaos`: nothing wrong silently, no trace, no dead end."""

from chaos.command import chaos, parser


def test_a_disturbed_run_comes_out_as_an_undisturbed_one(tmp_path, capsys):
    words = ["--kills", "2", "--damages", "12", "--disks", "1", "--doubles", "1"]
    words += ["--sides", "tiny", "--seed", "1", "--folder", str(tmp_path)]
    trials = chaos(parser().parse_args(words))
    assert [trial.number for trial in trials if trial.faults] == [], capsys.readouterr().out
    assert sum(trial.kills for trial in trials) == 2
    assert sum(trial.damages for trial in trials) == 12
    assert {trial.kind for trial in trials} >= {"full disk", "two at once"}
