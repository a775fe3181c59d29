"""Fixtures: servers with production settings."""

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from models.database import migrations
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings

_BOUNDED = {"maxmemory": "200mb"}
_CACHE = {"maxmemory-policy": "allkeys-lru", "zset-max-listpack-entries": "1024"}


@pytest.fixture(scope="module")
def durable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with Postgres(tmp_path_factory.mktemp("durable")) as server:
        migrations.upgrade(configured(database_url=server.url))
        yield server


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("kept"), settings=_BOUNDED) as server:
        yield server


@pytest.fixture(scope="module")
def evicting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("evicting"), settings=_BOUNDED | _CACHE) as server:
        yield server


def configured(**changes: Any) -> Settings:
    chosen: dict[str, Any] = {"env": "production", "jwt_secret": secrets.token_urlsafe(32), "partitions": 4}
    return Settings(**(chosen | changes))


@pytest.fixture
def production(durable: Postgres, kept: Valkey, evicting: Valkey) -> Callable[..., Settings]:
    """Returns settings over these servers. Keywords replace some of them."""
    stores = {"database_url": durable.url, "redis_url": kept.url, "cache_url": evicting.url}
    return lambda **changes: configured(**(stores | changes))
