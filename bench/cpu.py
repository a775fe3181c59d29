"""Reads the CPU time of the processes that a benchmark has started, by kind of process."""

import psutil

KINDS = ("api", "worker", "postgres", "valkey")
"""The kinds of processes. The command line of a process contains a word that begins with its kind."""
CLIENTS = "clients"
"""The kind of the benchmark's own process, which sends the requests."""


def used() -> dict[str, float]:
    """Returns the CPU seconds of each kind of process since its processes started, including their child processes."""
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
    """Returns four numbers of CPU seconds: those of the process in user and in kernel mode, and the same of its ended
    children. All are zero if the process has ended.
    """
    try:
        return tuple(process.cpu_times()[:4])
    except psutil.Error:
        return (0.0,) * 4
