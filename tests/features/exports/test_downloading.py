"""Downloads of exports: wrong links, limits, outages, and memory."""

import asyncio
import socket
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from api import exports as endpoint
from archive.lines import joined
from archive.person import Person as PersonExport
from domain.cursors import Cursors
from domain.exports import PATH, ExportLink, url_of
from runner.postgres import Postgres
from settings import AddressSettings, LimitSettings, Settings
from tests.support.exports import downloaded, records_in, requested
from tests.support.metrics import metric
from tests.support.outages import stopped
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually
from tests.support.system import Person, System, running

pytestmark = standalone

REACTIONS = """INSERT INTO reactions (user_id, business_id, entity_id, state, version)
    SELECT :user, 2, i, 1, (1700000000000 + i) << 20 FROM generate_series(1, CAST(:count AS int)) AS i"""


async def react(system: System, person: Person, count: int) -> int:
    """Stores reactions of a person to posts. Returns the number of the person."""
    user = int((await person.id()).removeprefix("User:"))
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(REACTIONS), user=user, count=count)
    return user


async def test_a_download_is_a_file_of_lines_that_nothing_caches(system: System) -> None:
    response = await downloaded(system.person("alice"))

    assert response.headers["content-type"] == "application/jsonl; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="account.jsonl"'
    assert response.headers["cache-control"] == "private, no-store"
    assert [one["kind"] for one in records_in(response.content)] == ["account", "user"]


async def test_a_download_can_be_repeated_and_has_the_newest_data(system: System) -> None:
    alice = system.person("alice")
    url = await requested(alice)
    before = records_in((await system.http.get(url)).content)
    await alice.ask('mutation { updateProfile(input: {bio: "glaciers"}) { userErrors { code } } }')

    after = records_in((await system.http.get(url)).content)

    assert "bio" not in before[1]
    assert after[1]["bio"] == "glaciers"
    assert (await system.http.head(url)).headers["content-disposition"].startswith("attachment")


async def test_a_wrong_link_is_refused(system: System) -> None:
    alice = system.person("alice")
    url = await requested(alice)
    user = int((await alice.id()).removeprefix("User:"))
    (stored,) = await system.stored("exports")
    state = system.state
    foreign = url_of(Cursors(b"the key of another deployment...."), ExportLink(*stored))
    others = url_of(state.cursors, ExportLink(user + 1, stored[1]))
    cursor = "/exports/" + state.cursors.seal("notifications:7", *stored)
    future = url_of(state.cursors, ExportLink(user, stored[1] + 1))
    wrong = [
        foreign,
        others,
        cursor,
        future,
        url[:-1],
        url + "A",
        PATH + url.removeprefix(PATH).swapcase(),
        "/exports/x",
        "/exports/%ff%00",
    ]
    wrong += ["/exports/" + "A" * 9000]
    before = metric("exports_total", outcome="refused")

    for link in wrong:
        answer = await system.http.get(link)
        assert (answer.status_code, list(answer.json())) == (404, ["error"]), link
    assert (await system.http.get("/exports/")).status_code == 404
    assert (await system.http.post(url)).status_code == 405
    assert (await system.http.get(url)).status_code == 200
    assert metric("exports_total", outcome="refused") == before + len(wrong)


async def test_a_download_costs_as_much_as_the_dearest_document(make_settings: Callable[..., Settings]) -> None:
    limits = LimitSettings(ip=AddressSettings(points=200_000, points_per_second=0.001))
    async with running(make_settings(limits=limits)) as system:
        url = await requested(system.person("alice"))

        statuses = [(await system.http.get(url)).status_code for _ in range(5)]

        assert statuses == [200, 200, 200, 429, 429]
        assert int((await system.http.get(url)).headers["retry-after"]) > 0


@pytest.mark.prove
async def test_a_person_of_any_size_needs_little_memory(system: System) -> None:
    user = await react(system, system.person("alice"), 20_000)
    bytes_, lines = 0, 0
    tracemalloc.start()
    try:
        async for records in PersonExport(system.state, user).pages():
            content = joined(records)
            bytes_, lines = bytes_ + len(content), lines + len(records)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert lines == 20_003
    assert bytes_ > 2_000_000
    assert peak < 4_000_000


@asynccontextmanager
async def slow_client(live: Live, url: str) -> AsyncIterator[asyncio.StreamReader]:
    """Requests a download with a client that has small buffers. Yields the response, from its beginning."""
    host, port = live.address.rsplit(":", 1)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 16)
    writer.write(f"GET {url} HTTP/1.1\r\nHost: {live.address}\r\n\r\n".encode())
    try:
        yield reader
    finally:
        writer.close()


@pytest.mark.prove
async def test_an_outage_of_postgres_cuts_a_download_visibly(live: Live, postgres: Postgres) -> None:
    alice = live.person("alice")
    await react(live, alice, 100_000)
    url = await requested(alice)
    before = metric("exports_total", outcome="cut")

    async with slow_client(live, url) as reader:
        head = await reader.readuntil(b"\r\n\r\n")
        async with stopped(postgres, live.state.postgres):
            rest = await reader.read(-1)
            down = await live.http.get(url)
        again = records_in((await live.http.get(url)).content)

    assert head.startswith(b"HTTP/1.1 200")
    assert b'"kind":"end"' not in rest
    assert not rest.endswith(b"0\r\n\r\n")
    assert down.status_code == 503
    assert down.headers["retry-after"] == "1"
    assert len(again) == 100_002
    assert metric("exports_total", outcome="cut") == before + 1


async def test_an_account_is_downloaded_once_at_a_time(live: Live) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    await react(live, alice, 100_000)
    url, bobs = await requested(alice), await requested(bob)
    before = metric("exports_total", outcome="abandoned")

    async with slow_client(live, url) as reader:
        await reader.readuntil(b"\r\n\r\n")
        meanwhile, other = await live.http.get(url), await live.http.get(bobs)
    await eventually(lambda: metric("exports_total", outcome="abandoned") == before + 1)

    assert (meanwhile.status_code, other.status_code) == (429, 200)
    assert int(meanwhile.headers["retry-after"]) > 0
    assert live.app.state.exports._running == set()


async def test_a_process_sends_few_downloads_at_a_time(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "_MOST", 1)
    alice, bob = live.person("alice"), live.person("bob")
    await react(live, alice, 100_000)
    url, bobs = await requested(alice), await requested(bob)

    async with slow_client(live, url) as reader:
        await reader.readuntil(b"\r\n\r\n")
        full = await live.http.get(bobs)
    await eventually(lambda: not live.app.state.exports._running)

    assert full.status_code == 503
    assert int(full.headers["retry-after"]) > 0
    assert (await live.http.get(bobs)).status_code == 200


async def test_a_stopping_process_cuts_its_downloads(live: Live) -> None:
    alice = live.person("alice")
    await react(live, alice, 100_000)
    url = await requested(alice)

    async with slow_client(live, url) as reader:
        await reader.readuntil(b"\r\n\r\n")
        live.app.state.streaming_limits.stopping.set()
        rest = await reader.read(-1)

    assert b'"kind":"end"' not in rest
    assert not rest.endswith(b"0\r\n\r\n")
