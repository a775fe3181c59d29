"""The rows of users' reactions, and the log of the changes that users requested."""

from collections.abc import Sequence

from sqlalchemy import text

from models.likes import STATE, Reaction
from store.postgres.client import Postgres, Rows, Transaction
from store.postgres.columns import columns

# prev_state, prev_kinds and prev_owner_id return the values that this statement replaced in each row. A CTE that reads
# the rows before could return other values: with concurrent writes, its snapshot is older than the rows that are
# updated. A state is stored as two columns (models/likes.py).
_UPSERT = text(f"""
    INSERT INTO reactions AS r (user_id, business_id, entity_id, owner_id, state, kinds, version)
    SELECT user_id, business_id, entity_id, owner_id, CAST(state & 3 AS smallint), nullif(state >> 2, 0), version
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                CAST(:owners AS bigint[]), CAST(:states AS bigint[]), CAST(:versions AS bigint[]))
         AS w(user_id, business_id, entity_id, owner_id, state, version)
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        prev_state = r.state, prev_kinds = r.kinds, prev_owner_id = r.owner_id,
        had_liked = r.had_liked OR r.state IN ({Reaction.LIKE:d}, {Reaction.OTHER:d}),
        owner_id = excluded.owner_id, state = excluded.state, kinds = excluded.kinds, version = excluded.version
    WHERE r.version < excluded.version
    RETURNING user_id, business_id, entity_id, had_liked, prev_state | (coalesce(prev_kinds, 0) << 2), prev_owner_id,
              {STATE}, owner_id
""")  # noqa: S608 - constants
_LOG = text("""
    INSERT INTO like_log (user_id, version, business_id, entity_id, owner_id, verb, source, ip, device, client)
    SELECT user_id, version, business_id, entity_id, owner_id, verb, source, CAST(ip AS inet), device, client
    FROM unnest(CAST(:users AS bigint[]), CAST(:versions AS bigint[]), CAST(:businesses AS smallint[]),
                CAST(:entities AS bigint[]), CAST(:owners AS bigint[]), CAST(:verbs AS text[]),
                CAST(:sources AS text[]), CAST(:ips AS text[]), CAST(:devices AS text[]), CAST(:clients AS text[]))
         AS l(user_id, version, business_id, entity_id, owner_id, verb, source, ip, device, client)
    ON CONFLICT (user_id, version) DO NOTHING
""")
_REMOVE_REPETITIONS = text("""
    DELETE FROM like_log l
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND version > :since AND verb = (
        SELECT b.verb FROM like_log b
        WHERE b.user_id = l.user_id AND b.business_id = l.business_id AND b.entity_id = l.entity_id
          AND b.version < l.version
        ORDER BY b.version DESC LIMIT 1)
""")
_STATES = text(f"""
    SELECT r.user_id, r.business_id, r.entity_id, {STATE}, r.moment
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]))
         AS wanted(user_id, business_id, entity_id)
    JOIN reactions r USING (user_id, business_id, entity_id)
""")  # noqa: S608 - constants

ReactionKey = tuple[int, int, int]
"""The key of a row: user, business, entity."""
ReactionRow = tuple[int, int, int, int | None, int, int]
"""A user's reaction to an entity: user, business, entity, owner, state, version."""
LogLine = tuple[int, int, int, int, int | None, str, str | None, str | None, str | None, str | None]
"""A line of the log of likes, which is a change that a user requested: user, version, business, entity, owner, verb,
and the client that sent it: source, IP address, device, client name.
"""


async def write_reactions(transaction: Transaction, rows: Sequence[ReactionRow]) -> Rows:
    """Writes reactions, except those whose stored rows have the same or a higher version.

    Returns the written rows: (user, business, entity, whether the user had ever reacted to the entity before, other
    than with a dislike, previous state, previous owner, state, owner).
    """
    names = "users", "businesses", "entities", "owners", "states", "versions"
    return await transaction.execute(_UPSERT, **columns(rows, *names))


async def write_log(transaction: Transaction, lines: Sequence[LogLine]) -> None:
    """Adds lines to the log of requested reactions. Lines that are in the log already stay as they are."""
    names = "users", "versions", "businesses", "entities", "owners", "verbs"
    traces = "sources", "ips", "devices", "clients"
    await transaction.execute(_LOG, **columns(lines, *names, *traces))


async def remove_repetitions(transaction: Transaction, users: Sequence[int], since: int) -> None:
    """Removes lines of these users with versions higher than `since` from the log of likes, if they repeat the verb of
    the user's previous line about the same entity.
    """
    await transaction.execute(_REMOVE_REPETITIONS, users=users, since=since)


async def states_of(postgres: Postgres, places: Sequence[tuple[int, int, int]]) -> Rows:
    """Reads reactions from rows. `places` are (user, business, entity). Returns (user, business, entity, state, moment
    of the last change) for each place that has a row.
    """
    if not places:
        return []
    return await postgres.read(_STATES, **columns(places, "users", "businesses", "entities"))
