"""Hypothesis state machines: any requests, workers that crash or are suspended, and a Redis that loses data.

The machines of likes, follows, posts and comments add rules of their own.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

from hypothesis import HealthCheck, Phase
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from settings import Settings
from tests.support.reaction_harness import ReactionHarness
from tests.support.system import System, running

DEATHS = st.sampled_from(["before commit", "between commit and publish", "between publish and trim"])

LASTING = profile(database=None, deadline=None, suppress_health_check=list(HealthCheck))
FIXED_HISTORIES = profile(LASTING, derandomize=True, phases=[Phase.generate], max_examples=4, stateful_step_count=25)
"""A few histories, equal in every run."""
VERY_MANY = profile(LASTING, max_examples=100, stateful_step_count=40, print_blob=True)


class Driven(RuleBasedStateMachine):
    """A state machine whose rules run coroutines of a harness."""

    harness: ClassVar[Any]
    runner: ClassVar[asyncio.Runner]

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Runs a coroutine on the event loop of the application."""
        self.runner.run(coroutine)


class Machine(Driven):
    """A state machine whose workers crash, are suspended and resume."""

    harness: ClassVar[ReactionHarness]

    def __init__(self) -> None:
        super().__init__()
        self.harness.suspended.clear()  # they belong to the last example, and a precondition reads them

    @rule()
    def work(self) -> None:
        self.run(self.harness.work())

    @rule()
    def sweep(self) -> None:
        self.run(self.harness.sweep())

    @precondition(lambda self: bool(self.harness.suspended))
    @rule()
    def resume_worker(self) -> None:
        self.run(self.harness.resume_worker())

    @rule(tail=st.sampled_from([0.0, 60.0]), batch_entries=st.sampled_from([1, 4, 500]))
    def restart_worker(self, tail: float, batch_entries: int) -> None:
        self.run(self.harness.restart_worker(tail=tail, batch_entries=batch_entries))

    @rule()
    def drain_and_check(self) -> None:
        self.run(self.harness.drain_and_check())

    @rule()
    def forget_redis(self) -> None:
        self.run(self.harness.forget_redis())

    def teardown(self) -> None:
        self.run(self.harness.restart_worker(tail=0.0))
        self.run(self.harness.drain_and_check())


M = TypeVar("M", bound=Driven)


@contextmanager
def alive(machine: type[M], harness: Callable[[System], Any], settings: Settings) -> Iterator[type[M]]:
    """Starts an application for a state machine, on an event loop of its own."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        application = running(settings)
        system = runner.run(application.__aenter__())
        yield type(machine.__name__, (machine,), {"harness": harness(system), "runner": runner})
        runner.run(application.__aexit__(None, None, None))
