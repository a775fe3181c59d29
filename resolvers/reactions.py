"""Reactions by kind: the counts, the viewer's reactions, and the users who have given a kind."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from commands.targets import ReactableRow
from context import Context
from domain import texts
from domain.errors import BadInput
from loaders.lists import ListPage
from models.counters import Counts, EntityRef
from models.likes import NO_KINDS, REACT, Reaction, Reactions, bit_of, counter_of, kinds_in, unknown_reaction
from models.users import UserRow
from resolvers import timelines
from resolvers.pages import Connection, Pages, Scope, Slice, check_first
from store.cache.lists import Item

_LIKERS = 0
"""Stands for the list of likers, which has all users of the kind `like` if no other kind counts as a like."""


@dataclass(frozen=True, slots=True)
class ReactionCount:
    """The number of users who have given an object the kind of reaction with the name `kind`."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class OfferedReaction:
    """A kind of reaction that users can give an object, and whether it counts as a like."""

    kind: str
    is_like: bool


def _business(row: ReactableRow) -> int:
    """Returns the number of the business whose kinds of reactions users can give an object. For a post that announces
    an entity, it is the business of the entity.
    """
    return (row.reactions_ref or row.ref).business_id


def _known(context: Context, row: ReactableRow) -> Reactions:
    return context.state.reactions.get(_business(row), NO_KINDS)


async def counts(context: Context, rows: Sequence[ReactableRow]) -> list[list[ReactionCount] | Exception | None]:
    """Resolves Reactable.reactionCounts: for each object, the counts of the kinds of reactions that are not zero,
    highest count first; None for a deleted comment, an exception if the counters cannot be read.
    """
    asked = [ref for row in rows if (ref := row.reactions_ref)]
    found = iter(await context.own.counts.ask(asked, each=True))
    return [_counts(_known(context, row), next(found)) if row.reactions_ref else None for row in rows]


def _counts(known: Reactions, counts: Counts | Exception) -> list[ReactionCount] | Exception:
    if isinstance(counts, Exception):
        return counts
    each = [ReactionCount(name, _count(counts, kind)) for kind, name in known.names.items()]
    return sorted((one for one in each if one.count), key=lambda one: -one.count)


def _count(counts: Counts, kind: int) -> int:
    if kind == Reaction.LIKE:
        return max(0, counts.likes - counts.likes_by_other_kinds)
    return counts.dislikes if kind == Reaction.DISLIKE else counts.of(counter_of(kind))


async def viewers(context: Context, rows: Sequence[ReactableRow]) -> list[list[str] | Exception | None]:
    """Resolves Reactable.viewerReactions: for each object, the names of the kinds of reactions that the viewer has
    given; None for an anonymous viewer and for a deleted comment, an exception if the reaction cannot be read.
    """
    asked = [ref for row in rows if (ref := row.reactions_ref)]
    found = iter(await context.own.states(REACT).ask(asked, each=True))
    return [_named(_known(context, row), next(found)) if row.reactions_ref else None for row in rows]


def _named(known: Reactions, state: int | Exception | None) -> list[str] | Exception | None:
    return known.named(kinds_in(state)) if isinstance(state, int) else state


def offered(context: Context, rows: Sequence[ReactableRow]) -> list[list[OfferedReaction]]:
    """Resolves Reactable.reactionKinds: for each object, the kinds of reactions that users can give it."""
    return [_offered(context, row) for row in rows]


def _offered(context: Context, row: ReactableRow) -> list[OfferedReaction]:
    known = _known(context, row)
    return [OfferedReaction(name, bool(bit_of(kind) & known.likes)) for kind, name in known.offered.items()]


async def reactors(
    context: Context, rows: Sequence[ReactableRow], kind: str, first: int, after: str | None = None
) -> list[Connection[UserRow] | Exception | None]:
    """Resolves Reactable.reactors: a page of the users who have given each object a kind of reaction, newest change of
    their reactions first; None for a deleted comment, an exception for a page that cannot be read. Leaves out users
    whose likes are hidden from the viewer. An object whose business does not have the kind gets the exception BadInput.

    Raises BadInput for dislikes, whose users are not shown, for a malformed kind, and unless `first` is 1 to 100.
    """
    texts.identifier(kind, "A kind of reaction", 64)
    if kind == "dislike":
        raise BadInput("The users who dislike an object are not listed.")
    check_first(first)
    by_list: dict[int, list[EntityRef]] = {}
    found: dict[EntityRef | None, Any] = {None: None}
    for row in rows:
        known = _known(context, row)
        if (ref := row.reactions_ref) is None:
            continue
        if (id_ := known.find(kind)) is None:
            found[ref] = BadInput(unknown_reaction(known))
        else:
            by_list.setdefault(_LIKERS if id_ == known.likes == Reaction.LIKE else id_, []).append(ref)
    pages = [_reactors(context, of, refs, first, after) for of, refs in by_list.items()]
    for refs, some in zip(by_list.values(), await asyncio.gather(*pages), strict=True):
        found |= zip(refs, some, strict=True)
    return [found[row.reactions_ref] for row in rows]


async def _reactors(
    context: Context, kind: int, refs: Sequence[EntityRef], first: int, after: str | None
) -> Pages[UserRow]:
    """Returns the pages of the users who have given each object the kind with this id; the pages of likers for
    `_LIKERS`.
    """
    source = context.own.seen_likers if kind == _LIKERS else context.own.seen_reactors(kind)

    async def items(slices: Sequence[Slice]) -> Sequence[Sequence[Item]]:
        return await source.ask([ListPage(refs[of], before, count) for of, before, count in slices], each=True)

    scopes = [Scope(f"reactors:{ref.business_id}:{ref.entity_id}:{kind}") for ref in refs]
    return await timelines.people(context, scopes, first, after, items, context.content.likers_shown)
