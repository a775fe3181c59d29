"""On a distributed Postgres, statements lock rows in one order, and those with another text give the same rows."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from pydantic import SecretStr
from sqlalchemy import text

from models.counters import EntityRef
from settings import USERS, Settings
from store.cache.lists import Item
from store.content import big_accounts, comment_rows, fanouts, hot_comments, inboxes, post_rows
from store.content.entities import EntityStore
from store.people import held_handles
from store.postgres.client import Postgres, connect
from store.postgres.distributed import split
from store.write_log import operations
from store.write_log.operations import Operation
from tests.support.stores import standalone
from tests.support.system import System

Run = Callable[[Postgres], Awaitable[object]]

IDS = range(1, 41)
NOTHING_LEFT = [
    text(f"DELETE FROM {table}")  # noqa: S608 - constants
    for table in (
        "posts",
        "outboxes",
        "reposts",
        "following",
        "followers",
        "fanouts",
        "comments",
        "comment_contents",
        "handles",
        "entity_keys",
        "entities",
    )
]
ROWS = [
    text("""
        INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                           audit_version, version)
        SELECT i, i, i, 'text', '[]', '{}', 1, false, 0, 0, 0 FROM generate_series(1, 40) AS i
    """),
    text("""
        INSERT INTO outboxes (author_id, post_id, moment, state, pushed)
        SELECT i % 20, i, 7919 * i % 1000, CASE WHEN i % 9 = 0 THEN 0 ELSE 1 END, i % 20 > 4
        FROM generate_series(1, 400) AS i
    """),
    text("""
        INSERT INTO reposts (user_id, post_id, stands, version, pushed)
        SELECT i % 20, i, i % 7 > 0, (7919 * i % 1000)::bigint << 20, i % 20 > 4 FROM generate_series(1, 300) AS i
    """),
    text("""
        INSERT INTO following (user_id, followee_id, moment)
        SELECT u, a, a FROM generate_series(1, 2) AS u CROSS JOIN generate_series(u, 20, u) AS a
    """),
    text("""
        INSERT INTO followers (user_id, follower_id, moment)
        SELECT a, u, a FROM generate_series(1, 8) AS a CROSS JOIN generate_series(100, 100 + 3 * a) AS u
    """),
    text("""
        INSERT INTO fanouts (author_id, post_id, partition, moment, since_ms)
        SELECT i, 10 * i, i % 4, i, 1000 FROM generate_series(1, 10) AS i
    """),
    text("""
        INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score,
                              score_version)
        SELECT 1, i % 10, i, CASE WHEN i > 10 THEN i % 10 + 10 * (i % 10 = 0)::int ELSE 0 END, i, i, 1, i, i % 3
        FROM generate_series(1, 40) AS i
    """),
    text("""
        INSERT INTO comment_contents (comment_id, subject_business, subject_id, root_id, author_id, moment, text,
                                      status, deleted, answered, content_version, audit_version, version)
        SELECT comment_id, 1, subject_id, nullif(root_id, 0), author_id, moment, 'text', 1, false, false, 0, 0, 0
        FROM comments
    """),
]
ENTITIES = [
    text(
        "INSERT INTO entity_keys (business_id, key, entity_id) SELECT 1, 'k' || i, i FROM generate_series(1, 40) AS i"
    ),
    text("INSERT INTO entities (business_id, entity_id, key) SELECT 1, i, 'k' || i FROM generate_series(1, 40) AS i"),
]
HANDLES = text("""
    INSERT INTO handles (handle, user_id, freed_at)
    VALUES ('used', 1, NULL), ('freed', 1, now()), ('old', 1, now() - interval '3 days')
