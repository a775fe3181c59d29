"""Random histories of follows, blocks, mutes, removals, suspensions, likes and comments by people of two partitions
whose clocks are apart, with two workers that crash, and with second scripts that are lost, late and repeated. Whenever
all changes are stored, answers, rows and caches agree with the model.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from settings import Settings
from tests.features.boundaries.harness import CRASHES, PEOPLE, Harness
from tests.support.state_machine import FIXED_HISTORIES, VERY_MANY, Driven, alive
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS

BETWEEN_USERS = ("follow", "follow", "unfollow", "block", "block", "unblock", "removeFollower", "mute", "unmute")
ON_POSTS = ("like", "like", "unlike", "comment")
people = st.sampled_from(PEOPLE)
pairs = st.tuples(people, people).filter(lambda pair: pair[0] != pair[1])
workers = st.integers(0, 1)
FEW_HISTORIES = profile(FIXED_HISTORIES, max_examples=2, stateful_step_count=20)


class BoundariesMachine(Driven):
    """A state machine of people, second scripts and workers."""

    harness: ClassVar[Harness]

    @initialize(follows=st.sets(pairs))
    def begin(self, follows: set[tuple[str, str]]) -> None:
        self.run(self.harness.begin())
        for who, other in sorted(follows):
            self.run(self.harness.request("follow", who, other))

    @rule(verb=st.sampled_from(BETWEEN_USERS), pair=pairs, lost=st.booleans())
    def change(self, verb: str, pair: tuple[str, str], lost: bool) -> None:
        self.run(self.harness.request(verb, *pair, lost=lost))

    @rule(verb=st.sampled_from(ON_POSTS), who=people, author=people)
    def use_post(self, verb: str, who: str, author: str) -> None:
        self.run(self.harness.request(verb, who, author))

    @rule(pair=pairs, lost=st.booleans(), crash=st.sampled_from([None, *CRASHES]))
    def follow_during_a_block(self, pair: tuple[str, str], lost: bool, crash: str | None) -> None:
        who, other = pair
        self.run(self.harness.request("block", other, who, lost=lost))
        if crash:
            self.run(self.harness.crash(PEOPLE.index(other) % 2, crash))
        self.run(self.harness.request("follow", who, other))

    @rule(user=people, mode=st.sampled_from(["READ_ONLY", "HIDDEN", "SHADOW", None, None]))
    def suspend(self, user: str, mode: str | None) -> None:
        self.run(self.harness.suspend(user, mode))

    @rule(which=st.integers(0, 1000))
    def deliver(self, which: int) -> None:
        self.run(self.harness.deliver(which))

    @rule(which=workers)
    def work(self, which: int) -> None:
        self.run(self.harness.work(which))

    @rule(which=workers, where=st.sampled_from([*CRASHES]))
    def crash(self, which: int, where: str) -> None:
        self.run(self.harness.crash(which, where))

    @rule()
    def sweep(self) -> None:
        self.run(self.harness.sweep())

    @rule()
    def drain_and_check(self) -> None:
        self.run(self.harness.drain_and_check())

    @rule()
    def forget_redis(self) -> None:
        self.run(self.harness.forget_redis())

    def teardown(self) -> None:
        self.run(self.harness.end())


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[BoundariesMachine]]:
    """Yields a machine whose new workers read the entries of the last minute again."""
    settings = make_settings(limits=LIMITLESS, moderation=LENIENT, journal_tail_seconds=60.0)
    with alive(BoundariesMachine, Harness, settings) as machine:
        yield machine


@standalone
@pytest.mark.timeout(300)
def test_every_history_of_boundaries_agrees_with_the_model(machine: type[BoundariesMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW_HISTORIES)


@standalone
@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_very_many_histories_of_boundaries_agree_with_the_model(machine: type[BoundariesMachine]) -> None:
    run_state_machine_as_test(machine, settings=profile(VERY_MANY, max_examples=40))
