"""The collections of users (named groups of what they have saved), as a viewer may see them."""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from domain.degraded import Degraded
from loaders.loader import Loader
from loaders.visibility import HiddenUsers
from models.collections import COLLECTION, CollectionRow
from models.own_sets import Member
from state import State
from store.reactions import collections
from store.redis.client import RedisDown


class UserCollections(NamedTuple):
    """Collections of a user, newest first. If `error` is set, changes that are not stored in Postgres yet may be
    missing.
    """

    rows: list[CollectionRow]
    error: RedisDown | None = None

    def shown(self, degraded: Degraded, field: str) -> list[CollectionRow]:
        """Returns the collections. If changes may be missing, lists `field`, a schema coordinate such as
        `User.collections`, in `extensions.degraded` of the response.
        """
        if self.error:
            degraded.incomplete(field, self.error)
        return self.rows


_NONE = UserCollections([])


async def of_users(state: State, users: Sequence[int]) -> Sequence[UserCollections]:
    """Returns all collections of each user. While Redis is down, reads them from Postgres and sets `error`. Raises
    PostgresDown.
    """
    unreadable: RedisDown | None = None
    try:
        found = await state.own_sets.of_users(COLLECTION, users, collections.of_users)
    except RedisDown as error:
        unreadable = error
        found = await collections.of_users(state.postgres, users)
    return [UserCollections(_rows(user, found[user]), unreadable) for user in users]


def _rows(owner_id: int, members: Sequence[Member]) -> list[CollectionRow]:
    # A collection that is deleted between two commands of a reading has no text any more.
    rows = (CollectionRow.of(owner_id, member) for member in members if member.text)
    return sorted(rows, key=attrgetter("collection_id"), reverse=True)


async def public(
    every: Loader[int, UserCollections], hidden: HiddenUsers, users: Sequence[int]
) -> Sequence[UserCollections | Exception]:
    """Returns the public collections of each user; no collections for a user in `hidden`. `every` loads all collections
    of users. An exception is in the place of collections that cannot be read, or whose user may be hidden.
    """
    found = dict(zip(users, await every.ask(users, each=True), strict=True))
    return [_public(hidden[user] or _NONE if user in hidden else found[user]) for user in users]


def _public(found: UserCollections | Exception) -> UserCollections | Exception:
    if isinstance(found, Exception):
        return found
    return found._replace(rows=[row for row in found.rows if row.is_public])
