"""Measures what the deletion of a large account costs other users, and how fast workers delete the account.

Other users send requests without a pause: likes, and pages of an entity. So the API competes with the workers for the
CPU.
"""

import asyncio
import itertools
import secrets
import time
from collections.abc import Iterator
from statistics import quantiles
from typing import NamedTuple

import commands.users
from bench.client import Client, Connection, Unexpected, connected, graphql
from bench.community import BUSINESS, Person
from bench.hot import ENTITY
from bench.likes import LIKE
from bench.machine import Machine
from bench.results import Result, compared, plain
from commands.users import NewUser
from identity import auth
from models.counters import CounterKind
from settings import USERS
from store.people import deletions

_REACTIONS, _POSTS, _COMMENTS = 60_000, 6_000, 6_000
"""The numbers of likes, posts and comments of an account of size 1."""
_DELETE = """mutation { deleteUser(input: {mode: ERASE, graceDays: 0}) { deletion { state } userErrors { code } } }"""
_LIKED = """
    INSERT INTO reactions (user_id, business_id, entity_id, state, version)
    SELECT $1::bigint, $2::smallint, i, 1, i FROM generate_series(1, $3::bigint) AS i
"""
_COUNTED = """
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT $1::smallint, i, 1, 1, 1 FROM generate_series(1, $2::bigint) AS i
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = 1
"""
_POSTS_WRITTEN = """
    INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                       audit_version, version)
    SELECT i, $1::bigint, $2::bigint + 1024 * i, 'Post number ' || i, '[]', '{}', 1, false, 1, 1, 1
    FROM generate_series(1, $3::bigint) AS i
"""
_LISTED = """
    INSERT INTO outboxes (author_id, post_id, moment, state, pushed)
    SELECT author_id, post_id, moment, 1, false FROM posts WHERE author_id = $1::bigint
"""
_SHOWN = """
    INSERT INTO topic_posts (topic_id, post_id, moment, score)
    SELECT 0, post_id, moment, moment FROM posts WHERE author_id = $1::bigint
"""
_REMARKS = """
    INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
    SELECT $1::smallint, $2::bigint, $3::bigint + i, 0, $4::bigint, $5::bigint + 1024 * i, 1, $5::bigint + 1024 * i
    FROM generate_series(1, $6::bigint) AS i
"""
_CONTENTS = """
    INSERT INTO comment_contents (comment_id, subject_business, subject_id, author_id, moment, text, status, deleted,
                                  floor, answered, content_version, audit_version, version)
    SELECT comment_id, subject_business, subject_id, author_id, moment, 'Comment number ' || comment_id, 1, false,
           comment_id - $2::bigint, false, 1, 1, 1
    FROM comments WHERE author_id = $1::bigint
"""
_TOTALS = """
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    VALUES ($1::smallint, $2::bigint, $3::smallint, $4::bigint, 1)
    ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = counters.value + excluded.value
"""
_DAY_MS = 86_400_000
_FIRST_COMMENT = 1_000_000_000
"""The ids of comments are higher than this, because the section `thread` writes comments with lower ids."""
_WRONG = "SELECT count(*) FROM counters WHERE kind = 1 AND value <> 0 AND entity_id <= $1"


class _Window(NamedTuple):
    """The responses to other users within `account_seconds`: responses per second, and the 99th percentile of their
    times in milliseconds.
    """

    rate: float
    p99: float


class _Progress(NamedTuple):
    """The number of changes and rows that are removed `seconds` after the request for the deletion."""

    seconds: float
    removed: int


