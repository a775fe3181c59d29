"""Any history of likes, of several people on several devices, with workers that die, sleep and wake, and a Redis that
forgets: every answer is right at once, and whenever it is quiet everything agrees.
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
from tests.likes.model import Request
from tests.likes.stage import DEVICES
from tests.likes.world import PAGE, World
from tests.system import System, running

people = st.integers(0, 2)
things = st.sampled_from([0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 8])
verbs = st.sampled_from(["like", "like", "unlike", "dislike", "undislike"])
keys = st.sampled_from([None, None, None, "k1", "k2"])
wishes = st.tuples(people, st.sampled_from(DEVICES), verbs, things, keys, st.sampled_from([None, None, "feed"]))
"""Who, where, verb, what, idempotency key, source: a request before it is known whose example it belongs to."""


class LikesMachine(RuleBasedStateMachine):
    """Every rule is one thing that can happen; it checks what the people it happens to are shown."""

    world: ClassVar[World]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.world.sleepers.clear()  # which rules there are depends on them, and they were another example's

    @initialize()
    def begin(self) -> None:
        self.run(self.world.begin())

    def run(self, happening: Coroutine[Any, Any, Any]) -> None:
        """On the loop on which the application lives."""
        self.runner.run(happening)

    def request(self, who: int, device: str, verb: str, what: int, key: str | None, source: str | None) -> Request:
        return Request(self.world.users[who], device, verb, self.world.model.things[what], key, source)

    @rule(what=things, asked=st.lists(wishes, min_size=1, max_size=5))
    def react_to_one_thing(self, what: int, asked: list[Any]) -> None:
        for who, device, verb, _, key, source in asked:
            self.run(self.world.one(self.request(who, device, verb, what, key, source)))

    @rule(asked=wishes)
    def react(self, asked: Any) -> None:
        self.run(self.world.one(self.request(*asked)))

    @rule(asked=st.lists(wishes, min_size=2, max_size=3), working=st.booleans())
    def react_at_the_same_time(self, asked: list[Any], working: bool) -> None:
        self.run(self.world.together([self.request(*one) for one in asked], working=working))

    @rule(
        who=people,
        what=things,
        pair=st.tuples(verbs, verbs) | verbs.map(lambda verb: (verb, verb)),
        working=st.booleans(),
    )
    def react_to_one_thing_from_two_devices_at_once(
        self, who: int, what: int, pair: tuple[str, str], working: bool
    ) -> None:
        asked = [(who, device, verb, what, None, None) for device, verb in zip(DEVICES, pair, strict=True)]
        self.run(self.world.together([self.request(*one) for one in asked], working=working))

    @rule(who=people, verb=st.sampled_from(["like", "like", "unlike"]))
    def react_to_more_than_the_cache_keeps(self, who: int, verb: str) -> None:
        for what in range(7):
            self.run(self.world.one(self.request(who, "phone", verb, what, None, None)))

    @rule(who=people, what=things, minds=st.tuples(verbs, verbs, verbs))
    def change_a_mind_between_commit_and_sweep(self, who: int, what: int, minds: tuple[str, str, str]) -> None:
        before, between, after = (self.request(who, "phone", verb, what, None, None) for verb in minds)
        self.run(self.world.one(before))
        self.run(self.world.work())
        self.run(self.world.one(between))
        self.run(self.world.sweep())
        self.run(self.world.one(after))

    @rule(who=people, device=st.sampled_from(DEVICES))
    def look(self, who: int, device: str) -> None:
        self.run(self.world.look(self.world.users[who], device))

    @rule()
    def work(self) -> None:
        self.run(self.world.work())

    @rule()
    def sweep(self) -> None:
        self.run(self.world.sweep())

    @rule(
        asked=st.lists(wishes, max_size=3),
        where=st.sampled_from(["before commit", "between commit and publish", "between publish and trim"]),
    )
    def die(self, asked: list[Any], where: str) -> None:
        for one in asked:
            self.run(self.world.one(self.request(*one)))
        self.run(self.world.die(where))

    @rule(asked=st.lists(wishes, max_size=3), committed=st.booleans())
    def fall_asleep(self, asked: list[Any], committed: bool) -> None:
        for one in asked:
            self.run(self.world.one(self.request(*one)))
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
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[LikesMachine]]:
    """The machine over an application of its own, on a loop of its own."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        application = running(make_settings())
        system = runner.run(application.__aenter__())
        yield type("Likes", (LikesMachine,), {"world": World(system), "runner": runner})
        runner.run(application.__aexit__(None, None, None))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_any_history_of_likes_adds_up(machine: type[LikesMachine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=profile(
            max_examples=15,
            stateful_step_count=30,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("verb", ["like", "unlike"])
async def test_two_devices_that_find_the_cache_cold_at_once_do_not_undo_each_other(system: System, verb: str) -> None:
    (video,) = await system.videos("v1")
    alice, on_her_phone = system.person("alice"), system.person("alice", device_id="phone")
    if verb == "unlike":
        await alice.like(video)
    await system.drain()
    await system.empty_redis()

    await asyncio.gather(alice.react(verb, video), on_her_phone.react(verb, video))
    await system.drain()

    shown = (await alice.ask(PAGE, ids=[video]))["nodes"]
    liked = verb == "like"
    assert shown == [reacted(video, likes=int(liked), reaction="LIKE" if liked else None)]
    assert (await alice.react(verb, video))["target"] == shown[0]


def reacted(video: str, *, likes: int, reaction: str | None) -> dict[str, object]:
    return {"id": video, "likeCount": likes, "dislikeCount": 0, "viewerReaction": reaction}


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_likes_add_up(machine: type[LikesMachine]) -> None:
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
