"""The rows of a user's boundaries: blocks, mutes, muted threads, followed topics and entities, preferences, hidden
posts and muted words. A write leaves a row unchanged if its stored version is higher.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import text

from domain.versions import moment_of
from models.boundaries import BLOCK, MUTE, THREAD, Boundaries
from models.content_follows import CONTENT_FOLLOW, ContentFollow, name_in, text_of
from models.counters import EntityRef
from models.hidden_posts import HIDDEN_POST, LESS, HiddenPost
from models.muted_words import MUTED_WORDS, WORDS_REF
from models.own_sets import Member
from models.preferences import PREFERENCE
from settings import POSTS, USERS
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns

OWN = (BLOCK, MUTE, THREAD, CONTENT_FOLLOW, PREFERENCE, HIDDEN_POST, MUTED_WORDS)
"""The kinds of a user's own sets among the boundaries, in the order in which boundaries.lua reads them."""
BLOCKER = "blocker"
"""The kind of the set of users who block a user."""
MOST_BLOCKERS = 2000
"""Up to this many users who block the same user are cached together. For more, each author is looked up."""

_OF_USER = text(f"""
    SELECT 'block' AS what, 0 AS business, blocked_id AS other, 1 AS state, version, '' AS name
    FROM blocks WHERE user_id = :user AND stands
    UNION ALL
    SELECT 'mute', 0, muted_id, until_ms, version, '' FROM mutes WHERE user_id = :user AND until_ms > :now_ms
    UNION ALL
    SELECT 'thread', business_id, entity_id, 1, version, '' FROM thread_mutes WHERE user_id = :user AND stands
    UNION ALL
    SELECT 'content_follow', business_id, entity_id, 1, version, name
    FROM content_follows WHERE user_id = :user AND stands
    UNION ALL
    SELECT 'preference', 0, preference, 1, version, '' FROM preferences WHERE user_id = :user AND stands
    UNION ALL
    SELECT 'hidden_post', {POSTS}, post_id, state, version, '' FROM hidden_posts WHERE user_id = :user AND state > 0
    UNION ALL
    SELECT 'muted_words', 0, {WORDS_REF.entity_id}, 1, version, words
    FROM muted_words WHERE user_id = :user AND words <> ''
    UNION ALL
    (SELECT 'blocker', 0, blocker_id, 1, version, '' FROM blocked_by WHERE user_id = :user AND stands LIMIT :most)
""")  # noqa: S608 - constants
_AMONG = {
    BLOCK: text("""
        SELECT 0 AS business, b.blocked_id AS other, 1 AS state, b.version, '' AS name
        FROM unnest(CAST(:others AS bigint[])) AS wanted(blocked_id) JOIN blocks b USING (blocked_id)
        WHERE b.user_id = :user AND b.stands
    """),
    MUTE: text("""
        SELECT 0 AS business, m.muted_id AS other, m.until_ms AS state, m.version, '' AS name
        FROM unnest(CAST(:others AS bigint[])) AS wanted(muted_id) JOIN mutes m USING (muted_id)
        WHERE m.user_id = :user AND m.until_ms > 0
    """),
    THREAD: text("""
        SELECT t.business_id AS business, t.entity_id AS other, 1 AS state, t.version, '' AS name
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:others AS bigint[])) AS wanted(business_id, entity_id)
        JOIN thread_mutes t USING (business_id, entity_id)
        WHERE t.user_id = :user AND t.stands
    """),
    CONTENT_FOLLOW: text("""
        SELECT f.business_id AS business, f.entity_id AS other, 1 AS state, f.version, f.name
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:others AS bigint[])) AS wanted(business_id, entity_id)
        JOIN content_follows f USING (business_id, entity_id)
        WHERE f.user_id = :user AND f.stands
    """),
    PREFERENCE: text("""
        SELECT 0 AS business, preference AS other, 1 AS state, version, '' AS name
        FROM preferences WHERE user_id = :user AND preference = ANY(CAST(:others AS bigint[])) AND stands
    """),
    HIDDEN_POST: text(f"""
        SELECT {POSTS} AS business, post_id AS other, state, version, '' AS name
        FROM hidden_posts WHERE user_id = :user AND post_id = ANY(CAST(:others AS bigint[])) AND state > 0
    """),  # noqa: S608 - constants
    MUTED_WORDS: text(f"""
        SELECT 0 AS business, {WORDS_REF.entity_id} AS other, 1 AS state, version, words AS name
        FROM muted_words
        WHERE user_id = :user AND words <> '' AND {WORDS_REF.entity_id} = ANY(CAST(:others AS bigint[]))
    """),  # noqa: S608 - constants
}
_COUNT = {
    BLOCK: text("SELECT count(*) FROM blocks WHERE user_id = :user AND stands"),
    MUTE: text("SELECT count(*) FROM mutes WHERE user_id = :user AND until_ms > :now_ms"),
    THREAD: text("SELECT count(*) FROM thread_mutes WHERE user_id = :user AND stands"),
    CONTENT_FOLLOW: text("SELECT count(*) FROM content_follows WHERE user_id = :user AND stands"),
    PREFERENCE: text("SELECT count(*) FROM preferences WHERE user_id = :user AND stands"),
    HIDDEN_POST: text("SELECT count(*) FROM hidden_posts WHERE user_id = :user AND state > 0"),
    MUTED_WORDS: text("SELECT count(*) FROM muted_words WHERE user_id = :user AND words <> ''"),
}
_BLOCKERS_AMONG = text("""
    SELECT blocker_id, version FROM blocked_by
    WHERE user_id = :user AND blocker_id = ANY(CAST(:others AS bigint[])) AND stands
""")
_BLOCKS = text("""
    SELECT b.user_id, b.blocked_id, b.stands, b.version
    FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[])) AS wanted(user_id, blocked_id)
    JOIN blocks b USING (user_id, blocked_id)
""")
_WRITE_BLOCKS = text("""
    INSERT INTO blocks AS b (user_id, blocked_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, blocked_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= b.version
""")
_WRITE_BLOCKED_BY = text("""
    INSERT INTO blocked_by AS b (user_id, blocker_id, stands, version)
    SELECT * FROM unnest(CAST(:others AS bigint[]), CAST(:users AS bigint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, blocker_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= b.version
""")
_WRITE_MUTES = text("""
    INSERT INTO mutes AS m (user_id, muted_id, until_ms, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[]), CAST(:untils AS bigint[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, muted_id) DO UPDATE SET until_ms = excluded.until_ms, version = excluded.version
    WHERE excluded.version >= m.version
""")
_WRITE_THREADS = text("""
    INSERT INTO thread_mutes AS t (user_id, business_id, entity_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:stands AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= t.version
""")

