"""Any history of follows between people of two partitions, with workers that die, sleep, wake and cross, and caches
that forget: everybody is shown what they did at once, and whenever it is quiet everything agrees.
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
from tests.support.state_machine import DEATHS, THE_SAME_ONES, VERY_MANY, Machine, alive

people = st.integers(0, 3)
verbs = st.sampled_from(["follow", "follow", "unfollow"])
wishes = st.tuples(
    people, st.sampled_from(DEVICES), verbs, people, st.sampled_from([None, None, None, "k1", "k2"])
).filter(lambda wish: wish[0] != wish[3] or wish[4] is not None)
"""Who, where, verb, whom, idempotency key; only few follow themselves."""
pairs = st.tuples(people, people).filter(lambda pair: pair[0] != pair[1])


class FollowsMachine(Machine):
    """What happens to people who follow each other."""

    harness: ClassVar[FollowHarness]

    @initialize(follows=st.sets(pairs))
    def begin(self, follows: set[tuple[int, int]]) -> None:
        self.run(self.harness.begin())
        for who, whom in sorted(follows):
            self.run(self.harness.one_change(self.request(who, "phone", "follow", whom)))
        self.run(self.harness.work())
        self.run(self.harness.sweep())

    def request(self, who: int, device: str, verb: str, whom: int, key: str | None = None) -> Request:
        return Request(self.harness.users[who], device, verb, self.harness.users[whom], key)

    @rule(asked=st.lists(wishes, min_size=1, max_size=4))
    def follow(self, asked: list[Any]) -> None:
        for one in asked:
            self.run(self.harness.one_change(self.request(*one)))

    @rule(asked=st.lists(wishes, min_size=2, max_size=4, unique_by=lambda wish: wish[0]), working=st.booleans())
    def follow_at_the_same_time(self, asked: list[Any], working: bool) -> None:
        self.run(self.harness.at_once([self.request(*one) for one in asked], working=working))

    @rule(pair=pairs, both=st.tuples(verbs, verbs), working=st.booleans())
    def follow_from_two_devices_at_once(self, pair: tuple[int, int], both: tuple[str, str], working: bool) -> None:
        asked = [self.request(pair[0], device, verb, pair[1]) for device, verb in zip(DEVICES, both, strict=True)]
        self.run(self.harness.at_once(asked, working=working))

    @rule(pair=pairs, there=verbs, back=verbs, stored_first=st.booleans())
    def cross(self, pair: tuple[int, int], there: str, back: str, stored_first: bool) -> None:
        self.run(self.harness.one_change(self.request(pair[0], "phone", there, pair[1])))
        if stored_first:
            self.run(self.harness.work())
        self.run(self.harness.one_change(self.request(pair[1], "phone", back, pair[0])))
        self.run(self.harness.check_view(self.harness.users[pair[0]]))
        self.run(self.harness.work_in_two_lanes())
        self.run(self.harness.check_view(self.harness.users[pair[1]]))

    @rule(pair=pairs, minds=st.tuples(verbs, verbs, verbs))
    def change_a_mind_between_commit_and_sweep(self, pair: tuple[int, int], minds: tuple[str, str, str]) -> None:
        before, between, after = (self.request(pair[0], "phone", verb, pair[1]) for verb in minds)
        self.run(self.harness.one_change(before))
        self.run(self.harness.work())
        self.run(self.harness.one_change(between))
        self.run(self.harness.sweep())
        self.run(self.harness.one_change(after))

    @rule(who=people, device=st.sampled_from(DEVICES))
    def check_view(self, who: int, device: str) -> None:
        self.run(self.harness.check_view(self.harness.users[who], device))

    @rule()
    def work_in_two_lanes(self) -> None:
        self.run(self.harness.work_in_two_lanes())

    @rule(caches=st.sets(st.sampled_from([*CACHES, "follows"]), min_size=1), who=people)
    def evict(self, caches: set[str], who: int) -> None:
        self.run(self.harness.evict(caches, self.harness.users[who]))

    @rule(asked=st.lists(wishes, max_size=3), where=DEATHS)
    def crash_worker(self, asked: list[Any], where: str) -> None:
        self.follow(asked)
        self.run(self.harness.crash_worker(where))

    @rule(asked=st.lists(wishes, max_size=3), committed=st.booleans())
    def suspend_worker(self, asked: list[Any], committed: bool) -> None:
        self.follow(asked)
        self.run(self.harness.suspend_worker(committed=committed))


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[FollowsMachine]]:
    """Where cached lists are too short for all."""
    with alive(FollowsMachine, FollowHarness, make_settings().model_copy(update={"cached_followers": 2})) as machine:
        yield machine


@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_any_history_of_follows_adds_up(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(machine, settings=THE_SAME_ONES)


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_follows_add_up(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
