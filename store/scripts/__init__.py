"""Lua scripts, which Redis runs: all operations on Redis that must be atomic.

The first comment of each file lists the script's keys, arguments and results. The modules that need a script call it in
a typed function. Scripts get complete keys and never build them. They check everything before their first write,
because a Lua error does not undo writes.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script: its name, its source, and the SHA-1 digest of the source, by which servers identify it."""

    name: str
    source: str = field(repr=False)
    sha: str = field(repr=False)


def _load(name: str, *preludes: str) -> Script:
    """Loads a Lua script. The contents of the files `preludes` are inserted after the script's first line, which names
    the engine.
    """
    source = _read(name)
    if preludes:
        engine, rest = source.split("\n", 1)
        source = "\n".join([engine, *map(_read, preludes)]) + rest
    return Script(name, source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


def _read(name: str) -> str:
    return Path(__file__).with_name(f"{name}.lua").read_text()


BOUNDARIES = _load("boundaries")
CACHED = _load("cached")
CHANGE_OWN_SET = _load("change_own_set", "idempotency_life", "actor", "own_set")
CLOCK = _load("clock")
CONCLUDE = _load("conclude", "idempotency_life")
COUNT_ACTIONS = _load("count_actions", "idempotency_life", "actor")
EXTEND_LIST = _load("extend_list")
FILL = _load("fill")
FILL_LIST = _load("fill_list")
FILL_MARKS = _load("fill_marks")
FILL_OWN_SETS = _load("fill_own_sets")
FORGET = _load("forget")
OPEN_JOURNALS = _load("open_journals")
PIN_SNAPSHOT = _load("pin_snapshot")
PUBLISH = _load("publish")
PUBLISH_LIST = _load("publish_list")
PUBLISH_MARKS = _load("publish_marks")
PUBLISH_SCORES = _load("publish_scores")
RAISE_IDS = _load("raise_ids")
READ_JOURNALS = _load("read_journals")
RECEIVE = _load("receive", "idempotency_life", "actor", "own_set")
RELEASE = _load("release")
SPEND_BUDGET = _load("spend_budget")
SWEEP = _load("sweep")
WRITE = _load("write", "idempotency_life", "actor")

SCRIPTS = tuple(value for value in globals().values() if isinstance(value, Script))
"""All scripts."""
