"""Adds thousands of followers and full inboxes by writing rows and Redis keys directly, without requests."""

from collections.abc import Sequence

from bench.machine import Machine
from models.counters import CounterKind
from settings import USERS
from state import State
from store import keys
from store.cache.lists import FLOOR

_AT_ONCE = 200
_MINUTE = 60_000 << 10
"""The difference between the moments of two posts of an inbox: one minute."""


async def gather(machine: Machine, author_id: int, count: int) -> list[int]:
    """Adds `count` followers to an author. Returns their ids, lowest first."""
    followers = sorted(machine.state.new_id() for _ in range(count))
    moment = machine.state.now_ms() << 10
    connection = await machine.connect("public")
    rows = [(author_id, follower, moment) for follower in followers]
    await connection.copy_records_to_table("followers", records=rows, columns=["user_id", "follower_id", "moment"])
    counter = (USERS, author_id, int(CounterKind.FOLLOWERS), count, 1)
    columns = ["business_id", "entity_id", "kind", "value", "version"]
    await connection.copy_records_to_table("counters", records=[counter], columns=columns)
    await connection.close()
    return followers


async def follow(machine: Machine, user_id: int, count: int) -> None:
    """Makes a user follow `count` more users, who have no posts. Deletes the user's cached follows, so that they are
    read anew.
    """
    moment = (machine.state.now_ms() - 1) << 10
    connection = await machine.connect("public")
    rows = [(user_id, machine.state.new_id(), moment) for _ in range(count)]
    await connection.copy_records_to_table("following", records=rows, columns=["user_id", "followee_id", "moment"])
    await connection.close()
    await machine.state.redis("DEL", machine.state.keys.own_set("follow", user_id), write=True)


async def fill(state: State, names: Sequence[str]) -> None:
    """Writes full inboxes under the keys `names`. The first one is filled with ids, the others are copies of it."""
    redis, count = state.cache.redis, state.settings.caches.inbox_posts
    newest = state.now_ms() << 10
    scored = [part for i in range(count) for part in (newest - (count - i) * _MINUTE, state.new_id())]
    await redis("ZADD", names[0], newest - 2 * count * _MINUTE, FLOOR, *scored, write=True)
    whole = await redis("DUMP", names[0])
    for at in range(1, len(names), _AT_ONCE):
        await redis.gather([("RESTORE", name, 0, whole) for name in names[at : at + _AT_ONCE]], write=True)


def inboxes(users: Sequence[int]) -> list[str]:
    """Returns the keys of the users' inboxes."""
    return [keys.inbox(user) for user in users]
