"""Whether one entity that nine in ten requests are for slows down those for others, with near copies and without."""

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from statistics import median

from bench.client import Client, Connection, Unexpected, connected, graphql
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import Turn, alternate
from models.entities import EntityRow
from settings import Settings

ENTITY = """query ($business: String!, $key: String!) {
  entity(business: $business, key: $key) {
    id title likeCount dislikeCount viewCount shareCount commentCount owner { id handle displayName }
  }
}"""
_ONE_IN = 10
"""So many requests are for others."""
_FOUND = b'"likeCount":'


async def measure(machine: Machine) -> list[Result]:
    """Answers per second, microseconds of those to others, and Redis's commands for them: while nine in ten are for one
    entity, against all alike.
    """
    usual, results = Settings.model_fields, list[Result]()
    copies = {"near copies": usual["near_seconds"].default, "no copies": 0}
    async with AsyncExitStack() as stack:
        for name, seconds in copies.items():
            extra = {"PLAUDIT_HOT_READS": str(usual["hot_reads"].default), "PLAUDIT_NEAR_SECONDS": str(seconds)}
            port = stack.enter_context(machine.another_api(name, **extra))
            client = await stack.enter_async_context(connected(port, machine.sizes.page_connections))
            results += await _compared(machine, name, client)
    return results


async def _compared(machine: Machine, name: str, client: Client) -> list[Result]:
    hot, *entities = [_request(machine, entity) for entity in machine.community.entities]
    await client.flood(iter([hot, *entities]), _FOUND)  # everything is warm
    waits: dict[bytes, list[float]] = {hot: [], entities[0]: []}
    commands: dict[bytes, list[float]] = {hot: [], entities[0]: []}

    def turn(most: bytes, crowd: Sequence[bytes]) -> Turn:
        async def rate() -> float:
            requests, others = _mixed(crowd, entities), list[float]()
            await _asked(machine, client, requests, [])  # by then it has been noticed what is hot
            before = await _commands(machine)
            answered = await _asked(machine, client, requests, others)
            waits[most].append(median(others) * 1_000_000)
            commands[most].append((await _commands(machine) - before) / answered * 1000)
            return answered / machine.sizes.round_seconds

        return rate

    one, alike = await alternate(machine.sizes.rounds, turn(hot, [hot]), turn(entities[0], entities))
    results = [compared("hot", f"answers/s, {name}", one, alike)]
    for what, by_side in (("µs of those to others", waits), ("commands for 1000", commands)):
        hots, others = [values[1:] for values in by_side.values()]
        results.append(compared("hot", f"{what}, {name}", hots, others))
    return results


def _mixed(crowd: Sequence[bytes], others: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Requests, and whether they are for others than the crowd's."""
    crowds, rest = itertools.cycle(crowd), itertools.cycle(others)
    for at in itertools.count():
        yield (next(rest), True) if at % _ONE_IN == 0 else (next(crowds), False)


async def _asked(machine: Machine, client: Client, requests: Iterator[tuple[bytes, bool]], others: list[float]) -> int:
    """How many were answered, on all connections as fast as they are; seconds of those for others go into `others`."""
    until = time.perf_counter() + machine.sizes.round_seconds

    async def asking(connection: Connection) -> int:
        answered = 0
        while (began := time.perf_counter()) < until:
            request, is_other = next(requests)
            if _FOUND not in (body := await connection.ask(request)):
                raise Unexpected(body)
            answered += 1
            if is_other:
                others.append(time.perf_counter() - began)
        return answered

    return sum(await asyncio.gather(*map(asking, client.connections)))


def _request(machine: Machine, entity: EntityRow) -> bytes:
    viewer = machine.community.people[0]
    return graphql(viewer.token, ENTITY, {"business": entity.business, "key": entity.key})


async def _commands(machine: Machine) -> int:
    stats = await machine.state.redis.client.info("stats")
    return int(stats["total_commands_processed"])