Block = tuple[int, int, bool, int]
"""A user, another user, whether the first blocks the second, and the version of the change."""
Mute = tuple[int, int, int, int]
"""A user, another user, the end of the mute in milliseconds since the Unix epoch, and the version of the change."""

ThreadMute = tuple[int, int, int, bool, int]
"""A user, the business and the id of a thread, whether the user mutes the thread, and the version of the change."""


class StoredBoundaries(NamedTuple):
    """The boundaries of one user in Postgres: the user's own sets by kind (`OWN`), and, in `marks`, the moments of the
    blocks by other users who block the user. At most `MOST_BLOCKERS` + 1 of these are read.
    """

    own: dict[str, list[Member]]
    marks: dict[int, int]

    @property
    def has_all_blockers(self) -> bool:
        """Returns whether `marks` has all users who block the user."""
        return len(self.marks) <= MOST_BLOCKERS

    @property
    def boundaries(self) -> Boundaries:
        """Returns these boundaries in the form that readers use. `blockers` is None if not all blockers were read."""
        return Boundaries(
            {member.ref.entity_id: member.moment for member in self.own[BLOCK]},
            {member.ref.entity_id: member.state for member in self.own[MUTE]},
            {member.ref: member.moment for member in self.own[THREAD]},
            {member.ref: ContentFollow(member.moment, name_in(member.text)) for member in self.own[CONTENT_FOLLOW]},
            frozenset(member.ref.entity_id for member in self.own[PREFERENCE]),
            {member.ref.entity_id: HiddenPost(member.moment, member.state == LESS) for member in self.own[HIDDEN_POST]},
            "".join(name_in(member.text) for member in self.own[MUTED_WORDS]),
            frozenset(self.marks) if self.has_all_blockers else None,
        )


