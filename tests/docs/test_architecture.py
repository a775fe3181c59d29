"""Every file listed in ARCHITECTURE.md takes part in the like or the home page of its list, and both stay short.

With PLAUDIT_CALL_TRACES=1 the test writes docs/internals/call-traces.md.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from tests.support.follows import follow
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import System

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "internals" / "call-traces.md"
HOME = "{ viewer { home(first: 5) { nodes { id text likeCount viewerReaction author { handle } } } } }"
MOST = 10
ROUNDS = 5
"""Each way is traced several times, because background work, such as renewing a lease, may run meanwhile. The shortest
trace counts. A request or an empty step of the worker before each trace fills the caches that last a second.
"""
BUDGETS = {
    "A like: from HTTP to acknowledgement": (185, 55),
    "A like: from journal to row": (170, 52),
    "A home page": (230, 64),
}
"""The most functions and the most files that each section may pass. Lower them when a change makes a way shorter."""

Trace = dict[str, list[str]]
"""The called functions by file, in the order of their first calls."""


@contextmanager
def traced() -> Iterator[Trace]:
    """Collects the calls of the project's own functions while the block runs."""
    trace: Trace = {}

    def called(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event != "call" or not path.is_relative_to(ROOT):
            return
        file, name = path.relative_to(ROOT), frame.f_code.co_qualname
        if file.parts[0] not in ("tests", ".venv") and "<" not in name.replace("<locals>", ""):
            names = trace.setdefault(str(file), [])
            if name not in names:
                names.append(name)

    sys.setprofile(called)
    try:
        yield trace
    finally:
        sys.setprofile(None)


def functions_of(trace: Trace) -> int:
    """Returns the number of called functions."""
    return sum(map(len, trace.values()))


def listed(section: str) -> list[str]:
    """Returns the files that a section of ARCHITECTURE.md links to."""
    text = (ROOT / "ARCHITECTURE.md").read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"\]\(([\w/.]+)\)", text)


@standalone
async def test_the_listed_files_take_part_in_a_like_and_a_home_page(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video)
    await alice.unlike(video)
    await published(system.person("bob"), "one", "two", "three")
    await follow(alice, await system.person("bob").id())
    await system.drain()
    assert len((await alice.ask(HOME))["viewer"]["home"]["nodes"]) == 3

    rounds: list[tuple[Trace, ...]] = []
    for _ in range(ROUNDS):
        await system.drain()
        await alice.unlike(video)
        with traced() as acknowledged:
            await alice.like(video)
        with traced() as persisted:
            await system.drain()
        await alice.ask(HOME)
        with traced() as home:
            await alice.ask(HOME)
        rounds.append((acknowledged, persisted, home))
        await alice.unlike(video)
        await system.drain()

    shortest = [min(traces, key=functions_of) for traces in zip(*rounds, strict=True)]
    traces = dict(zip(BUDGETS, shortest, strict=True))
    for section, trace in traces.items():
        files = listed(section)
        assert 0 < len(files) <= MOST, section
        scripts = {file for file in files if file.endswith(".lua")}
        assert all((ROOT / script).exists() for script in scripts)
        assert set(files) - scripts <= trace.keys(), section
        functions, most = functions_of(trace), BUDGETS[section]
        assert (functions <= most[0], len(trace) <= most[1]) == (True, True), (section, functions, len(trace))
    if os.environ.get("PLAUDIT_CALL_TRACES"):
        PAGE.write_text(page(traces))


def page(traces: dict[str, Trace]) -> str:
    """Returns the text of docs/internals/call-traces.md."""
    lines = [
        "# Call traces",
        "",
        "The files that one like and one home page use, in the order of the first calls. Read those in",
        "[ARCHITECTURE.md](../../ARCHITECTURE.md) first. To write this page again, run",
        "`PLAUDIT_CALL_TRACES=1 .venv/bin/pytest tests/docs/test_architecture.py`.",
    ]
    for section, trace in traces.items():
        lines += ["", f"## {section}", "", f"{functions_of(trace)} functions in {len(trace)} files.", ""]
        lines.append(", ".join(f"`{file}`" for file in trace) + ".")
    return "\n".join(lines) + "\n"
