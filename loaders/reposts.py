"""Reposts: the list of a post's reposters, and whether reposts still stand."""

from collections.abc import Sequence
from contextlib import suppress

from loaders.lists import ListKind
from models.counters import EntityRef
from models.reposts import REPOST
from settings import POSTS
from state import State
from store.groups import grouped
from store.postgres.client import PostgresDown
from store.reactions import reposts
from store.redis.client import RedisDown

REPOSTERS = ListKind(reposts.reposters_key, lambda _, __: reposts.REPOSTERS, reposts.reposters)
"""The users who repost a post, newest repost first."""
Repost = tuple[int, int]
"""A user, and the post that the user has reposted."""


async def standing(state: State, wanted: Sequence[Repost]) -> list[bool]:
    """Returns whether each of these reposts of a list still stands: the user has not removed it, not even in the last
    moment. Reads the own sets of the users in one round trip, and rows for what is not cached. A repost of which
    neither can be read stands, as the list says.
    """
    by_user = grouped((user, EntityRef(POSTS, post)) for user, post in wanted)
    known = dict[Repost, bool]()
    if not state.redis.is_suspended:
        with suppress(RedisDown):
            held = await state.own_sets.held_by_users(REPOST, by_user)
            for (user, refs), one in zip(by_user.items(), held, strict=True):
                for ref in refs:
                    if ref in one.states or one.rules_out(ref):
                        known[user, ref.entity_id] = ref in one.states
    if unknown := [one for one in wanted if one not in known]:
        with suppress(PostgresDown):
            stored = await reposts.standing_among(state.postgres, unknown)
            known |= {one: one in stored for one in unknown}
    return [known.get(one, True) for one in wanted]
