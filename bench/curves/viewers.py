"""Adds the viewers, who read and write in the actions. Each has a token, 50 follows and 500 notifications, at any size
of the data.
"""

from collections.abc import Sequence
from random import Random

import asyncpg

from bench.community import Person
from bench.curves.ids import HANDLE, POSTS, USERS, VIEWERS, WRITTEN
from bench.machine import Machine
from identity import auth
from settings import POSTS as POST

_FOLLOWS, _NOTIFICATIONS = 50, 500


async def add(machine: Machine, connection: asyncpg.Connection, first: int, count: int, users: int) -> list[Person]:
    """Adds `count` viewers with the numbers from `first` on, who follow random ones of the `users` other users. Returns
    them.
    """
    issuer, subjects = machine.settings.issuer, [f"viewer{number}" for number in range(first, first + count)]
    people = [
        Person(VIEWERS + first + at, subject, auth.mint(machine.settings, subject))
        for at, subject in enumerate(subjects)
    ]
    names = [(one.user_id, one.subject, one.subject) for one in people]
    await _copy(connection, "users", ["user_id", "handle", "display_name"], names)
    await _copy(connection, "handles", ["handle", "user_id"], [(one.subject, one.user_id) for one in people])
    identities = [(issuer, one.subject, one.user_id) for one in people]
    await _copy(connection, "identities", ["issuer", "subject", "user_id"], identities)
    await _follow(machine, connection, people, users)
    await _notify(machine, connection, people)
    await connection.execute("VACUUM ANALYZE users, handles, identities, following, notifications, notification_heads")
    return people


async def _follow(machine: Machine, connection: asyncpg.Connection, people: list[Person], users: int) -> None:
    random, moment = Random(users), machine.state.now_ms() - 60_000 << 10
    rows = [
        (one.user_id, USERS + author, moment + at)
        for one in people
        for at, author in enumerate(random.sample(range(users), _FOLLOWS))
    ]
    await _copy(connection, "following", ["user_id", "followee_id", "moment"], rows)


async def _notify(machine: Machine, connection: asyncpg.Connection, people: list[Person]) -> None:
    now = machine.state.now_ms()
    rows = [
        (one.user_id, at, 1, POST, POSTS + at % (10 * WRITTEN), now, now, (now << 10) + at, [USERS + at % 10], 1)
        for one in people
        for at in range(1, _NOTIFICATIONS + 1)
    ]
    columns = ["user_id", "notification_id", "kind", "business_id", "entity_id", "created_ms", "updated_ms", "moment"]
    await _copy(connection, "notifications", [*columns, "actors", "actor_count"], rows)
    heads = [(one.user_id, (now << 10) + _NOTIFICATIONS, 0, now << 10) for one in people]
    await _copy(connection, "notification_heads", ["user_id", "moment", "prev_moment", "read_moment"], heads)


async def _copy(
    connection: asyncpg.Connection, table: str, columns: list[str], rows: Sequence[Sequence[object]]
) -> None:
    await connection.copy_records_to_table(table, records=rows, columns=columns)


def handle(number: int) -> str:
    """Returns the handle of the user with this number, which is also the key of the entity with this number."""
    return f"{HANDLE}{number}"
