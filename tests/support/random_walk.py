"""Walks of models: seeded steps, and now and then a look at whether everything agrees."""

import random
from typing import Protocol


class Walker(Protocol):
    """A model beside the system that it is compared with."""

    random: random.Random

    async def step(self) -> None: ...
    async def check(self) -> None: ...


async def walk(walker: Walker, *, rounds: int, steps: int) -> None:
    """So many rounds of one to so many steps, each looked at in the end."""
    for _ in range(rounds):
        for _ in range(walker.random.randint(1, steps)):
            await walker.step()
        await walker.check()
