"""The memory of a full inbox on a server with the cache settings that docs/operate/install.md recommends."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import SecretStr

from domain.ids import wall_clock_ms
from runner.valkey import CACHE, Valkey
from settings import Settings
from store import keys
from store.cache.lists import FLOOR, Item
from store.cache.local import LocalCache
from store.cache.values import Cache
from store.content import inboxes
from store.redis import client as redis

ROOT = Path(__file__).parents[3]
USER, POSTS = 7_420_000_000_000_000_000, 800
FIRST = Item(wall_clock_ms() << 10, 7_430_000_000_000_000_000)
MOST_BYTES = 20 * 1024


@pytest.fixture(scope="module")
def cache_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("cache"), settings=CACHE) as valkey:
        yield valkey


@pytest_asyncio.fixture
async def cache(cache_server: Valkey) -> AsyncIterator[Cache]:
    settings = Settings(env="development", redis_url=cache_server.url, jwt_secret=SecretStr("s" * 32))
    client = redis.connect(settings.redis_url, settings)
    yield Cache(client, wall_clock_ms, LocalCache(0, 1))
    await client.close()


async def test_an_inbox_of_800_posts_takes_at_most_20_kilobytes(cache: Cache) -> None:
    inbox = keys.inbox(USER)
    await cache.redis("ZADD", inbox, 0, FLOOR, write=True)
    for n in range(POSTS):
        post = Item(FIRST.score + n * (60_000 << 10), FIRST.member + n * (60_000 << 22))
        await inboxes.push(cache, [(post, [USER])], cap=POSTS)

    assert await cache.redis("ZCARD", inbox) == POSTS + 1
    assert await cache.redis("OBJECT", "ENCODING", inbox) == b"listpack"
    assert await cache.redis("MEMORY", "USAGE", inbox, "SAMPLES", 0) <= MOST_BYTES


async def test_an_inbox_stays_a_listpack_after_many_pushes(cache: Cache) -> None:
    inbox, cap = keys.inbox(USER + 1), POSTS
    await cache.redis("ZADD", inbox, 0, FLOOR, write=True)
    for n in range(2 * cap):
        await inboxes.push(cache, [(Item(FIRST.score + n, FIRST.member + n), [USER + 1])], cap=cap)
        if n % 10 == 0:  # one in ten is deleted again
            await inboxes.push(cache, [(Item(-(FIRST.score + n + 1), FIRST.member + n), [USER + 1])], cap=cap)

    assert await cache.redis("OBJECT", "ENCODING", inbox) == b"listpack"


def test_the_install_page_names_these_settings() -> None:
    page = (ROOT / "docs" / "operate" / "install.md").read_text()

    for name, value in CACHE.items():
        assert f"`{name} {value}`" in page
