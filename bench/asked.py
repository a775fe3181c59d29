"""Counts the Redis commands that the API sends for one request."""

from typing import Any

from bench.client import Client
from bench.machine import Machine

_NOT_THE_PAGES = {"info", "ping", "select", "evalsha", "time", "get", "set"}
"""Commands that do not belong to a request: they set up or check a connection, or reserve points of a budget every few
seconds.
"""


async def commands(machine: Machine, client: Client, request: bytes) -> dict[str, int]:
    """Sends one request to the API, and returns how many times the API sent each Redis command for it, by command."""
    redis = machine.state.redis.client
    await redis.execute_command("CONFIG", "RESETSTAT")
    await client.ask(request)
    stats: dict[str, Any] = await redis.info("commandstats")
    asked = {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in stats.items()}
    return {name: calls for name, calls in asked.items() if name not in _NOT_THE_PAGES and "|" not in name}
