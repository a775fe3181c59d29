"""Questions to single servers of a logical Redis, for the checks of a deployment. They raise redis-py's errors."""

import asyncio
import secrets
from typing import Any

from redis import asyncio as redis_asyncio
from redis.crc import key_slot
from redis.exceptions import ClusterDownError, NoPermissionError, OutOfMemoryError, ResponseError

from store.redis.client import Redis
from store.redis.down import caught
from store.redis.servers import RedisServer, ServerInfo

KEY, _LIFE_MS = "plaudit-check:", 1000
"""How the name of the key that is written begins, and how long the key is kept."""
_TAGS = 1_000_000
"""How many are tried: sixty times as many as a master with one slot needs, as a rule."""
_CODES: dict[type[Exception], str] = {
    OutOfMemoryError: "OOM",
    NoPermissionError: "NOPERM",
    ClusterDownError: "CLUSTERDOWN",
}
"""How these refusals begin, which redis-py leaves out."""


async def read_info(server: RedisServer) -> ServerInfo:
    """Returns what a server says in INFO."""
    info: ServerInfo = await server.ask("INFO")
    return info


async def read_config(server: RedisServer) -> ServerInfo | None:
    """Returns the settings of a server; None where it refuses CONFIG GET, as managed servers do."""
    try:
        config: ServerInfo = await server.ask("CONFIG GET", "*")
    except ResponseError:
        return None
    return config


async def read_clock_ms(server: RedisServer) -> float:
    """Returns a server's clock, in milliseconds since the Unix epoch."""
    seconds, microseconds = await server.ask("TIME")
    return float(seconds * 1000 + microseconds / 1000)


async def write_refusal(server: RedisServer, redis: Redis) -> str:
    """Writes a key that expires soon. Returns why the server does not keep it; an empty text if it does."""
    try:
        key = KEY + (await _tag(server) if redis.cluster else "")
        value = secrets.token_hex(8)
        await server.ask("SET", key, value, "PX", _LIFE_MS)
        kept = await server.ask("GET", key)
    except ResponseError as error:
        return f"{_CODES.get(type(error), '')} {error}".strip()
    return "" if kept == value.encode() else "it does not return what was written to it"


async def _tag(server: RedisServer) -> str:
    """Returns a tag that puts a key into a slot of this master."""
    me = await _own_node(server)
    slots = [(int(some[0]), int(some[-1])) for some in me["slots"]]
    tags = map("{{{}}}".format, range(_TAGS))
    return next((tag for tag in tags if any(low <= key_slot(tag.encode()) <= high for low, high in slots)), "")


async def read_moving_slots(server: RedisServer) -> list[int]:
    """Returns the slots that a master of a cluster has begun to move."""
    return sorted(int(one["slot"]) for one in (await _own_node(server))["migrations"])


async def _own_node(server: RedisServer) -> Any:
    nodes = await server.ask("CLUSTER NODES")
    (me,) = (node for node in nodes.values() if "myself" in node["flags"])
    return me


async def read_replica(redis: Redis, host: str, port: int) -> tuple[ServerInfo, ServerInfo]:
    """Returns INFO and the setting `appendfsync` of a replica; no setting where it refuses CONFIG GET."""
    client: Any = redis_asyncio.Redis(host=host, port=port, **_credentials(redis))
    try:
        info = await client.execute_command("INFO")
        try:
            return info, await client.execute_command("CONFIG GET", "appendfsync")
        except ResponseError:
            return info, {}
    finally:
        await client.aclose()


def _credentials(redis: Redis) -> dict[str, Any]:
    """Returns the options with which the client signs in to the primary; replicas accept the same."""
    client = redis.client
    options = client.get_connection_kwargs() if redis.cluster else client.connection_pool.connection_kwargs
    names = {"username", "password", "socket_timeout", "socket_connect_timeout", "protocol"}
    told = {name: value for name, value in options.items() if name in names or name.startswith("ssl_")}
    is_tls = "ssl" in options or any(name.startswith("ssl_") for name in told)
    return told | ({"ssl": True} if is_tls else {})


async def ask_sentinels(redis: Redis, service: str) -> list[Any]:
    """Asks each sentinel whether there is a quorum. Returns its answer, or the error, which may be its refusal."""
    sentinels = redis.client.connection_pool.sentinel_manager.sentinels
    return await asyncio.gather(
        *[caught(sentinel.execute_command, "SENTINEL CKQUORUM", service) for sentinel in sentinels]
    )
