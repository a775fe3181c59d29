"""Any history of follows between people of two partitions, with workers that die, sleep, wake and cross, and caches
that forget: everybody is shown what they did at once, and whenever it is quiet everything agrees.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, Phase
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from settings import Settings
from tests.follows.model import Request
from tests.follows.world import CACHES, World
from tests.likes.stage import DEVICES
from tests.system import running

people = st.integers(0, 3)
verbs = st.sampled_from(["follow", "follow", "unfollow"])
wishes = st.tuples(
    people, st.sampled_from(DEVICES), verbs, people, st.sampled_from([None, None, None, "k1", "k2"])
).filter(lambda wish: wish[0] != wish[3] or wish[4] is not None)
"""Who, where, verb, whom, idempotency key; only few follow themselves."""
pairs = st.tuples(people, people).filter(lambda pair: pair[0] != pair[1])


class FollowsMachine(RuleBasedStateMachine):
    """Every rule is one thing that can happen; it checks what the people it happens to are shown."""

    world: ClassVar[World]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.world.sleepers.clear()  # which rules there are depends on them, and they were another example's

    @initialize(follows=st.sets(pairs))
    def begin(self, follows: set[tuple[int, int]]) -> None:
        self.run(self.world.begin())
        for who, whom in sorted(follows):
            self.run(self.world.one_change(self.request(who, "phone", "follow", whom)))
        self.run(self.world.work())
        self.run(self.world.sweep())

    def run(self, happening: Coroutine[Any, Any, Any]) -> None:
        """On the loop on which the application lives."""
        self.runner.run(happening)

    def request(self, who: int, device: str, verb: str, whom: int, key: str | None = None) -> Request:
        return Request(self.world.users[who], device, verb, self.world.users[whom], key)

    @rule(asked=st.lists(wishes, min_size=1, max_size=4))
    def follow(self, asked: list[Any]) -> None:
        for one in asked:
            self.run(self.world.one_change(self.request(*one)))

    @rule(asked=st.lists(wishes, min_size=2, max_size=4, unique_by=lambda wish: wish[0]), working=st.booleans())
    def follow_at_the_same_time(self, asked: list[Any], working: bool) -> None:
        self.run(self.world.at_once([self.request(*one) for one in asked], working=working))

    @rule(pair=pairs, both=st.tuples(verbs, verbs), working=st.booleans())
    def follow_from_two_devices_at_once(self, pair: tuple[int, int], both: tuple[str, str], working: bool) -> None:
        asked = [self.request(pair[0], device, verb, pair[1]) for device, verb in zip(DEVICES, both, strict=True)]
        self.run(self.world.at_once(asked, working=working))

    @rule(pair=pairs, there=verbs, back=verbs, stored_first=st.booleans())
    def cross(self, pair: tuple[int, int], there: str, back: str, stored_first: bool) -> None:
        self.run(self.world.one_change(self.request(pair[0], "phone", there, pair[1])))
        if stored_first:
            self.run(self.world.work())
        self.run(self.world.one_change(self.request(pair[1], "phone", back, pair[0])))
        self.run(self.world.look(self.world.users[pair[0]]))
        self.run(self.world.work_in_two_lanes())
        self.run(self.world.look(self.world.users[pair[1]]))

    @rule(pair=pairs, minds=st.tuples(verbs, verbs, verbs))
    def change_a_mind_between_commit_and_sweep(self, pair: tuple[int, int], minds: tuple[str, str, str]) -> None:
        before, between, after = (self.request(pair[0], "phone", verb, pair[1]) for verb in minds)
        self.run(self.world.one_change(before))
        self.run(self.world.work())
        self.run(self.world.one_change(between))
        self.run(self.world.sweep())
        self.run(self.world.one_change(after))

    @rule(who=people, device=st.sampled_from(DEVICES))
    def look(self, who: int, device: str) -> None:
        self.run(self.world.look(self.world.users[who], device))

    @rule()
    def work(self) -> None:
        self.run(self.world.work())

    @rule()
    def work_in_two_lanes(self) -> None:
        self.run(self.world.work_in_two_lanes())

    @rule()
    def sweep(self) -> None:
        self.run(self.world.sweep())

    @rule(caches=st.sets(st.sampled_from([*CACHES, "follows"]), min_size=1), who=people)
    def evict(self, caches: set[str], who: int) -> None:
        self.run(self.world.evict(caches, self.world.users[who]))

    @rule(
        asked=st.lists(wishes, max_size=3),
        where=st.sampled_from(["before commit", "between commit and publish", "between publish and trim"]),
    )
    def die(self, asked: list[Any], where: str) -> None:
        self.follow(asked)
        self.run(self.world.die(where))

    @rule(asked=st.lists(wishes, max_size=3), committed=st.booleans())
    def fall_asleep(self, asked: list[Any], committed: bool) -> None:
        self.follow(asked)
        self.run(self.world.fall_asleep(committed=committed))

    @precondition(lambda self: bool(self.world.sleepers))
    @rule()
    def wake(self) -> None:
        self.run(self.world.wake())

    @rule(tail=st.sampled_from([0.0, 60.0]), batch_entries=st.sampled_from([1, 4, 500]))
    def hire_somebody_else(self, tail: float, batch_entries: int) -> None:
        self.run(self.world.hire(tail=tail, batch_entries=batch_entries))

    @rule()
    def be_quiet(self) -> None:
        self.run(self.world.quiet())

    @rule()
    def forget_redis(self) -> None:
        self.run(self.world.forget_redis())

    def teardown(self) -> None:
        self.run(self.world.hire(tail=0.0))
        self.run(self.world.quiet())


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[FollowsMachine]]:
    """The machine over an application of its own, on a loop of its own, where cached lists are too short for all."""
    short = make_settings().model_copy(update={"cached_followers": 2})
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        application = running(short)
        system = runner.run(application.__aenter__())
        yield type("Follows", (FollowsMachine,), {"world": World(system), "runner": runner})
        runner.run(application.__aexit__(None, None, None))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_any_history_of_follows_adds_up(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=profile(
            max_examples=8,
            stateful_step_count=25,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_follows_add_up(machine: type[FollowsMachine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=profile(
            max_examples=100,
            stateful_step_count=40,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
