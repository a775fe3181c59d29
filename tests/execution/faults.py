"""Faults below the resolvers, whose errors clients see masked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

import resolvers.entities
from loaders.loader import Loader
from loaders.request.content import Content
from loaders.request.own import Own
from models.users import ViewerRow
from settings import USERS
from tests.support.loaders import break_loader, replace_loader

Fault = Callable[[pytest.MonkeyPatch], None]
PAGE = """query ($keys: [String!]!) { entities(business: "video", keys: $keys) { key likeCount viewerReaction
  likedByFollowed { handle } owner { handle displayName likesReceivedCount }
  likers(first: 2) { nodes { handle displayName followerCount } edges { node { displayName viewerRelation } } } }
  bad: user(handle: "!") { id } user(handle: "bob") { displayName followers { nodes { id displayName } } }
  viewer { id } }"""


def raises(owner: type, loader: str) -> Fault:
    """Lets every batch of a loader fail."""
    return lambda patch: break_loader(patch, owner, loader)


def answers(owner: type, loader: str, change: Callable[[Any, Any], Any]) -> Fault:
    """Replaces the values of a loader by `change(key, value)`."""

    def changing(_: Any, original: Loader[Any, Any]) -> Loader[Any, Any]:
        async def changed(keys: Sequence[Any]) -> list[Any]:
            return [change(key, value) for key, value in zip(keys, await original.fetch([*keys]), strict=True)]

        return Loader(loader, changed)

    return lambda patch: replace_loader(patch, owner, loader, changing)


def states(change: Callable[[Any, Any], Any]) -> Fault:
    """Replaces the viewer's states about objects by `change(ref, state)`, which may raise an exception."""
    original = Own.states

    def changed(own: Own, kind: str) -> Loader[Any, Any]:
        if kind not in own._by_kind:
            loader = original(own, kind)

            async def fetch(refs: Sequence[Any]) -> list[Any]:
                return [change(ref, state) for ref, state in zip(refs, await loader.fetch([*refs]), strict=True)]

            own._by_kind[kind] = Loader(kind, fetch)
        return own._by_kind[kind]

    return lambda patch: patch.setattr(Own, "states", changed)


def _raise(*_: Any) -> Any:
    raise RuntimeError("broken")


def users(change: Callable[[Any], Any]) -> Fault:
    """Replaces profiles by `change(row)`."""
    return answers(Content, "kept_users", lambda _, row: row and change(row))


def _broken_resolver(patch: pytest.MonkeyPatch) -> None:
    async def fail(*_: Any) -> Any:
        raise RuntimeError("broken")

    patch.setattr(resolvers.entities, "by_keys", fail)


class Odd:
    """Counters that are too large for a response."""

    likes = 1 << 63
    followers = -1
    likes_received = "many"


@dataclass(frozen=True)
class Stranger(ViewerRow):
    """A row that is no user, but is public like one."""

    is_private = False

    def is_hidden(self, now_ms: int) -> bool:
        return now_ms < 0


FAULTS: dict[str, Fault] = {
    "a resolver raises": _broken_resolver,
    "counters raise": raises(Own, "counts"),
    "reactions raise": states(_raise),
    "relations raise": raises(Own, "relations"),
    "a resolver of lists raises": raises(Content, "liked_by_followed"),
    "one reaction has an unknown value": states(lambda ref, state: "odd" if ref.entity_id % 2 else state),
    "relations have an unknown value": answers(Own, "relations", lambda _, __: "odd"),
    "counters are beyond bounds": answers(Own, "counts", lambda _, __: Odd()),
    "counters of users are beyond bounds": answers(
        Own, "counts", lambda ref, v: Odd() if ref.business_id == USERS else v
    ),
    "lists are none": answers(Content, "liked_by_followed", lambda _, __: 7),
    "lists hold nulls": answers(Content, "liked_by_followed", lambda _, value: value and [*value, None]),
    "lists hold others": answers(Content, "liked_by_followed", lambda _, value: value and [*value, ViewerRow(7)]),
    "one name is null": users(lambda row: replace(row, display_name=None) if row.handle == "bob" else row),
    "all names are null": users(lambda row: replace(row, display_name=None)),
    "a name is a list": users(lambda row: replace(row, display_name=["x"])),
    "an owner is no user": users(lambda row: Stranger(row.user_id) if row.handle == "alice" else row),
}
