"""Many clients that connect at the same time."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise

import uvloop

from settings import Settings
from tests.support.stores import standalone
from tests.support.subscriptions import PATIENCE, serving


@standalone
async def test_each_turn_of_the_event_loop_accepts_at_most_sixteen_connections(
    make_settings: Callable[..., Settings],
) -> None:
    """Runs in the kind of event loop that an API uses, which differs from that of the tests."""
    assert await asyncio.to_thread(uvloop.run, _taken(64, make_settings(port=0))) == [16] * 4


async def _taken(many: int, settings: Settings) -> list[int]:
    """Connects `many` clients. Returns the number of accepted connections of each turn that accepted any."""
    async with serving(settings) as live, asyncio.timeout(PATIENCE):
        host, port = live.address.split(":")
        with ExitStack() as clients:
            for _ in range(many):  # the kernel accepts these connections while the loop is blocked
                clients.enter_context(socket.create_connection((host, int(port))))
            taken = [0]
            while taken[-1] < many:
                await asyncio.sleep(0)
                taken.append(len(live.server.server_state.connections))
    return [after - before for before, after in pairwise(taken) if after > before]