""")
WAITS = text("SELECT waiting_gpid FROM citus_lock_waits LIMIT 1")
RAISE = text("UPDATE posts SET version = version + 1 WHERE post_id = ANY(CAST(:ids AS bigint[]))")
VERSIONS = text("SELECT CAST(sum(version) AS bigint) FROM posts")
FANOUTS = text("SELECT author_id, post_id, reached FROM fanouts")
SCORES = text("SELECT comment_id, score, score_version FROM comments")


async def fill(postgres: Postgres) -> None:
    for statement in (*NOTHING_LEFT, *ROWS, *ENTITIES):
        await postgres.write(statement)


@pytest_asyncio.fixture
async def citus(coordinator: str) -> AsyncIterator[Postgres]:
    """Yields a client of a distributed Postgres with some rows in each shard."""
    postgres = connect(Settings(database_url=coordinator, jwt_secret=SecretStr("s" * 32), database_timeout=60), "test")
    await fill(postgres)
    yield postgres
    await postgres.close()


@pytest.mark.timeout(300)
async def test_a_transaction_that_waits_for_a_lock_reads_the_newest_rows(citus: Postgres) -> None:
    async def read() -> dict[int, int]:
        async with citus.transaction() as transaction:
            return {id_: row.version for id_, row in (await post_rows.lock(transaction, IDS)).items()}

    async with citus.transaction() as transaction:
        assert transaction.is_distributed
        await post_rows.lock(transaction, IDS)
        reading = asyncio.create_task(read())
        async with asyncio.timeout(20):
            while not await citus.read(WAITS):
                await asyncio.sleep(0.05)
        await transaction.execute(RAISE, ids=[*IDS])

    assert await reading == dict.fromkeys(IDS, 1)


@pytest.mark.timeout(300)
async def test_transactions_that_lock_the_same_rows_do_not_deadlock(citus: Postgres) -> None:
    async def change(choice: random.Random) -> None:
        for _ in range(20):
            ids = choice.sample(IDS, 10)
            async with citus.transaction() as transaction:
                assert (await post_rows.lock(transaction, ids)).keys() == {*ids}
                await transaction.execute(RAISE, ids=ids)

    await asyncio.gather(*(change(random.Random(seed)) for seed in range(4)))

    assert await citus.read(VERSIONS) == [(4 * 20 * 10,)]


async def _advance(postgres: Postgres) -> object:
    due = await fanouts.due(postgres, range(4), chunk=12, most=60)
    async with postgres.transaction() as transaction:
        await fanouts.advance(transaction, [chunk for chunk in due if chunk.author_id != 3])
    left = await postgres.read(FANOUTS)
    return [chunk._replace(followers=sorted(chunk.followers)) for chunk in due], sorted(map(tuple, left))


async def _lock(postgres: Postgres) -> object:
    async with postgres.transaction() as transaction:
        return await comment_rows.lock(transaction, [3, 15, 26, 37, 99])


async def _answered(postgres: Postgres) -> object:
    async with postgres.transaction() as transaction:
        locked = await comment_rows.lock(transaction, range(1, 11))
        return await comment_rows.answered(transaction, locked.values(), [12, 22, 32])


async def _score(postgres: Postgres) -> object:
    scores = [(EntityRef(1, id_ % 10), id_, 5 * id_, 1) for id_ in range(1, 60)]
    async with postgres.transaction() as transaction:
        written = await hot_comments.write(transaction, scores)
    return sorted(written), sorted(map(tuple, await postgres.read(SCORES)))


async def _followed(postgres: Postgres) -> object:
    return [
        await inboxes.followed_page(postgres, EntityRef(USERS, user_id), before, count)
        for user_id in (1, 2, 3)
        for before in (None, Item(500, 200))
        for count in (1, 7, 100)
    ]


async def _followed_reposts(postgres: Postgres) -> object:
    return [
        await inboxes.followed_reposts(postgres, EntityRef(USERS, user_id), before, count)
        for user_id in (1, 2, 3)
        for before in (None, Item(500 << 10, 200))
        for count in (1, 7, 100)
    ]


async def _above(postgres: Postgres) -> object:
    wanted = {"users": [1, 1, 2], "authors": [5, 6, 7], "floors": [0, 300, 500]}
    both = inboxes._POSTS_ABOVE, inboxes._REPOSTS_ABOVE
    return [sorted(map(tuple, await postgres.read(statement, **wanted, count=6))) for statement in both]


async def _named(postgres: Postgres) -> object:
    wanted = [(1, f"k{number}") for number in (1, 7, 30, 41)]
    found = await EntityStore(postgres, {1: "video"}).by_key(wanted)
    return found, await EntityStore(postgres, {1: "video"}).by_key(wanted[-1:])


async def _claim(postgres: Postgres) -> object:
    claimed = []
    for user_id in (1, 2):
        await postgres.write(text("DELETE FROM handles"))
        await postgres.write(HANDLES)
        for handle in ("used", "freed", "freed", "old", "old", "new", "new"):
            async with postgres.transaction() as transaction:
                claimed.append(await held_handles.claim(transaction, handle, user_id, hold=86_400))
    assert claimed[:7] == [False, True, False, True, False, True, False]
    assert claimed[7:] == [False, False, False, True, False, True, False]
    return claimed


async def _adopt(postgres: Postgres) -> object:
    """Stores a record twice, with a life of no time and of a minute, and takes the records."""
    stored = []
    async with postgres.transaction() as transaction:
        await operations.clear(transaction)
        for life_ms in (0, 60_000, 60_000):
            operation = Operation("like key", "fingerprint", life_ms)
            stored.append(await operations.remember(transaction, 1, operation, b"OK", 1))
        ((actor, _, record, *_, life),) = await transaction.execute(operations._TAKE, most=10)
        assert await transaction.execute(operations._TAKE, most=10) == []
    return stored, actor, record, 50_000 < life <= 60_000


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "run",
    [
        _advance,
        _lock,
        _answered,
        _score,
        _followed,
        _followed_reposts,
        _above,
        _named,
        _claim,
        _adopt,
        big_accounts.newest,
    ],
)
@standalone
async def test_the_rows_are_those_of_a_plain_postgres(system: System, citus: Postgres, run: Run) -> None:
    await fill(system.state.postgres)

    expected = await run(system.state.postgres)

    assert expected
    assert await run(citus) == expected


def test_arrays_are_split_by_shard_and_keep_their_order() -> None:
    parameters = {"ids": [1, 2, 3, 4], "scores": [10, 20, 30, 40], "most": 5}

    parts = split(parameters, [8, 7, 8, 7])

    assert parts == [
        {"ids": [2, 4], "scores": [20, 40], "most": 5},
        {"ids": [1, 3], "scores": [10, 30], "most": 5},
    ]


def test_no_values_are_in_no_shard() -> None:
    assert split({"ids": []}, []) == []
