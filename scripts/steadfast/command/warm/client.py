"""`python` of a job: its command is handed to a warm process, and its end is waited for.

An interrupt reaches all processes of a terminal, the other one too, so that this one is started
deaf to it.

It runs without site-packages and imports nothing that is not built in, so that it starts in ten
milliseconds. Whatever goes wrong, the command is run as if there were no warm processes.
"""

import _signal
import _socket
import os
import sys

#: A length, an exit code, or the number of a signal.
NUMBER = 8


def pack(folder: str, words: list[str], variables: "os._Environ[str]") -> bytes:
    """A command as bytes; none of its parts can hold a NUL."""
    parts = [folder, str(len(words)), *words, *(f"{key}={variables[key]}" for key in variables)]
    return os.fsencode("\0".join(parts))


def unpack(message: bytes) -> tuple[str, list[str], dict[str, str]]:
    """Folder, words and variables of a command."""
    folder, number, *parts = os.fsdecode(message).split("\0")
    variables = dict(part.partition("=")[::2] for part in parts[int(number) :])
    return folder, parts[: int(number)], variables


def run_elsewhere(address: str, words: list[str]) -> int | None:
    """Exit code of a command that a warm process runs, or minus a signal; None where none does."""
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        link.connect(address)
        message = pack(os.getcwd(), words, os.environ)
        streams = b"".join(stream.to_bytes(4, sys.byteorder) for stream in range(3))
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
        link.sendmsg([len(message).to_bytes(NUMBER, "big")], rights)
        link.sendall(message)
    except OSError:
        return None
    _signal.signal(_signal.SIGTERM, lambda sign, _: link.send(sign.to_bytes(NUMBER, "big")))
    try:
        answer = link.recv(NUMBER)
    except OSError:
        return None
    return int.from_bytes(answer, "big", signed=True) if len(answer) == NUMBER else None


def main(address: str, scripts: str, words: list[str]) -> None:
    """Run one of the project's scripts elsewhere, and everything else here."""
    script = os.path.realpath(words[0]) if words else ""
    code = None
    if os.path.dirname(script) == scripts:
        code = run_elsewhere(address, words)
    if code is None:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, *words])
    if code < 0:
        _signal.signal(-code, _signal.SIG_DFL) if -code != _signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
