"""Measures suggestions of users to follow in communities of several sizes, in which few users have most followers: the
time in which a worker computes a list, the memory of a list, and the time of a request.
"""

import time
from collections.abc import Sequence
from random import Random

import orjson

from bench.client import connected, graphql
from bench.machine import Machine
from bench.results import Result, percentiles, plain
from models.counters import CounterKind
from settings import POSTS, USERS
from store import keys
from store.people import suggestions
from workers.suggestions import computed, refresh_suggestions

_SAMPLE, _VIEWERS, _ASKED = 200, 50, 10
_FOLLOWED = 100
"""The number of members that each viewer follows."""
_MEMBERS = """
    INSERT INTO users (user_id, handle, display_name, bio, is_private)
    SELECT $1::bigint + i, 'member' || $1::bigint + i, 'Member', '', false FROM generate_series(0, $2::bigint - 1) AS i
"""
# The number of follows of a user, and the popularity of a user, follow power laws. The most popular of a million users
# has one in a hundred of all follows.
_FOLLOWS = """
    INSERT INTO following (user_id, followee_id, moment)
    SELECT user_id, $1::bigint + floor($2::bigint * power(random(), 3))::bigint, n
    FROM (SELECT $1::bigint + i AS user_id, least(1000, 5 + floor(3 * power(1 - random(), -0.7)))::int AS many
          FROM generate_series(0, $2::bigint - 1) AS i) AS members
    CROSS JOIN LATERAL generate_series(1, many) AS n ON CONFLICT DO NOTHING
"""
_LIKES = """
    INSERT INTO reactions (user_id, business_id, entity_id, state, version)
    SELECT $1::bigint + i, $3::smallint, $1::bigint + floor($2::bigint * power(random(), 2))::bigint, 1, n::bigint << 20
    FROM generate_series(0, $2::bigint - 1) AS i CROSS JOIN LATERAL generate_series(1, 5) AS n ON CONFLICT DO NOTHING
"""
_FOLLOWERS = """
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT $2::smallint, followee_id, $3::smallint, count(*), 1 FROM following WHERE user_id >= $1::bigint GROUP BY 2
"""
_LIKED = """
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT $2::smallint, entity_id, $3::smallint, count(*), 1 FROM reactions WHERE user_id >= $1::bigint GROUP BY 2
"""
_VIEWER = """
    INSERT INTO following (user_id, followee_id, moment)
    SELECT $1::bigint, followee_id, 1 FROM unnest($2::bigint[]) AS followee_id ON CONFLICT DO NOTHING
"""
_CROWDED = "SELECT user_id FROM following WHERE user_id >= $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 20"
_FIRST = 1 << 55
"""The ids of members are higher than this, and so than those of all other users."""
_QUERY = """{ viewer { suggestedUsers(first: 10) {
  user { id handle displayName } reason followedBy { handle } followedByCount } } }"""


async def measure(machine: Machine) -> list[Result]:
    """Measures communities of the sizes `sizes.members`, one after the other. The rows of all of them stay."""
    results: list[Result] = []
    for at, count in enumerate(sorted(machine.sizes.members)):
        first = _FIRST + (at << 40)
        await _fill(machine, first, count)
        results += await _compute(machine, first, count)
        results += await _ask(machine, first, count)
    return results


async def _fill(machine: Machine, first: int, count: int) -> None:
    connection = await machine.connect("public")
    for statement, more in (
        (_MEMBERS, (count,)),
        (_FOLLOWS, (count,)),
        (_LIKES, (count, POSTS)),
        (_FOLLOWERS, (USERS, int(CounterKind.FOLLOWERS))),
        (_LIKED, (POSTS, int(CounterKind.LIKES))),
        ("VACUUM ANALYZE users, following, reactions, counters", None),
    ):
        await connection.execute(statement, *(() if more is None else (first, *more)), timeout=7200)
    await connection.close()


async def _compute(machine: Machine, first: int, count: int) -> list[Result]:
    """Measures the milliseconds of the lists of random members, and of the members who follow most users."""
    connection = await machine.connect("public")
    crowded = [row[0] for row in await connection.fetch(_CROWDED, first)]
    await connection.close()
    sample = [first + at for at in Random(1).sample(range(count), min(_SAMPLE, count))]
    return [
        *percentiles("suggestions", f"ms for a list, {count:,} users", await _milliseconds(machine, sample)),
        plain(
            "suggestions",
            f"ms for a list of one who follows most, {count:,} users, max",
            max(await _milliseconds(machine, crowded)),
        ),
    ]


async def _milliseconds(machine: Machine, users: Sequence[int]) -> list[float]:
    await computed(machine.state, users[0])  # connects
    taken = list[float]()
    for user in users:
        began = time.perf_counter()
        assert await computed(machine.state, user)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


async def _ask(machine: Machine, first: int, count: int) -> list[Result]:
    """Measures the lists that a worker computes per second, the bytes of a list, and the milliseconds of a request."""
    viewers, chance = machine.community.people[:_VIEWERS], Random(2)
    connection = await machine.connect("public")
    for viewer in viewers:
        followed = {first + int(count * chance.random() ** 3) for _ in range(_FOLLOWED)}
        await connection.execute(_VIEWER, viewer.user_id, list(followed))
    await connection.close()
    cache, now_ms = machine.state.cache, machine.state.now_ms()
    for viewer in viewers:
        suggestions.ask(cache, viewer.user_id, now_ms)
    suggestions.mark(cache, [viewer.user_id for viewer in viewers], 0)
    began, lists = time.perf_counter(), 0
    while some := await refresh_suggestions(machine.state):
        lists += some
    rate = lists / (time.perf_counter() - began)
    sizes = [await cache.redis("MEMORY", "USAGE", keys.suggested(viewer.user_id)) for viewer in viewers]
    requests = [graphql(viewer.token, _QUERY, {}) for viewer in viewers]
    taken = list[float]()
    async with connected(machine.api_port, 1) as client:
        for request in requests:
            answer = orjson.loads(await client.ask(request))
            assert len(answer["data"]["viewer"]["suggestedUsers"]) == _ASKED, answer
        for request in requests * _ASKED:
            began = time.perf_counter()
            await client.ask(request)
            taken.append((time.perf_counter() - began) * 1000)
    return [
        plain("suggestions", f"lists/s of a worker, {count:,} users", rate),
        plain("suggestions", f"bytes of the largest list, {count:,} users", max(sizes)),
        *percentiles("suggestions", f"ms for a request, {count:,} users", taken),
    ]