async def stored(source: Reader, user_id: int, now_ms: int) -> StoredBoundaries:
    """Reads the boundaries of a user. Mutes that have ended at `now_ms` are left out."""
    rows = await source.read(_OF_USER, user=user_id, now_ms=now_ms, most=MOST_BLOCKERS + 1)
    sets: dict[str, list[Member]] = {what: [] for what in (*OWN, BLOCKER)}
    for what, *row in rows:
        sets[what].append(_member(*row))
    marks = {member.ref.entity_id: member.moment for member in sets.pop(BLOCKER)}
    return StoredBoundaries(sets, marks)


def own_rows(kind: str) -> Callable[..., Awaitable[Sequence[Member]]]:
    """Returns the function that reads, from rows, members of a user's own set of this kind, one of `OWN`
    (`store.own_sets.kind.ReadRows`).
    """

    async def read(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> Sequence[Member]:
        if newest:
            return (await stored(source, user_id, 0)).own[kind]
        wanted = columns(refs, "businesses", "others")
        if kind not in (THREAD, CONTENT_FOLLOW):
            del wanted["businesses"]
        return [_member(*row) for row in await source.read(_AMONG[kind], user=user_id, **wanted)]

    return read


def _member(business: int, other: int, state: int, version: int, name: str) -> Member:
    return Member(moment_of(version), EntityRef(business or USERS, other), state, text_of(name))


def count(kind: str) -> Callable[[Reader, int, int], Awaitable[int]]:
    """Returns the function that counts, in rows, the members of a user's own set of this kind, one of `OWN`
    (`store.own_sets.kind.CountRows`).
    """

    async def read(source: Reader, user_id: int, now_ms: int) -> int:
        more = {"now_ms": now_ms} if kind == MUTE else {}
        return int((await source.read(_COUNT[kind], user=user_id, **more))[0][0])

    return read


async def marks(postgres: Postgres, user_id: int, others: Sequence[int], *, complete: bool) -> dict[int, int]:
    """Returns the moments at which other users blocked the user `user_id`, by blocker. Looks up those of `others` who
    block the user; with `complete`, also reads all other blockers, but at most `MOST_BLOCKERS` + 1.
    """
    found = (await stored(postgres, user_id, 0)).marks if complete else {}
    rows = await postgres.read(_BLOCKERS_AMONG, user=user_id, others=others)
    return found | {row.blocker_id: moment_of(row.version) for row in rows}


class StoredBlock(NamedTuple):
    """The row of a block: whether the block is active, and the version of its last change."""

    stands: bool
    version: int


async def blocks(source: Reader, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], StoredBlock]:
    """Reads the rows of blocks by (blocker, blocked user). Leaves out pairs without a row."""
    rows = await source.read(_BLOCKS, **columns(pairs, "users", "others")) if pairs else ()
    return {(row.user_id, row.blocked_id): StoredBlock(row.stands, row.version) for row in rows}


async def blockers_among(source: Reader, user_id: int, others: Sequence[int]) -> set[int]:
    """Reads from Postgres which of `others` block the user. Returns their ids."""
    return {row.blocker_id for row in await source.read(_BLOCKERS_AMONG, user=user_id, others=others)}


async def write_blocks(transaction: Transaction, rows: Sequence[Block]) -> None:
    """Writes blocks to the lists of both users: those that the first blocks, and those that block the second. `rows`
    have each pair of users at most once.
    """
    values = columns(sorted(rows), "users", "others", "stands", "versions")
    await transaction.execute(_WRITE_BLOCKS, **values)
    await transaction.execute(_WRITE_BLOCKED_BY, **columns(sorted(rows, key=_by_blocked), *values))


async def write_mutes(transaction: Transaction, rows: Sequence[Mute]) -> None:
    """Writes mutes. `rows` have each pair of users at most once."""
    await transaction.execute(_WRITE_MUTES, **columns(sorted(rows), "users", "others", "untils", "versions"))


async def write_thread_mutes(transaction: Transaction, rows: Sequence[ThreadMute]) -> None:
    """Writes mutes of threads. `rows` have each pair of a user and a thread at most once."""
    values = columns(sorted(rows), "users", "businesses", "entities", "stands", "versions")
    await transaction.execute(_WRITE_THREADS, **values)


def _by_blocked(row: Sequence[Any]) -> tuple[int, int]:
    return row[1], row[0]
