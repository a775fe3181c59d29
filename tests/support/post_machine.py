"""Hypothesis rules for people who write, and for the workers that store what they write."""

from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from tests.support.post_harness import PostHarness
from tests.support.state_machine import DEATHS, Machine

authors = st.integers(0, 2)
moderators = st.integers(0, 1)
partitions = st.sets(st.integers(0, 3), min_size=1, max_size=3)


class Writing(Machine):
    """A state machine whose partitions run ahead of each other, and whose workers crash or are suspended."""

    harness: ClassVar[PostHarness]

    @initialize()
    def begin(self) -> None:
        self.run(self.harness.begin())

    @rule(partitions=partitions)
    def work_at(self, partitions: set[int]) -> None:
        self.run(self.harness.work_at(partitions))

    @rule()
    def work_in_two_lanes(self) -> None:
        self.run(self.harness.work_in_two_lanes())

    @rule(who=authors)
    def check_view(self, who: int) -> None:
        self.run(self.harness.check_view(self.harness.users[who]))

    @rule(where=DEATHS)
    def crash_worker(self, where: str) -> None:
        self.run(self.harness.crash_worker(where))

    @rule(committed=st.booleans())
    def suspend_worker(self, committed: bool) -> None:
        self.run(self.harness.suspend_worker(committed=committed))
