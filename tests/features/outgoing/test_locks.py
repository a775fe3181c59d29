"""Writers of profiles do not lock the partitions of events while they wait for Redis."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio

import workers.profile_reviews
import workers.suspensions
from settings import Settings
from tests.support.citus import one_server
from tests.support.external_reviewer import Server, json_response, listening, with_reviewer
from tests.support.interrupting import run_after
from tests.support.outgoing import to_stream
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.suspensions import FAR, moderator, suspend
from tests.support.system import System, running
from workers import external_reviewer

Write = Callable[[System], Awaitable[object]]
EDIT = "mutation ($bio: String!) { updateProfile(input: {bio: $bio}) { userErrors { code } } }"
UPSERT = "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }"
LOCK = "SELECT count(*) FROM (SELECT p FROM outgoing_heads FOR UPDATE SKIP LOCKED) AS locked"


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with listening() as server:
        server.answer = json_response({"decision": "reject", "reason": "rude"})
        yield server


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], server: Server) -> AsyncIterator[System]:
    """Yields a system whose reviewer rejects everything. All events of bob, the moderator and a service are stored."""
    async with running(make_settings(moderation=with_reviewer(server), local_cache_seconds=0)) as system:
        await system.person("bob").ask(EDIT, bio="rude")
        await system.person("service", "users:write").id()
        await suspend(moderator(system), await system.person("bob").id(), until=FAR)
        await system.drain()
        yield system


async def sign_in(system: System) -> None:
    await system.person("new").id()


async def edit(system: System) -> None:
    await system.person("service").ask(EDIT, bio="hello")


async def upsert(system: System) -> None:
    await system.person("service", "users:write").ask(UPSERT, u=[{"externalId": "bob", "bio": "hello"}])


async def end_suspension(system: System) -> None:
    await execute(system, "UPDATE users SET suspended_until_ms = 1 WHERE handle = 'bob'")
    await workers.suspensions.sweep(system.state, lambda: True)


async def reject(system: System) -> None:
    """Lets the reviewer reject the biography of bob."""
    await execute(system, "DELETE FROM profile_reviews WHERE field <> 3")
    assert system.settings.moderation.reviewer
    async with external_reviewer.opened(system.settings.moderation.reviewer, system.state.labels) as reviewer:
        await workers.profile_reviews.step(system.state, reviewer, range(system.settings.partitions))


@standalone
@one_server
@pytest.mark.parametrize("write", [sign_in, edit, upsert, end_suspension, reject])
async def test_a_writer_that_waits_for_redis_locks_no_partition_of_events(
    system: System, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    await to_stream(system, "user.created", "user.updated", "user.suspended")
    partitions = system.settings.partitions
    heads = "INSERT INTO outgoing_heads SELECT p, 0, 0, 0 FROM generate_series(0, CAST(:last AS int)) p"
    await execute(system, heads, last=partitions - 1)
    unlocked = []

    async def count_unlocked() -> None:
        unlocked.extend(await system.rows(LOCK))

    run_after(monkeypatch, system.state.cache, "fence", count_unlocked)
    await write(system)

    assert unlocked == [(partitions,)]
    assert await system.rows("SELECT count(*) FROM outgoing_events") == [(1,)]