async def measure(machine: Machine) -> list[Result]:
    """Deletes an account of the size `sizes.account`. Compares the requests of other users during the deletion with
    those before, and measures how many changes and rows workers remove per second.
    """
    size, requests = machine.sizes.account, _requests(machine)
    reactions, posts, remarks = (round(size * count) for count in (_REACTIONS, _POSTS, _COMMENTS))
    leaver = await _registered(machine)
    await _fill(machine, leaver, reactions, posts, remarks)
    with machine.worker():
        async with connected(machine.api_port, machine.sizes.page_connections) as client:
            await _window(machine, client, requests)  # fills caches
            before = [await _window(machine, client, requests) for _ in range(machine.sizes.rounds)]
            during, progress = await _delete(machine, client, leaver, requests)
    connection = await machine.connect("public")
    assert await connection.fetchval(_WRONG, reactions) == 0, "the counters are wrong"
    await connection.close()
    some = [during[at * len(during) // len(before)] for at in range(len(before))]
    undone = [one for one in progress if one.removed <= reactions + posts + remarks]
    quarter = max(2, len(undone) // 4)
    return [
        compared("deletion", "requests/s of others, during against before", *_columns(some, before, 0)),
        compared("deletion", "ms to answers of others (p99), during against before", *_columns(some, before, 1)),
        plain("deletion", "s from the request until nothing is left", progress[-1].seconds),
        plain("deletion", "changes and rows removed", progress[-1].removed),
        plain("deletion", "changes undone/s, first quarter", _rate(undone[:quarter])),
        plain("deletion", "changes undone/s, last quarter", _rate(undone[-quarter:])),
    ]


def _columns(during: list[_Window], before: list[_Window], at: int) -> tuple[list[float], list[float]]:
    return [one[at] for one in during], [one[at] for one in before]


def _rate(progress: list[_Progress]) -> float:
    first, last = progress[0], progress[-1]
    return (last.removed - first.removed) / max(last.seconds - first.seconds, 0.001)


async def _registered(machine: Machine) -> Person:
    """Registers the user who is deleted. Another run of the section deletes another user."""
    settings, subject = machine.settings, f"leaver{secrets.token_hex(4)}"
    (user_id,) = await commands.users.ensure(
        machine.state, [NewUser((settings.issuer, subject), [subject], None, None)]
    )
    return Person(user_id, subject, auth.mint(settings, subject))


async def _fill(machine: Machine, leaver: Person, reactions: int, posts: int, remarks: int) -> None:
    """Writes the rows and counters of the account: likes of entities that nobody else likes, public posts, and comments
    on one entity.
    """
    user, subject = leaver.user_id, machine.community.entities[-1]
    began = (machine.state.now_ms() - _DAY_MS) << 10
    connection = await machine.connect("public")
    await connection.execute(_LIKED, user, subject.business_id, reactions)
    await connection.execute(_COUNTED, subject.business_id, reactions)
    await connection.execute(_POSTS_WRITTEN, user, began, posts)
    await connection.execute(_LISTED, user)
    await connection.execute(_SHOWN, user)
    of = subject.business_id, subject.entity_id
    await connection.execute(_REMARKS, *of, _FIRST_COMMENT, user, began, remarks)
    await connection.execute(_CONTENTS, user, _FIRST_COMMENT)
    await connection.execute(_TOTALS, USERS, user, CounterKind.POSTS, posts)
    for kind in (CounterKind.COMMENTS, CounterKind.ROOT_COMMENTS):
        await connection.execute(_TOTALS, *of, kind, remarks)
    await connection.execute("ANALYZE")
    await connection.close()


def _requests(machine: Machine) -> Iterator[bytes]:
    """Yields requests of other users without end: a like, then a page of an entity."""
    shown = itertools.cycle(machine.community.shown)
    for person, entity in machine.community.pairs:
        yield graphql(person.token, LIKE, {"id": entity.global_id})
        yield graphql(person.token, ENTITY, {"business": BUSINESS, "key": next(shown).key})


async def _delete(
    machine: Machine, client: Client, leaver: Person, requests: Iterator[bytes]
) -> tuple[list[_Window], list[_Progress]]:
    """Requests the deletion, and sends requests of other users until the deletion has finished. Returns, for each
    window of time, the responses to other users and the progress of the deletion.
    """
    began, windows, progress = time.perf_counter(), list[_Window](), list[_Progress]()
    answer = await client.ask(graphql(leaver.token, _DELETE, {}))
    assert b'"PENDING"' in answer, answer
    is_finished = False
    while not is_finished:
        windows.append(await _window(machine, client, requests))
        (found,) = [one for one in await deletions.all_known(machine.state.postgres) if one.user_id == leaver.user_id]
        progress.append(_Progress(time.perf_counter() - began, found.removed))
        is_finished = found.finished_ms is not None
    return windows, progress


async def _window(machine: Machine, client: Client, requests: Iterator[bytes]) -> _Window:
    waits, until = list[float](), time.perf_counter() + machine.sizes.account_seconds

    async def ask(connection: Connection) -> None:
        while (asked := time.perf_counter()) < until:
            if b'"errors"' in (body := await connection.ask(next(requests))):
                raise Unexpected(body)
            waits.append(1000 * (time.perf_counter() - asked))

    await asyncio.gather(*map(ask, client.connections))
    return _Window(len(waits) / machine.sizes.account_seconds, quantiles(waits, n=100, method="inclusive")[98])
