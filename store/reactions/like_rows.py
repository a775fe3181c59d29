"""Rows of reactions and of the log of likes, as workers write them."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text

from store.postgres.client import Rows, Transaction
from store.postgres.columns import columns

# prev_state and prev_owner_id tell, row by row, what this very statement replaced. A CTE that reads the rows first
# would not: under concurrency it sees an older snapshot than the one the update works on.
_UPSERT = text("""
    INSERT INTO reactions AS r (user_id, business_id, entity_id, owner_id, state, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:owners AS bigint[]), CAST(:states AS smallint[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        prev_state = r.state, prev_owner_id = r.owner_id,
        had_liked = r.had_liked OR r.state = 1,
        owner_id = excluded.owner_id, state = excluded.state, version = excluded.version
    WHERE r.version < excluded.version
    RETURNING user_id, business_id, entity_id, had_liked, prev_state, prev_owner_id, state, owner_id
""")
_LOG = text("""
    INSERT INTO like_log (user_id, version, business_id, entity_id, owner_id, was, state, source, ip, device, client)
    SELECT user_id, version, business_id, entity_id, owner_id, was, state, source, CAST(ip AS inet), device, client
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:businesses AS smallint[]),
                CAST(:entities AS bigint[]), CAST(:owners AS bigint[]), CAST(:was AS smallint[]),
                CAST(:states AS smallint[]), CAST(:sources AS text[]), CAST(:ips AS text[]),
                CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS l(user_id, version, business_id, entity_id, owner_id, was, state, source, ip, device, client)
    ON CONFLICT (user_id, version) DO NOTHING
""")
_BEFORE = text("""
    SELECT user_id, business_id, entity_id, before.state
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:versions AS bigint[])) WITH ORDINALITY AS e(user_id, business_id, entity_id, version, place)
    CROSS JOIN LATERAL (
        SELECT l.state FROM like_log l
        WHERE l.user_id = e.user_id AND l.business_id = e.business_id AND l.entity_id = e.entity_id
          AND l.version < e.version
        ORDER BY l.version DESC LIMIT 1
    ) AS before
    ORDER BY place
""")
_CORRECT = text("""
    UPDATE like_log l SET was = c.was, state = c.state
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:was AS smallint[]),
                CAST(:states AS smallint[])) AS c(user_id, version, was, state)
    WHERE (l.user_id, l.version) = (c.user_id, c.version)
""")
_TIDY = text("DELETE FROM like_log WHERE user_id = ANY(CAST(:users AS bigint[])) AND version > :since AND was = state")

Place = tuple[int, int, int]
"""A user, a business, an entity."""


class ReactionRow(NamedTuple):
    """A user's reaction to an entity."""

    user_id: int
    business_id: int
    entity_id: int
    owner_id: int | None
    state: int
    version: int


class LogLine(NamedTuple):
    """A change in the log of likes, with the client that asked for it."""

    user_id: int
    version: int
    business_id: int
    entity_id: int
    owner_id: int | None
    was: int | None
    state: int
    source: str | None
    ip: str | None
    device: str | None
    client: str | None


async def write_reactions(transaction: Transaction, rows: Sequence[ReactionRow]) -> Rows:
    """Writes reactions that are newer than the rows that are there.

    Returns what was written: (user, business, entity, had liked, previous state, previous owner, state, owner).
    """
    names = "users", "businesses", "entities", "owners", "states", "versions"
    return await transaction.execute(_UPSERT, **columns(rows, *names))


async def find_logged(transaction: Transaction, places: Sequence[tuple[int, int, int, int]]) -> dict[Place, int]:
    """Returns the last logged state of each (user, business, entity) before a version, the last of equal ones."""
    logged = await transaction.execute(_BEFORE, **columns(places, "users", "businesses", "entities", "versions"))
    return {(user, business, entity): state for user, business, entity, state in logged}


async def write_log(transaction: Transaction, lines: Sequence[LogLine]) -> None:
    """Adds lines to the log of likes; a line that is there already stays."""
    names = "users", "versions", "businesses", "entities", "owners", "was", "states"
    traces = "sources", "ips", "devices", "clients"
    await transaction.execute(_LOG, **columns(lines, *names, *traces))


async def correct_log(transaction: Transaction, lines: Sequence[tuple[int, int, int, int]]) -> None:
    """Rewrites lines of the log: (user, version, previous state, state)."""
    await transaction.execute(_CORRECT, **columns(lines, "users", "versions", "was", "states"))


async def remove_unchanging(transaction: Transaction, users: Sequence[int], since: int) -> None:
    """Removes the lines of these users' log, from a version on, that changed nothing."""
    await transaction.execute(_TIDY, users=users, since=since)
