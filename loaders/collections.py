"""The collections of users, as a viewer may see them."""

from collections.abc import Sequence

from domain.degraded import Degraded
from loaders.loader import Loader
from loaders.visibility import HiddenUsers
from models.collections import CollectionRow
from state import State
from store.reactions import collections
from store.redis.client import RedisDown


async def of_users(state: State, degraded: Degraded, users: Sequence[int]) -> Sequence[list[CollectionRow]]:
    """Returns all collections of each user, newest first. While Redis is down, they lack changes that are not stored
    yet, and `Viewer.collections` is listed in `extensions.degraded`.
    """
    try:
        found = await state.collections.of(users)
    except RedisDown as error:
        degraded.incomplete("Viewer.collections", error)
        found = await collections.of_users(state.postgres, users)
    return [found[user] for user in users]


async def public(
    every: Loader[int, list[CollectionRow]], hidden: HiddenUsers, users: Sequence[int]
) -> Sequence[list[CollectionRow] | Exception]:
    """Returns the public collections of each user: none of a hidden user. `every` loads all collections."""
    found = dict(zip(users, await every.ask(users, each=True), strict=True))
    return [_public(hidden[user] or [] if user in hidden else found[user]) for user in users]


def _public(rows: list[CollectionRow] | Exception) -> list[CollectionRow] | Exception:
    return rows if isinstance(rows, Exception) else [row for row in rows if row.is_public]
