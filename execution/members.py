"""The members of objects as they are compiled: a field's completer, and the start of its text.

Neighbouring members that can be read from the row alone become one member, whose text is kept (execution/objects.py).
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from graphql import GraphQLObjectType

from execution.complete import Completer
from execution.levels import LeafLookup, Selection
from execution.objects import KeptTexts, joined


class Compiled(NamedTuple):
    """A compiled field or type. If its texts depend on nothing but the row of the object, `static` is its selection in
    a canonical form: equal selections of a type have equal forms. Otherwise it is None.
    """

    complete: Completer | LeafLookup
    static: str | None

    @property
    def completer(self) -> Completer:
        assert not isinstance(self.complete, LeafLookup)
        return self.complete


class Member(NamedTuple):
    """A compiled field of an object: the start of its text, such as `"title":`, the completer of its value, and its
    canonical form if it is static (`Compiled`).
    """

    name: bytes
    complete: Completer | LeafLookup
    static: str | None


def selection(members: Sequence[Member], shared: GraphQLObjectType | None) -> Compiled:
    """Returns the selection with these members. `shared` is their type if all requests get the same row objects of it,
    otherwise None.
    """
    parts = _with_kept_texts(members, shared) if shared else members
    return Compiled(Selection(_separators(parts, b"{", b"}"), [one.complete for one in parts]), _static(members))


def _with_kept_texts(members: Sequence[Member], type_: GraphQLObjectType) -> list[Member]:
    """Returns members with one member in place of neighbours that are static. The text of this member contains the
    names of its parts.
    """
    grouped: list[Member] = []
    for _, some in groupby(members, lambda member: member.static is None):
        parts = list(some)
        if static := _static(parts):
            completers = [one.complete for one in parts if not isinstance(one.complete, LeafLookup)]
            kept = KeptTexts.of(type_, static, completers, joined(_separators(parts)))
            grouped.append(Member(b"", kept, static))
        else:
            grouped += parts
    return grouped


def _static(members: Sequence[Member]) -> str | None:
    """Returns the canonical form of the selection of these members, or None if one of them is not static."""
    forms = [one.static for one in members if one.static is not None]
    return f"{{{' '.join(forms)}}}" if len(forms) == len(members) else None


def _separators(members: Sequence[Member], start: bytes = b"", end: bytes = b"") -> list[bytes]:
    """Returns the texts before, between and after the texts of the members."""
    return [(b"," if at else start) + member.name for at, member in enumerate(members)] + [end]
