"""Random histories of follows between users of two partitions, with workers that crash, pause and run concurrently, and
with evicted caches. Users see their own changes at once. After every drain, stores and answers agree with the model.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from settings import Settings
from tests.features.follows.harness import CACHES, FollowHarness
from tests.support.follow_model import Request
from tests.support.reaction_example import DEVICES
from tests.support.state_machine import DEATHS, FIXED_HISTORIES, VERY_MANY, Machine, alive

people = st.integers(0, 3)
verbs = st.sampled_from(["follow", "follow", "unfollow"])
requests = st.tuples(
    people, st.sampled_from(DEVICES), verbs, people, st.sampled_from([None, None, None, "k1", "k2"])
).filter(lambda request: request[0] != request[3] or request[4] is not None)
"""User, device, verb, target and idempotency key. Users target themselves only with a key, which is rare."""
pairs = st.tuples(people, people).filter(lambda pair: pair[0] != pair[1])


class FollowsMachine(Machine):
    """A state machine of users who follow each other, workers and caches."""

    harness: ClassVar[FollowHarness]

    @initialize(follows=st.sets(pairs))
    def begin(self, follows: set[tuple[int, int]]) -> None:
        self.run(self.harness.begin())
        for who, target in sorted(follows):
            self.run(self.harness.send_change(self.request(who, "phone", "follow", target)))
        self.run(self.harness.work())
        self.run(self.harness.sweep())

    def request(self, who: int, device: str, verb: str, target: int, key: str | None = None) -> Request:
        return Request(self.harness.users[who], device, verb, self.harness.users[target], key)

    @rule(asked=st.lists(requests, min_size=1, max_size=4))
    def follow(self, asked: list[Any]) -> None:
        for one in asked:
            self.run(self.harness.send_change(self.request(*one)))

    @rule(asked=st.lists(requests, min_size=2, max_size=4, unique_by=lambda request: request[0]), working=st.booleans())
    def follow_concurrently(self, asked: list[Any], working: bool) -> None:
        self.run(self.harness.send_changes_concurrently([self.request(*one) for one in asked], working=working))

    @rule(pair=pairs, both=st.tuples(verbs, verbs), working=st.booleans())
    def follow_from_two_devices_concurrently(self, pair: tuple[int, int], both: tuple[str, str], working: bool) -> None:
        asked = [self.request(pair[0], device, verb, pair[1]) for device, verb in zip(DEVICES, both, strict=True)]
        self.run(self.harness.send_changes_concurrently(asked, working=working))

    @rule(pair=pairs, there=verbs, back=verbs, stored_first=st.booleans())
    def cross(self, pair: tuple[int, int], there: str, back: str, stored_first: bool) -> None:
        self.run(self.harness.send_change(self.request(pair[0], "phone", there, pair[1])))
        if stored_first:
            self.run(self.harness.work())
        self.run(self.harness.send_change(self.request(pair[1], "phone", back, pair[0])))
        self.run(self.harness.check_view(self.harness.users[pair[0]]))
        self.run(self.harness.work_concurrently())
        self.run(self.harness.check_view(self.harness.users[pair[1]]))

    @rule(pair=pairs, choices=st.tuples(verbs, verbs, verbs))
    def change_between_commit_and_sweep(self, pair: tuple[int, int], choices: tuple[str, str, str]) -> None:
        before, between, after = (self.request(pair[0], "phone", verb, pair[1]) for verb in choices)
        self.run(self.harness.send_change(before))
        self.run(self.harness.work())
        self.run(self.harness.send_change(between))
        self.run(self.harness.sweep())
        self.run(self.harness.send_change(after))

    @rule(who=people, device=st.sampled_from(DEVICES))
    def check_view(self, who: int, device: str) -> None:
        self.run(self.harness.check_view(self.harness.users[who], device))

    @rule()
    def work_concurrently(self) -> None:
        self.run(self.harness.work_concurrently())

    @rule(caches=st.sets(st.sampled_from([*CACHES, "follows"]), min_size=1), who=people)
    def evict(self, caches: set[str], who: int) -> None:
        self.run(self.harness.evict(caches, self.harness.users[who]))

    @rule(asked=st.lists(requests, max_size=3), where=DEATHS)
    def crash_worker(self, asked: list[Any], where: str) -> None:
        self.follow(asked)
        self.run(self.harness.crash_worker(where))

    @rule(asked=st.lists(requests, max_size=3), committed=st.booleans())
    def suspend_worker(self, asked: list[Any], committed: bool) -> None:
        self.follow(asked)
        self.run(self.harness.suspend_worker(committed=committed))


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[FollowsMachine]]:
    """Yields a machine whose cached lists are too short for all followers."""
    settings = make_settings()
    caches = settings.caches.model_copy(update={"followers": 2})
    with alive(FollowsMachine, FollowHarness, settings.model_copy(update={"caches": caches})) as machine:
        yield machine


@pytest.mark.prove
@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_every_history_of_follows_agrees_with_the_model(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(machine, settings=FIXED_HISTORIES)


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_follows_agree_with_the_model(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
