"""Compares likes through the API with hand-written code that runs the same Redis script and reads the same values."""

from contextlib import AsyncExitStack
from itertools import islice

from bench.client import Client, connected
from bench.journal import persisted, until_persisted
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.results import Result, compared
from bench.rounds import alternate
from loaders.shared import SharedLoaders


async def measure(machine: Machine) -> list[Result]:
    """Measures acknowledged likes per second of both, while a worker stores the likes."""
    connections, pairs = machine.sizes.connections, machine.community.pairs
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        ports = [machine.api_port, stack.enter_context(machine.baseline("by_hand"))]
        ours, by_hand = [await stack.enter_async_context(connected(port, connections)) for port in ports]
        before = await persisted(machine)
        await SharedLoaders(machine.state).counts.get_many([entity.ref for entity in machine.community.entities])
        all_users = requests(islice(pairs, machine.sizes.users))
        liked = [(await ours.flood(all_users, LIKED)).answered]  # caches the users' reactions

        async def turn(client: Client) -> float:
            flood = await client.flood(requests(pairs), LIKED, machine.sizes.round_seconds)
            liked.append(flood.answered)
            await until_persisted(machine, before + sum(liked))
            return flood.rate

        api, script = await alternate(machine.sizes.rounds, lambda: turn(ours), lambda: turn(by_hand))
    return [compared("mutation", "likes/s, against the same script by hand", api, script, at_least=0.5)]
