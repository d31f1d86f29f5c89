"""What a command costs: processor and wall time, and the most memory a process of it held.

In: a command line. Out: a Cost. The system keeps the count of every finished child and of the children
it waited for itself; what goes on in the background after the command ended is not in it.
"""

import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Cost:
    """Seconds and bytes of one run."""

    cpu: float
    wall: float
    peak: int
    out: str = ""


class Failed(Exception):
    """A command that did not do what it was started for."""


def run(command, *, cwd=None, env=None, timeout=1800, may_find_nothing=False):
    """Runs a command to its end, alone, and says what it cost."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        child = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        try:
            status, usage = wait(child.pid, started + timeout)
        except TimeoutError:
            child.kill()
            child.wait()
            raise Failed(f"{command[0]}: not done after {timeout} s") from None
        wall = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        text, complaint = (read(stream) for stream in (out, err))
    if child.returncode != 0 and not (may_find_nothing and child.returncode == 1):
        said = (complaint or text).strip().splitlines()[-1:] or ["nothing"]
        raise Failed(f"{pathlib.Path(command[0]).name} ended with {child.returncode}: {said[0][:200]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, text)


def wait(pid, deadline):
    """Waits for a child; the kernel's own count of what it used comes with its end."""
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG if deadline else 0)
        if ended:
            return status, usage
        if time.perf_counter() > deadline:
            raise TimeoutError
        time.sleep(0.0005)


def read(stream):
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def size(path):
    """Bytes of the files under a folder, or of a file."""
    path = pathlib.Path(path)
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file() and not file.is_symlink())


def middle(values):
    """The median."""
    return at(values, 0.5)


def at(values, share):
    """The value below which a share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
