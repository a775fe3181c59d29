"""Reads the CPU time of the processes that a benchmark has started, by kind."""

import psutil

KINDS = ("api", "worker", "postgres", "valkey")
"""The programs, by the word that their command lines contain."""
CLIENTS = "clients"
"""The benchmark itself, which sends the requests."""


def used() -> dict[str, float]:
    """Returns the CPU seconds that each kind of process has used since it started, with its ended children."""
    own = psutil.Process()
    seconds = dict.fromkeys(KINDS, 0.0) | {CLIENTS: sum(own.cpu_times()[:2])}
    for child in own.children():
        if kind := _kind(child):
            seconds[kind] += sum(sum(_times(one)) for one in (child, *child.children(recursive=True)))
    return seconds


def _kind(process: psutil.Process) -> str | None:
    try:
        words = process.cmdline()[:4]
    except psutil.Error:
        return None
    return next((kind for kind in KINDS if any(word.rpartition("/")[2].startswith(kind) for word in words)), None)


def _times(process: psutil.Process) -> tuple[float, ...]:
    """Returns the seconds in user and kernel mode, of the process and of its ended children; zeros if it has ended."""
    try:
        return tuple(process.cpu_times()[:4])
    except psutil.Error:
        return (0.0,) * 4
