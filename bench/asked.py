"""What Redis is asked to answer one request."""

from typing import Any

from bench.client import Client
from bench.machine import Machine

_NOT_THE_PAGES = {"info", "select", "evalsha", "time", "get", "set"}
"""Who has to connect anew introduces itself, and every few seconds an address takes points out of its bucket."""


async def commands(machine: Machine, client: Client, request: bytes) -> dict[str, int]:
    """How often Redis was asked what."""
    redis = machine.state.redis.client
    await redis.execute_command("CONFIG", "RESETSTAT")
    await client.ask(request)
    stats: dict[str, Any] = await redis.info("commandstats")
    asked = {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in stats.items()}
    return {name: calls for name, calls in asked.items() if name not in _NOT_THE_PAGES and "|" not in name}
