"""A Slurm of one or more nodes on this machine, in a folder of its own and for one user."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scontrol")
#: The variable that tells processes of one node from those of another.
NODE = "NODE_OF_THIS_SLURM"
#: Nodes are daemons of one host, told apart by name and port. They claim more than this machine may
#: have, so that what a job asks for is always there. Memory is watched by looking at processes,
#: without cgroups. A job that is queued again waits for some seconds only.
CONFIGURATION = """
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
SlurmctldPort={controller_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SchedulerParameters=sched_interval=2
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/completed.txt
MinJobAge=3600
SlurmdParameters=config_overrides
"""


class CannotStart(Exception):
    """Why there is no Slurm here."""


class Slurm:
    """Munge, the controller and the nodes as children of this process.

    Parameters
    ----------
    folder
        Its path must be short: the name of a socket has at most 107 characters.
    nodes
        How many; they are called `n1`, `n2`, …
    cores
        Jobs that a node runs at a time.
    """

    def __init__(self, folder: Path, nodes: int = 1, cores: int = 8):
        self.folder = folder
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]
        self.cores = cores
        self._children: dict[str, subprocess.Popen] = {}
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
        """Start all of them and wait until every node takes jobs."""
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        self._configure()
        self._spawn(
            *("munged", "munged", "--foreground", "--force", "--key-file", key),
            *("--socket", self.folder / "munge.socket", "--pid-file", self.folder / "munged.pid"),
            *("--log-file", self.folder / "munged.log", "--seed-file", self.folder / "munge.seed"),
        )
        self._wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self._spawn("slurmctld", "slurmctld", "-D")
        for node in self.nodes:
            self.start_node(node)
        self._wait(lambda: list(self.states().values()) == ["idle"] * len(self.nodes), "n1")

    def start_node(self, node: str) -> None:
        """Start the daemon of a node, at first or after it was killed."""
        self._spawn(node, "slurmd", "-D", "-N", node)

    def kill_node(self, node: str) -> None:
        """End a node as a power failure does: its daemon and all that runs on it, at once.

        The controller is told, as a site's health check does it: by itself it waits for the node
        for `SlurmdTimeout`, five minutes by default.
        """
        daemon = self._children.pop(node)
        daemon.kill()
        marks = {f"SLURMD_NODENAME={node}", f"{NODE}={node}"}
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended, or is another user's
                variables = set((place / "environ").read_text(errors="replace").split("\0"))
                if marks & variables and any(str(self.folder) in one for one in variables):
                    os.kill(int(place.name), signal.SIGKILL)
        daemon.wait()
        self.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=no power")

    def node_of(self, word: str) -> str | None:
        """The node on which a process runs whose command has a word that ends like this."""
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                words = (place / "cmdline").read_text(errors="replace").split("\0")
                variables = (place / "environ").read_text(errors="replace").split("\0")
                if any(one.endswith(word) for one in words):
                    for node in self.nodes:
                        if f"SLURMD_NODENAME={node}" in variables:
                            return node
        return None

    def states(self) -> dict[str, str]:
        """What the controller says of each node: idle, mixed, down, …"""
        lines = self.ask("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines()
        return dict(line.split() for line in lines)

    def ask(self, *command: str) -> str:
        """What a command of Slurm prints."""
        done = subprocess.run(
            command, env=self.environment, text=True, capture_output=True, check=False
        )
        return done.stdout

    def completed(self) -> list[dict[str, str]]:
        """What Slurm noted of every job that has ended: JobId, JobState, NodeList, …

        A job that was queued again stands there once for each of its ends.
        """
        path = self.folder / "completed.txt"
        lines = path.read_text().splitlines() if path.exists() else []
        return [dict(word.partition("=")[::2] for word in line.split()) for line in lines]

    def stop(self) -> None:
        """Cancel what runs, and end all of them."""
        if "slurmctld" in self._children:
            self.ask("scancel", "--me")
        for child in reversed(self._children.values()):
            child.terminate()
            try:
                child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _configure(self) -> None:
        (self.folder / "state").mkdir()
        (self.folder / "cgroup.conf").write_text("# no cgroups\n")
        host = socket.gethostname().partition(".")[0]
        controller_port, *ports = _free_ports(1 + len(self.nodes))
        settings = CONFIGURATION.format(
            host=host, user=getpass.getuser(), folder=self.folder, controller_port=controller_port
        )
        lines = [
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port}"
            f" CPUs={self.cores} RealMemory=64000\n"
            for node, port in zip(self.nodes, ports, strict=True)
        ]
        partition = "PartitionName=main Nodes=ALL Default=YES State=UP\n"
        (self.folder / "slurm.conf").write_text("".join([settings, *lines, partition]))

    def _spawn(self, name: str, program: str, *arguments: object) -> None:
        with open(self.folder / f"{name}.out", "a") as out:
            self._children[name] = subprocess.Popen(
                [_path(program), *map(str, arguments)],
                env=self.environment | {NODE: name},
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def _wait(self, ready: Callable[[], bool], name: str, seconds: int = 30) -> None:
        end = time.monotonic() + seconds
        while not ready():
            dead = [name for name, child in self._children.items() if child.poll() is not None]
            if dead or time.monotonic() > end:
                name = dead[0] if dead else name
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
