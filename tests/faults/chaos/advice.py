"""What a run that failed advises, and doing exactly that."""

import re
import shutil
import subprocess
from pathlib import Path

from chaos.running import Outcome
from chaos.study import PYTHON, command

LOCKED = re.compile(r"LockException|cannot be locked|another run is at work")


def follow(outcome: Outcome, folder: Path) -> list[str]:
    """Do what is printed; what was done, nothing where nothing is advised."""
    done = []
    for line in outcome.lines:
        for path in dict.fromkeys(named_for_deletion(line, folder)):
            done.append(f"took away {path.relative_to(folder)}, as advised")
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if re.search(r"run (the same command|the command that made it) again", line):
            done.append(f"ran again, as advised: {line[:200]}")
    if unlock := re.search(r"(snakemake .*--unlock)", outcome.printed):
        words = unlock[1].split()
        call = words if outcome.form != "snakemake" else [*command("snakemake")[2:], "--unlock"]
        subprocess.run([PYTHON, "-m", *call], cwd=folder, capture_output=True, check=False)
        done.append("unlocked the folder, as advised")
    elif LOCKED.search(outcome.printed) and "--unlock" in outcome.printed:
        call = [*command("snakemake"), "--unlock"]
        subprocess.run(call, cwd=folder, capture_output=True, check=False)
        done.append("unlocked the folder, as Snakemake advises")
    return done


def named_for_deletion(line: str, folder: Path) -> list[Path]:
    """The files or folders that a line asks to delete or move away: `it`, or by their names."""
    about = folder / line.removeprefix("the run ended early: ").partition(": ")[0]
    found = []
    for wish in re.findall(r"\b(?:delete|move) ([^;:]+)", line):
        words = [word.strip(",.`'\"()") for word in wish.split()]
        places = [about] if words[0] in ("it", "them") else []
        places += [about.parent / word for word in words] + [folder / word for word in words]
        found += [place for place in places if place != about.parent and place != folder]
    return [path for path in found if path.exists() or path.is_symlink()]
