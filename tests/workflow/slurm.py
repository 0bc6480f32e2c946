"""A Slurm of one node on this machine, in a folder of its own and for one user."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scontrol")
#: The node claims more than this machine may have, so that what a job asks for is always there.
CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed.txt
MinJobAge=3600
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=64000
PartitionName=main Nodes={host} Default=YES State=UP
"""


class CannotStart(Exception):
    """Why there is no Slurm here."""


class OneNode:
    """Munge, the controller and one node as children of this process.

    Parameters
    ----------
    folder
        Its path must be short: the name of a socket has at most 107 characters.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._children: list[subprocess.Popen] = []
        (folder / "bin").mkdir()
        # Inside a job, Snakemake's plugin takes away all variables that begin with SLURM_.
        srun = folder / "bin" / "srun"
        srun.write_text(
            f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which("srun")} "$@"\n'
        )
        srun.chmod(0o755)
        self.environment = os.environ | {
            "SLURM_CONF": f"{folder}/slurm.conf",
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
        }

    def start(self) -> None:
        """Start all three and wait until the node takes jobs."""
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        host = socket.gethostname().partition(".")[0]
        controller_port, node_port = _free_ports(2)
        (self.folder / "cgroup.conf").write_text("# no cgroups\n")
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                host=host,
                user=getpass.getuser(),
                folder=self.folder,
                controller_port=controller_port,
                node_port=node_port,
            )
        )
        self._spawn(
            *("munged", "--foreground", "--force", "--key-file", key),
            *("--socket", self.folder / "munge.socket", "--pid-file", self.folder / "munged.pid"),
            *("--log-file", self.folder / "munged.log", "--seed-file", self.folder / "munge.seed"),
        )
        self._wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self._spawn("slurmctld", "-D")
        self._spawn("slurmd", "-D", "-N", host)
        self._wait(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"), "slurmd")

    def ask(self, *command: str) -> str:
        """What a command of Slurm prints."""
        done = subprocess.run(
            command, env=self.environment, text=True, capture_output=True, check=False
        )
        return done.stdout

    def completed(self) -> dict[str, str]:
        """State of every job that has ended, by its id."""
        path = self.folder / "completed.txt"
        lines = path.read_text().splitlines() if path.exists() else []
        jobs = [dict(word.partition("=")[::2] for word in line.split()) for line in lines]
        return {job["JobId"]: job["JobState"] for job in jobs}

    def stop(self) -> None:
        if len(self._children) == 3:
            self.ask("scancel", "--me")
        for child in reversed(self._children):
            child.terminate()
            try:
                child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _spawn(self, program: str, *arguments: object) -> None:
        with open(self.folder / f"{program}.out", "w") as out:
            self._children.append(
                subprocess.Popen(
                    [_path(program), *map(str, arguments)],
                    env=self.environment,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                )
            )

    def _wait(self, ready: Callable[[], bool], program: str, seconds: int = 30) -> None:
        end = time.monotonic() + seconds
        while not ready():
            dead = [child.args[0] for child in self._children if child.poll() is not None]
            if dead or time.monotonic() > end:
                name = Path(dead[0]).name if dead else program
                said = (self.folder / f"{name}.out").read_text().strip().splitlines()
                raise CannotStart(f"{name} did not start: {said[-1] if said else 'no word'}")
            time.sleep(0.2)


def missing() -> list[str]:
    """Programs of Slurm that are not installed here."""
    return [program for program in PROGRAMS if not _path(program)]


def _path(program: str) -> str | None:
    """Daemons are in /usr/sbin, which is not on everybody's path."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
