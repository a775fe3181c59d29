"""C5: a comment that lasts is on exactly one page of the hottest comments, whatever changes between two pages."""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from settings import Settings
from tests.features.comments.hot_comment_readers import HotCommentReaders
from tests.support.state_machine import FIXED_HISTORIES, VERY_MANY, Driven, alive
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS

RANKED = 10
people = st.integers(0, 2)
comments = st.integers(0, 40)
lists = st.integers(0, 7)
sizes = st.sampled_from([1, 2, 3, 5, 7, 11, 20])


class PagingMachine(Driven):
    """A state machine that reads pages and changes their comments in between."""

    harness: ClassVar[HotCommentReaders]

    @initialize(who=people, first=sizes)
    def begin(self, who: int, first: int) -> None:
        self.run(self.harness.begin())
        self.run(self.harness.open(who, first))

    @rule(who=people, first=sizes)
    def open(self, who: int, first: int) -> None:
        self.run(self.harness.open(who, first))

    @rule(which=lists, first=sizes)
    def read_on(self, which: int, first: int) -> None:
        self.run(self.harness.read_on(which, first))

    @precondition(lambda self: any(reading.pages[1:] for reading in self.harness.readings))
    @rule(which=lists)
    def read_again(self, which: int) -> None:
        self.run(self.harness.read_again(which))

    @rule(verb=st.sampled_from(["like", "dislike", "unlike"]), who=people, which=comments)
    def react(self, verb: str, who: int, which: int) -> None:
        self.run(self.harness.react(verb, who, which))

    @rule(who=people, to=comments)
    def reply(self, who: int, to: int) -> None:
        self.run(self.harness.reply(who, to))

    @rule(who=people)
    def say(self, who: int) -> None:
        self.run(self.harness.say(who))

    @rule(which=comments)
    def delete(self, which: int) -> None:
        self.run(self.harness.delete(which))

    @rule(which=comments, decision=st.sampled_from(["APPROVE", "REJECT"]))
    def moderate(self, which: int, decision: str) -> None:
        self.run(self.harness.moderate(which, decision))

    @rule()
    def publish(self) -> None:
        self.run(self.harness.system.drain())

    @rule()
    def evict(self) -> None:
        self.run(self.harness.evict())

    @rule()
    def forget(self) -> None:
        self.run(self.harness.forget())

    def teardown(self) -> None:
        self.run(self.harness.finish())


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[PagingMachine]]:
    settings = make_settings(
        moderation=LENIENT, caches={"hot_comments": RANKED}, limits=LIMITLESS, local_cache_seconds=0
    )
    with alive(PagingMachine, HotCommentReaders, settings) as machine:
        yield machine


@standalone
def test_no_comment_comes_twice_and_no_lasting_comment_is_missing(machine: type[PagingMachine]) -> None:
    run_state_machine_as_test(machine, settings=profile(FIXED_HISTORIES, max_examples=6, stateful_step_count=25))


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_no_comment_comes_twice_and_no_lasting_comment_is_missing_in_very_many_histories(
    machine: type[PagingMachine],
) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
