"""Sessions that Postgres ends while a client uses them: whichever reply the end follows, the client can go on."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.engine import make_url

from settings import Settings
from store.postgres.client import Postgres, PostgresDown, connect
from tests.support.fault_proxy import Proxy, proxied
from tests.support.stores import standalone

pytestmark = standalone

ONE = text("SELECT 1")
FIELDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
END = b"E" + (len(FIELDS) + 4).to_bytes(4, "big") + FIELDS
REPLIES = 8
"""More than the replies of a new connection to its first statement."""


def is_ready(reply: bytes) -> bool:
    """Returns whether a reply ends with ReadyForQuery, so that the session waits for its client."""
    return reply[-6:-1] == b"Z\0\0\0\5"


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(make_settings: Callable[..., Settings]) -> AsyncIterator[Proxy]:
    url = make_url(make_settings().database_url)
    assert url.port
    async with proxied(url.port) as one:
        yield one


async def read(client: Postgres) -> None:
    assert (await client.read(ONE))[0][0] == 1


async def watch(client: Postgres) -> None:
    assert (await client.read_unqueued(ONE))[0][0] == 1


async def write(client: Postgres) -> None:
    async with client.transaction() as transaction:
        assert (await transaction.execute(ONE))[0][0] == 1


@pytest.mark.parametrize("use", [read, watch, write])
@pytest.mark.parametrize("number", range(REPLIES))
async def test_a_client_goes_on_after_the_end_of_a_session(
    proxy: Proxy,
    make_settings: Callable[..., Settings],
    use: Callable[[Postgres], Awaitable[None]],
    number: int,
) -> None:
    url = make_url(make_settings().database_url).set(port=proxy.port).render_as_string(hide_password=False)
    client = connect(make_settings(database_url=url), "test")
    proxy.end(END, is_ready, number)
    failures = 0
    for _ in range(4):
        try:
            await use(client)
        except PostgresDown:
            failures += 1
    await client.close()

    assert failures <= 1
