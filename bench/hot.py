"""Measures whether an entity that gets nine of ten requests slows down requests for others, with and without a local
cache, which is a copy of hot values in the API process.
"""

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
"""One request in this many is for another entity than the hot one."""
_FOUND = b'"likeCount":'


async def measure(machine: Machine) -> list[Result]:
    """Compares nine of ten requests for one entity to requests that are spread evenly.

    Measures answers per second, CPU time of the API and Redis commands under full load. Measures also, at a fixed pace,
    the microseconds of answers for the other entities.
    """
    results = list[Result]()
    copies = {"near copies": Settings.model_fields["local_cache_seconds"].default, "no copies": 0}
    async with AsyncExitStack() as stack:
        for name, seconds in copies.items():
            extra = {"PLAUDIT_CACHES": "{}", "PLAUDIT_LOCAL_CACHE_SECONDS": str(seconds)}
            port = stack.enter_context(machine.another_api(name, **extra))
            client = await stack.enter_async_context(connected(port, machine.sizes.page_connections))
            results += await _compared(machine, name, client)
    return results


async def _compared(machine: Machine, name: str, client: Client) -> list[Result]:
    hot, *entities = [_request(machine, entity) for entity in machine.community.entities]
    await client.flood(iter([hot, *entities]), _FOUND)  # fills the caches
    waits, cpu, commands = [{hot: list[float](), entities[0]: list[float]()} for _ in range(3)]
    sizes = machine.sizes

    def turn(most: bytes, crowd: Sequence[bytes]) -> Turn:
        async def rate() -> float:
            requests = _mixed(crowd, entities)
            await client.flood((one for one, _ in requests), _FOUND, sizes.round_seconds)  # makes the entity a hot key
            waits[most].append(median(await _others(client, requests, sizes.round_seconds, sizes.paced_per_second)))
            commands_before, cpu_before = await _commands(machine), await cpu_of(client)
            flood = await client.flood((one for one, _ in requests), _FOUND, sizes.round_seconds)
            cpu[most].append((await cpu_of(client) - cpu_before) / flood.answered * 1_000_000)
            commands[most].append((await _commands(machine) - commands_before) / flood.answered * 1000)
            return flood.rate

        return rate

    one, alike = await alternate(sizes.rounds, turn(hot, [hot]), turn(entities[0], entities))
    results = [compared("hot", f"answers/s, {name}", one, alike)]
    figures = {"µs of those to others, at a pace": waits, "µs of CPU for one": cpu, "commands for 1000": commands}
    for what, by_side in figures.items():
        hots, others = [values[1:] for values in by_side.values()]
        results.append(compared("hot", f"{what}, {name}", hots, others))
    return results


def _mixed(crowd: Sequence[bytes], others: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yields requests without end, one of `others` and then nine of `crowd`, each with whether it is
    one of `others`.
    """
    crowds, rest = itertools.cycle(crowd), itertools.cycle(others)
    for at in itertools.count():
        yield (next(rest), True) if at % _ONE_IN == 0 else (next(crowds), False)


async def _others(
    client: Client, requests: Iterator[tuple[bytes, bool]], seconds: float, per_second: float
) -> list[float]:
    """Sends requests for `seconds` at a fixed pace over all connections. Returns the microseconds of each answer for
    one of the other entities.
    """
    others, began = list[float](), time.perf_counter()
    every = len(client.connections) / per_second

    async def asking(at: int, connection: Connection) -> None:
        for number in range(int(seconds / every)):
            await asyncio.sleep(began + every * (number + at / len(client.connections)) - time.perf_counter())
            request, is_other = next(requests)
            sent = time.perf_counter()
            if _FOUND not in (body := await connection.ask(request)):
                raise Unexpected(body)
            if is_other:
                others.append((time.perf_counter() - sent) * 1_000_000)

    await asyncio.gather(*[asking(at, connection) for at, connection in enumerate(client.connections)])
    return others


def _request(machine: Machine, entity: EntityRow) -> bytes:
    viewer = machine.community.people[-1]  # owns no entity
    return graphql(viewer.token, ENTITY, {"business": entity.business, "key": entity.key})


async def cpu_of(client: Client) -> float:
    """Returns the CPU seconds that the API process has used so far, from its metrics."""
    metrics = await client.ask(b"GET /metrics HTTP/1.1\r\nHost: bench\r\n\r\n")
    (seconds,) = [line for line in metrics.decode().splitlines() if line.startswith("process_cpu_seconds_total ")]
    return float(seconds.split()[1])


async def _commands(machine: Machine) -> int:
    stats = await machine.state.redis.client.info("stats")
    return int(stats["total_commands_processed"])
