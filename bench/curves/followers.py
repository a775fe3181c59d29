"""Measures what actions about one account cost, by the number of its followers."""

import itertools

import asyncpg

from bench.client import graphql
from bench.community import Person
from bench.curves import cost
from bench.curves.actions import PAGES, Bench
from bench.curves.cost import Action, Cost
from bench.curves.ids import FANS, STAR
from bench.home import HOME
from bench.page import FOLLOWED, follow
from bench.working import emptied
from bench.writing import PUBLISHED, publication
from identity import auth
from models.counters import CounterKind
from settings import USERS as USER

_PROFILE = PAGES["profile, with followers"]
_POSTS = 5
_SHOWN = 30
"""The number of the newest followers who have a profile, because only these are shown on pages."""
# $1 is the first new follower, $2 the number of followers afterwards, $3 the time of the first follow in ms.
_NEW = "generate_series($1::bigint, $2::bigint - 1) n"
_STATEMENTS = (
    f"""INSERT INTO users (user_id, handle, display_name)
        SELECT {FANS} + n, 'fan' || n, 'Fan ' || n FROM {_NEW} WHERE n >= $2::bigint - {_SHOWN}""",
    f"""INSERT INTO follows (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
        SELECT {FANS} + n, {STAR}, true, false, ($3::bigint + n) << 20, 0, ($3::bigint + n) << 10 FROM {_NEW}""",
    f"""INSERT INTO following (user_id, followee_id, moment)
        SELECT {FANS} + n, {STAR}, ($3::bigint + n) << 10 FROM {_NEW}""",
    f"""INSERT INTO followers (user_id, follower_id, moment)
        SELECT {STAR}, {FANS} + n, ($3::bigint + n) << 10 FROM {_NEW}""",
)
_COUNT = f"""
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    VALUES ({USER}, {STAR}, {CounterKind.FOLLOWERS:d}, $1, 1)
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = $1, version = counters.version + 1
"""


async def star(bench: Bench) -> Person:
    """Adds the account whose number of followers grows, with a token. Returns it."""
    settings, name = bench.machine.settings, "star"
    execute = bench.connection.execute
    await execute("INSERT INTO users (user_id, handle, display_name) VALUES ($1, $2, $2)", STAR, name)
    await execute("INSERT INTO handles (handle, user_id) VALUES ($2, $1)", STAR, name)
    await execute("INSERT INTO identities (issuer, subject, user_id) VALUES ($3, $2, $1)", STAR, name, settings.issuer)
    return Person(STAR, name, auth.mint(settings, name))


async def grow(connection: asyncpg.Connection, first: int, followers: int, began_ms: int) -> None:
    """Adds the followers with the numbers from `first` to `followers` - 1 to the account, and vacuums the tables. The
    first follow is dated at `began_ms`, in milliseconds since the Unix epoch.
    """
    for statement in _STATEMENTS:
        arguments = [began_ms] if "$3" in statement else []
        await connection.execute(statement, first, followers, *arguments, timeout=None)
    await connection.execute(_COUNT, followers)
    await connection.execute("VACUUM ANALYZE users, follows, following, followers, counters", timeout=None)


async def costs(bench: Bench, star: Person) -> dict[str, Cost]:
    """Runs all actions about the account `star`, and returns the cost of each by its name."""
    actions = {
        "profile, with followers": _reading(bench, _PROFILE, {"handle": star.subject}),
        "a follow, written and stored": _following(bench, star),
        "a post, written, stored and pushed": _publishing(bench, star),
        "home page of a new follower": _reading(bench, HOME, {"first": 20}),
    }
    return {name: await cost.of(bench.machine, bench.connection, action) for name, action in actions.items()}


def _reading(bench: Bench, query: str, variables: dict[str, object]) -> Action:
    async def read() -> int:
        for viewer in bench.viewers:
            await cost.empty(bench.machine)
            await bench.client.ask(graphql(viewer.token, query, variables))
        return len(bench.viewers)

    return read


def _following(bench: Bench, star: Person) -> Action:
    async def write() -> int:
        await cost.empty(bench.machine)
        await bench.client.flood(map(follow, zip(bench.viewers, itertools.repeat(star))), FOLLOWED)
        return await emptied(bench.worker)

    return write


def _publishing(bench: Bench, star: Person) -> Action:
    async def write() -> int:
        await cost.empty(bench.machine)
        await bench.client.flood((publication(star, number) for number in range(_POSTS)), PUBLISHED)
        await emptied(bench.worker)
        return _POSTS

    return write
