"""Measures an entity with very many comments: how much slower a deep page is than page 1, and how many rows an uncached
page reads.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import orjson

from bench import asked
from bench.client import Client, connected, graphql
from bench.machine import Machine
from bench.results import Result, compared, plain
from bench.rounds import Turn, alternate
from models.entities import EntityRow

PAGE = """query ($business: String!, $key: String!, $sort: CommentSort!, $after: String) {
  entity(business: $business, key: $key) { comments(sort: $sort, first: 20, after: $after) {
    nodes { id text floor createdAt likeCount replyCount viewerReaction author { id handle displayName } }
    pageInfo { hasNextPage endCursor }
  } }
}"""
_SORTS = ("HOT", "NEWEST")
_DAY_MS = 86_400_000
_INDEX = """
    INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
    SELECT $1::smallint, $2::bigint, i, 0, $3::bigint, $4::bigint + 1024 * i, 1,
           $4::bigint + 1024 * (i * 7919 % $5::bigint)
    FROM generate_series(1, $5::bigint) AS i ON CONFLICT DO NOTHING
"""
_CONTENTS = """
    INSERT INTO comment_contents (comment_id, subject_business, subject_id, author_id, moment, text, status, deleted,
                                  floor, answered, content_version, audit_version, version)
    SELECT comment_id, subject_business, subject_id, author_id, moment, 'Comment number ' || comment_id, 1, false,
           comment_id, false, 1, 1, 1
    FROM comments WHERE (subject_business, subject_id) = ($1::smallint, $2::bigint) ON CONFLICT DO NOTHING
"""
_READ = """
    SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('comments', 'comment_contents'))
         + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ('comments', 'comment_contents'))
"""
_STATISTICS_SECONDS = 11.0
"""The number of seconds after which Postgres connections have reported their statistics."""


async def measure(machine: Machine) -> list[Result]:
    """Measures the rows that uncached pages read, the Redis commands of page 1 and of a deep page, and pages per second
    of both.
    """
    async with reading(machine) as (client, connection):
        return [*await cold(machine, client, connection), *await deep(machine, client)]


async def cold(machine: Machine, client: Client, connection: asyncpg.Connection) -> list[Result]:
    """Measures how many index entries and rows Postgres reads for a page that is not cached, in each order of the
    comments.
    """
    results: list[Result] = []
    before = await _read(connection)
    for sort in _SORTS:
        await client.ask(_request(machine, sort))
        now = await _read(connection)
        results.append(plain("thread", f"rows read by a cold first page, {sort}", now - before))
        before = now
    return results


async def deep(machine: Machine, client: Client) -> list[Result]:
    """Measures a deep page against page 1 when everything is cached: the Redis commands of each, and
    pages per second.
    """
    results: list[Result] = []
    number = machine.sizes.deep_page
    for sort in _SORTS:
        pages = [_request(machine, sort), _request(machine, sort, await _cursor(machine, client, sort, number))]
        for name, page in zip(("page 1", f"page {number}"), pages, strict=True):
            await client.ask(page)
            commands = sum((await asked.commands(machine, client, page)).values())
            results.append(plain("thread", f"commands of {name}, {sort}", commands))
        first, last = await alternate(machine.sizes.rounds, *[_turn(machine, client, page) for page in pages])
        results.append(compared("thread", f"page {number}/s, against page 1, {sort}", last, first))
    return results


@asynccontextmanager
async def reading(machine: Machine) -> AsyncIterator[tuple[Client, asyncpg.Connection]]:
    """Writes the comments. Yields a client of the API, and a connection that reads the statistics of Postgres."""
    connection = await machine.connect("public")
    try:
        await _write(machine, connection, _subject(machine))
        async with connected(machine.api_port, machine.sizes.page_connections) as client:
            yield client, connection
    finally:
        await connection.close()


async def _write(machine: Machine, connection: asyncpg.Connection, subject: EntityRow) -> None:
    """Writes the comments on the entity `subject` as approved rows, unless they exist. The hottest comments are not the
    newest.
    """
    of, author = (subject.business_id, subject.entity_id), machine.community.people[1].user_id
    count = machine.sizes.thread
    began = (machine.state.now_ms() - _DAY_MS - count) << 10
    await connection.execute(_INDEX, *of, author, began, count)
    await connection.execute(_CONTENTS, *of)
    await connection.execute("ANALYZE comments, comment_contents")


def _subject(machine: Machine) -> EntityRow:
    return machine.community.entities[-1]


def _request(machine: Machine, sort: str, after: str | None = None) -> bytes:
    subject, viewer = _subject(machine), machine.community.people[0]
    variables = {"business": subject.business, "key": subject.key, "sort": sort, "after": after}
    return graphql(viewer.token, PAGE, variables)


async def _cursor(machine: Machine, client: Client, sort: str, number: int) -> str:
    """Returns the cursor after which the page with this number begins."""
    after: str | None = None
    for _ in range(number - 1):
        answer = orjson.loads(await client.ask(_request(machine, sort, after)))
        after = answer["data"]["entity"]["comments"]["pageInfo"]["endCursor"]
    assert after is not None
    return after


async def _read(connection: asyncpg.Connection) -> int:
    """Returns how many index entries and rows of comments Postgres has read so far."""
    await asyncio.sleep(_STATISTICS_SECONDS)
    await connection.execute("SELECT pg_stat_clear_snapshot()")
    return int(await connection.fetchval(_READ))


def _turn(machine: Machine, client: Client, page: bytes) -> Turn:
    async def rate() -> float:
        return (await client.flood(itertools.repeat(page), b'"hasNextPage":true', machine.sizes.round_seconds)).rate

    return rate
