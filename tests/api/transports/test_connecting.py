"""Many clients that connect at once."""

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
async def test_each_turn_of_the_loop_takes_sixteen_of_those_who_wait(make_settings: Callable[..., Settings]) -> None:
    """In the loop that an API runs in, which is not that of the tests."""
    assert await asyncio.to_thread(uvloop.run, _taken(64, make_settings(port=0))) == [16] * 4


async def _taken(many: int, settings: Settings) -> list[int]:
    """How many of so many clients were taken in each turn that took any."""
    async with serving(settings) as live, asyncio.timeout(PATIENCE):
        host, port = live.address.split(":")
        with ExitStack() as clients:
            for _ in range(many):  # the kernel lets them in while the loop stands still
                clients.enter_context(socket.create_connection((host, int(port))))
            taken = [0]
            while taken[-1] < many:
                await asyncio.sleep(0)
                taken.append(len(live.server.server_state.connections))
    return [after - before for before, after in pairwise(taken) if after > before]
