"""Measures squares whose data or operations change from request to request. In the section `peers`, they
stay the same.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import orjson

from bench import home, wrk
from bench.client import Client, connected, graphql, post
from bench.community import Person
from bench.home import LIKE, LIKED, UNLIKE
from bench.journal import until_stored
from bench.machine import Machine
from bench.pace import pace
from bench.page import agreed
from bench.peers.pages import PEER, SQUARE, Sides, serving, turn
from bench.results import Result, compared
from bench.rounds import Turn, alternate
from cli.operations import import_manifests
from commands.persisted.manifests import sha256_id

_MOST_NEW = 1_000_000
"""The numbers that are reserved for the new operations of one turn, more than a turn sends."""


async def measure(machine: Machine) -> list[Result]:
    """Measures squares per second in four cases: while their counters change, for a viewer with pending changes, as
    many stored operations, and as operations that the process has not seen before.
    """
    async with serving(machine) as sides:
        results = [*await _changing(machine, sides), *await _pending(machine, sides)]
    return [*results, *await _operations(machine)]


async def _changing(machine: Machine, sides: Sides) -> list[Result]:
    """Compares squares while other users like and unlike the posts. A worker and another API process run in all turns.
    In the turns with changes they have work, and so take CPU time from the measured process.
    """
    peer, file = sides.others[PEER], wrk.write(sides.pages["squares"], machine.home / "requests")
    ids = await _ids(sides.api, sides.pages["squares"][0])
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        port = stack.enter_context(machine.another_api("writer"))
        writer = await stack.enter_async_context(connected(port, machine.sizes.page_connections))
        changes = _changes(machine.community.people[-machine.sizes.page_likers :], ids)

        def changed(side: Client) -> Turn:
            async def rate() -> float:
                async with _sending(machine, writer, changes):
                    rate = await turn(machine, side, file)()
                await until_stored(machine)
                return rate

            return rate

        turns = changed(sides.api), changed(peer), turn(machine, sides.api, file)
        ours, theirs, unchanged = await alternate(machine.sizes.rounds, *turns)
    what = "squares/s while counters change"
    return [
        compared("variety", f"{what}, against {PEER}", ours, theirs),
        compared("variety", f"{what}, against no changes", ours, unchanged),
    ]


async def _ids(client: Client, square: bytes) -> list[str]:
    return [post["id"] for post in orjson.loads(await client.ask(square))["data"]["square"]["nodes"]]


def _changes(people: Sequence[Person], ids: list[str]) -> Iterator[bytes]:
    """Yields requests without end: each of these people likes each of the posts `ids`, and then takes
    the likes back.
    """
    for query in itertools.cycle((LIKE, UNLIKE)):
        for person, id_ in itertools.product(people, ids):
            yield graphql(person.token, query, {"id": id_})


@asynccontextmanager
async def _sending(machine: Machine, writer: Client, changes: Iterator[bytes]) -> AsyncIterator[None]:
    """Sends these changes at a fixed pace while the block runs. Raises Unexpected if one fails."""
    ended = asyncio.Event()
    some = itertools.takewhile(lambda _: not ended.is_set(), changes)
    sending = asyncio.create_task(pace(writer, some, LIKED, machine.sizes.changes_per_second))
    try:
        yield
    finally:
        ended.set()
        await sending


async def _pending(machine: Machine, sides: Sides) -> list[Result]:
    """Compares squares of a viewer who has liked the shown posts and other objects. The likes stay pending, because no
    worker runs.
    """
    sizes = machine.sizes
    viewer = machine.community.people[sizes.readers]
    square = graphql(viewer.token, SQUARE, {"count": sizes.home_posts})
    ids = [*await _ids(sides.api, square), *(entity.global_id for entity in machine.community.shown)][: sizes.pending]
    await sides.api.flood(home.likes(viewer, ids), LIKED)
    await agreed([sides.api, *sides.others.values()], square)
    file = wrk.write([square], machine.home / "pending")
    others = wrk.write(sides.pages["squares"], machine.home / "requests")
    turns = turn(machine, sides.api, file), turn(machine, sides.others[PEER], file), turn(machine, sides.api, others)
    ours, theirs, without = await alternate(sizes.rounds, *turns)
    what = f"squares/s, {len(ids)} pending changes"
    return [
        compared("variety", f"{what}, against {PEER}", ours, theirs),
        compared("variety", f"{what}, against none", ours, without),
    ]


async def _operations(machine: Machine) -> list[Result]:
    """Compares squares that are requested by many stored operations in turn, or by operations that are all new, with
    squares that are always requested by one operation.
    """
    files, numbers = await _files(machine), itertools.count(0, _MOST_NEW)
    with machine.another_api("stored") as port:
        async with connected(port, 1) as client:
            turns = [turn(machine, client, file, numbers) for file in files]
            many, new, one = await alternate(machine.sizes.rounds, *turns)
    count = machine.sizes.operations
    return [
        compared("variety", f"squares/s, {count:,} stored operations, against one", many, one),
        compared("variety", "squares/s, only new operations, against one", new, one),
    ]


async def _files(machine: Machine) -> list[Path]:
    """Imports stored operations. Returns three files of requests for the square: by the ids of the stored operations,
    by a text that differs in each request, and always by the same text.
    """
    token, variables = machine.community.people[0].token, {"count": machine.sizes.home_posts}
    texts = [SQUARE.replace("query", f"query Stored{number}") for number in range(machine.sizes.operations)]
    manifest = machine.home / "manifest.json"
    manifest.write_bytes(orjson.dumps({sha256_id(text): text for text in texts}))
    await asyncio.to_thread(import_manifests, machine.settings, [manifest])
    requests = {
        "stored": [post(token, {"documentId": sha256_id(text), "variables": variables}) for text in texts],
        "new": [graphql(token, SQUARE.replace("query", "query New0000000000"), variables)],
        "one": [graphql(token, SQUARE, variables)],
    }
    return [wrk.write(some, machine.home / name) for name, some in requests.items()]
