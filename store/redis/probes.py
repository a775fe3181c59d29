"""Commands to single Redis servers, for the checks of a deployment. All functions raise redis-py's errors."""

import asyncio
import secrets
from typing import Any

from redis import asyncio as redis_asyncio
from redis.exceptions import ClusterDownError, NoPermissionError, OutOfMemoryError, ResponseError

from dependencies.redis import key_slot
from store.redis.client import Redis
from store.redis.down import result_or_error
from store.redis.servers import RedisServer, ServerInfo

KEY, _LIFE_MS = "plaudit-check:", 1000
"""The prefix, and the life in milliseconds, of the key that `write_refusal` writes."""
_TAGS = 1_000_000
"""How many hash tags `_tag` tries. For a master with a single slot, it needs 16,384 on average."""
_CODES: dict[type[Exception], str] = {
    OutOfMemoryError: "OOM",
    NoPermissionError: "NOPERM",
    ClusterDownError: "CLUSTERDOWN",
}
"""The first words of error replies, which redis-py leaves out of the messages of these errors."""


async def read_info(server: RedisServer) -> ServerInfo:
    """Returns the fields of a server's answer to INFO."""
    info: ServerInfo = await server.execute("INFO")
    return info


async def read_config(server: RedisServer, settings: str = "*") -> ServerInfo | None:
    """Returns the settings of a server whose names match the pattern `settings`, by name; None if the server refuses
    CONFIG GET, as managed servers do.
    """
    try:
        config: ServerInfo = await server.execute("CONFIG GET", settings)
    except ResponseError:
        return None
    return config


async def read_clock_ms(server: RedisServer) -> float:
    """Returns a server's clock, in milliseconds since the Unix epoch."""
    seconds, microseconds = await server.execute("TIME")
    return float(seconds * 1000 + microseconds / 1000)


async def write_refusal(server: RedisServer, redis: Redis) -> str:
    """Writes a key that expires soon to a server of `redis`, and reads the key. Returns the reason why the server does
    not keep the value, such as the server's error; an empty text if the server keeps the value.
    """
    try:
        key = KEY + (await _tag(server) if redis.cluster else "")
        value = secrets.token_hex(8)
        await server.execute("SET", key, value, "PX", _LIFE_MS)
        kept = await server.execute("GET", key)
    except ResponseError as error:
        return f"{_CODES.get(type(error), '')} {error}".strip()
    return "" if kept == value.encode() else "it does not return what was written to it"


async def _tag(server: RedisServer) -> str:
    """Returns a hash tag, such as `{42}`, that puts a key into a slot of this master; an empty text if it has none."""
    slots = [(int(some[0]), int(some[-1])) for some in (await _own_node(server))["slots"]]
    tags = map("{{{}}}".format, range(_TAGS))
    return next((tag for tag in tags if any(low <= key_slot(tag.encode()) <= high for low, high in slots)), "")


async def read_moving_slots(server: RedisServer) -> list[int]:
    """Returns the slots that a master of a cluster is giving to another master or taking from one."""
    return sorted(int(one["slot"]) for one in (await _own_node(server))["migrations"])


async def _own_node(server: RedisServer) -> Any:
    nodes = await server.execute("CLUSTER NODES")
    return next(node for node in nodes.values() if "myself" in node["flags"])


async def read_replica(redis: Redis, host: str, port: int) -> tuple[ServerInfo, ServerInfo]:
    """Connects to a replica of `redis`. Returns the replica's answer to INFO, and a dictionary with its setting
    `appendfsync`, which is empty if the replica refuses CONFIG GET.
    """
    client: Any = redis_asyncio.Redis(host=host, port=port, **_credentials(redis))
    replica = RedisServer(host, client.execute_command)
    try:
        return await read_info(replica), await read_config(replica, "appendfsync") or {}
    finally:
        await client.aclose()


def _credentials(redis: Redis) -> dict[str, Any]:
    """Returns the options, without the address, with which the client connects to the primary. Replicas accept the same
    options.
    """
    client = redis.client
    options = client.get_connection_kwargs() if redis.cluster else client.connection_pool.connection_kwargs
    names = {"username", "password", "socket_timeout", "socket_connect_timeout", "protocol"}
    shared = {name: value for name, value in options.items() if name in names or name.startswith("ssl_")}
    is_tls = "ssl" in options or any(name.startswith("ssl_") for name in shared)
    return shared | ({"ssl": True} if is_tls else {})


async def ask_sentinels(redis: Redis, service: str) -> list[Any]:
    """Asks each sentinel whether it reaches enough sentinels for a failover of `service`. Returns the answer or the
    error of each. A sentinel that does not reach enough of them answers with an error.
    """
    sentinels = redis.client.connection_pool.sentinel_manager.sentinels
    return await asyncio.gather(
        *[result_or_error(sentinel.execute_command, "SENTINEL CKQUORUM", service) for sentinel in sentinels]
    )
