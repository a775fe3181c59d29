"""Random walks: seeded random steps of a model and the system, with checks that both agree."""

import random
from typing import Protocol

import pytest

_MANY = [pytest.param(seed, marks=[pytest.mark.prove, pytest.mark.timeout(900)]) for seed in [1, 2, *range(100, 130)]]
seeds = pytest.mark.parametrize("seed", [0, *_MANY])
"""Runs a random walk with one seed; `make prove` runs it with 32 others."""


class Walker(Protocol):
    """A model beside the system that it is compared with."""

    random: random.Random

    async def step(self) -> None: ...
    async def check(self) -> None: ...


async def walk(walker: Walker, *, rounds: int, steps: int) -> None:
    """Takes `rounds` rounds of one to `steps` random steps. Checks the model after each round."""
    for _ in range(rounds):
        for _ in range(walker.random.randint(1, steps)):
            await walker.step()
        await walker.check()
