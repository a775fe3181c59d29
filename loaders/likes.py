"""Lists of likes: the likers of an entity, the users who gave it a kind of reaction, the likers that the viewer
follows, and the newest likes of users.
"""

import asyncio
from collections.abc import Sequence

from loaders.lists import ListKind, ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from models.follows import FollowState
from models.likes import REACT
from models.users import UserRow
from state import State
from store.cache import lists
from store.cache.lists import Item
from store.reactions.likers import likers_from_truth, likers_key, reactors_from_truth, reactors_key

_NEWEST_LIKERS = 200
"""How many of an entity's newest likers are searched for users that the viewer follows (L8)."""


def _cap(state: State, ref: EntityRef) -> int:
    return state.businesses_by_id[ref.business_id].cached_likers


LIKERS = ListKind(likers_key, _cap, likers_from_truth)
"""The users who like an entity, newest like first (L5)."""


def reactors(kind: int) -> ListKind:
    """Returns the kind of list of the users who have given an entity the kind of reaction with the id `kind`, newest
    change of their reactions first.
    """
    return ListKind(
        lambda ref: reactors_key(ref, kind),
        _cap,
        lambda postgres, ref, before, count: reactors_from_truth(postgres, ref, kind, before, count),
    )


async def newest_likes(state: State, users: Sequence[int], business_id: int, count: int) -> list[list[Item]]:
    """Returns up to `count` of the newest likes of each user in a business (a kind of content). The items are the liked
    objects. Reads only the cache: the list of a user whose likes are not cached is empty. Raises RedisDown.
    """
    keys = [state.own_sets.key(REACT, user, business_id) for user in users]
    pages = await lists.read(state.redis, keys, [None] * len(keys), [count] * len(keys))
    return [page.items if page else [] for page in pages]


async def by_followed(
    state: State,
    likers: Loader[ListPage, list[Item]],
    follows: Loader[int, FollowState],
    users: Loader[int, UserRow | None],
    wanted: Sequence[tuple[EntityRef, int]],
) -> list[list[UserRow]]:
    """Returns a list of users for each pair in `wanted` of an entity and a maximum number of users: the entity's newest
    likers whom the viewer follows, newest like first. Only the newest likers are searched (`_NEWEST_LIKERS`).

    `likers` loads pages of likers, `follows` whether the viewer follows users, and `users` profiles. The profile of a
    user who is hidden from the viewer is None, and the user is left out. Raises the first exception of a value that
    cannot be read.
    """

    def newest(ref: EntityRef) -> ListPage:
        cached = state.businesses_by_id[ref.business_id].cached_likers
        return ListPage(ref, None, min(cached, _NEWEST_LIKERS), partial=True)

    found = await likers.ask([newest(ref) for ref, _ in wanted])
    people = sorted({item.member for items in found for item in items})
    states = await follows.ask(people)
    followed = {person for person, one in zip(people, states, strict=True) if one is FollowState.FOLLOWS}
    chosen = [[item.member for item in items if item.member in followed] for items in found]
    # Profiles of all of them, because hidden users must not shorten the list.
    rows = await asyncio.gather(*[users.ask(some, each=True) for some in chosen])
    return [_first_shown(some, most) for some, (_, most) in zip(rows, wanted, strict=True)]


def _first_shown(rows: Sequence[UserRow | Exception | None], most: int) -> list[UserRow]:
    """Returns the first `most` users. Skips hidden users, which are None in `rows`. Raises the exception of a user that
    could not be read, if this user may be one of the first.
    """
    first = [row for row in rows if row][:most]
    if error := next((row for row in first if isinstance(row, Exception)), None):
        raise error
    return first  # type: ignore[return-value]  # no exceptions are left
