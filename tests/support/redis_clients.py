"""Redis clients for tests without an application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pydantic import SecretStr

from settings import Settings
from store.redis import client as redis
from store.redis.client import Redis


@asynccontextmanager
async def connected(url: str, **changes: Any) -> AsyncIterator[Redis]:
    """Opens a client while the block runs. Keywords are settings."""
    client = redis.connect(url, Settings(redis_url=url, jwt_secret=SecretStr("s" * 32), **changes))
    try:
        yield client
    finally:
        await client.close()
