"""The Lua scripts: every Redis operation that must be atomic is one of them.

Each file's header lists its keys, arguments and returns; each is called from one typed function of its noun's module.
Scripts get complete keys, never build them, and validate before their first write, because a Lua error keeps the
writes before it.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Script:
    """A script's source and the digest servers know it by."""

    name: str
    source: str = field(repr=False)
    sha: str = field(repr=False)


def _load(name: str) -> Script:
    source = Path(__file__).with_name(f"{name}.lua").read_text()
    return Script(name, source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


CLOCK = _load("clock")
FILL = _load("fill")
FILL_LIST = _load("fill_list")
INSTALL_REACTIONS = _load("install_reactions")
PUBLISH = _load("publish")
PUBLISH_LIST = _load("publish_list")
REACT = _load("react")
RECORD = _load("record")
RELEASE = _load("release")
SWEEP = _load("sweep")
