"""The members of objects as they are compiled: a field's completer, and the start of its text.

Neighbouring members that can be read from the row alone become one member, whose text is kept (execution/fragments.py).
"""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from execution.complete import Completer
from execution.fragments import Fragments, joined
from execution.levels import LeafLookup, Selection


class Compiled(NamedTuple):
    """A compiled field or type. `is_static` tells whether its texts depend on nothing but the row of the object."""

    complete: Completer | LeafLookup
    is_static: bool

    @property
    def completer(self) -> Completer:
        assert not isinstance(self.complete, LeafLookup)
        return self.complete


class Member(NamedTuple):
    """A compiled field of an object: the start of its text, such as `"title":`, and the completer of its value."""

    name: bytes
    complete: Completer | LeafLookup
    is_static: bool


def selection(members: Sequence[Member], *, is_shared: bool) -> Compiled:
    """Returns the selection with these members. `is_shared` tells whether all requests get the same row objects."""
    is_static = all(member.is_static for member in members)
    parts = _with_fragments(members) if is_shared else members
    return Compiled(Selection(_separators(parts, b"{", b"}"), [one.complete for one in parts]), is_static)


def _with_fragments(members: Sequence[Member]) -> list[Member]:
    """Returns members with one member in place of neighbours that are static. The text of this member contains the
    names of its parts.
    """
    grouped: list[Member] = []
    for is_static, some in groupby(members, attrgetter("is_static")):
        parts = list(some)
        if is_static:
            completers = [one.complete for one in parts if not isinstance(one.complete, LeafLookup)]
            grouped.append(Member(b"", Fragments(completers, joined(_separators(parts))), is_static=True))
        else:
            grouped += parts
    return grouped


def _separators(members: Sequence[Member], start: bytes = b"", end: bytes = b"") -> list[bytes]:
    """Returns the texts before, between and after the texts of the members."""
    return [(b"," if at else start) + member.name for at, member in enumerate(members)] + [end]
