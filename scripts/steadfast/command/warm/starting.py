"""Warm processes for the jobs of a run: started with it, ended with it."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import MutableMapping, Sequence
from pathlib import Path

from steadfast.command.warm import client
from steadfast.core.home import project_folder

#: An interrupt is for jobs alone: from its first moment on, what starts here does not hear it.
_DEAF = "trap '' INT;"

#: The most seconds that the last job may take to end.
_LONGEST = 10.0


class WarmProcesses:
    """A server, and a folder before all others of `PATH` with a `python` that asks it.

    Parameters
    ----------
    variables
        Of the process that starts jobs; `PATH` is changed.
    held
        Descriptors that jobs hold as long as they live.
    """

    def __init__(self, variables: MutableMapping[str, str], held: Sequence[int] = ()):
        self._variables, self._path = variables, variables["PATH"]
        # The name of a socket has a hundred letters at most.
        near = "/tmp" if len(tempfile.gettempdir()) > 60 else None
        self._folder = Path(tempfile.mkdtemp(prefix="steadfast-", dir=near))
        address = str(self._folder / "socket")
        scripts = project_folder() / "scripts"
        call = [sys.executable, "-IS", client.__file__, address, str(scripts.resolve())]
        python = self._folder / "python"
        python.write_text(f'#!/bin/sh\n{_DEAF} exec {shlex.join(call)} "$@"\n')
        python.chmod(0o700)
        server = [sys.executable, str(scripts / "keep_warm.py")]
        self._server = subprocess.Popen(
            ["sh", "-c", f'{_DEAF} exec "$@"', "sh", *server, address],
            stdin=subprocess.PIPE,
            pass_fds=held,
        )
        variables["PATH"] = f"{self._folder}{os.pathsep}{self._path}"

    def end(self) -> None:
        """Let the server end, and count its time for this process."""
        self._variables["PATH"] = self._path
        self._server.stdin.close()
        try:
            self._server.wait(_LONGEST)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
