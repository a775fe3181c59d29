"""Random histories of reactions of several users on several devices, with workers that crash and pause, and a Redis
that loses its data. Every answer is right at once. After every drain, stores and answers agree with the model.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from settings import Settings
from tests.support.reaction_example import DEVICES
from tests.support.reaction_harness import PAGE, ReactionHarness
from tests.support.reaction_model import Request
from tests.support.state_machine import DEATHS, FIXED_HISTORIES, VERY_MANY, Machine, alive
from tests.support.system import System

people = st.integers(0, 2)
things = st.sampled_from([0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 8])
verbs = st.sampled_from(["like", "like", "unlike", "dislike", "undislike"])
keys = st.sampled_from([None, None, None, "k1", "k2"])
requests = st.tuples(people, st.sampled_from(DEVICES), verbs, things, keys, st.sampled_from([None, None, "feed"]))
"""User, device, verb, target, idempotency key and source. User and target are numbers within the example."""


class LikesMachine(Machine):
    """A state machine of users who react, workers and caches."""

    @initialize()
    def begin(self) -> None:
        self.run(self.harness.begin())

    def request(
        self, who: int, device: str, verb: str, what: int, key: str | None = None, source: str | None = None
    ) -> Request:
        return Request(self.harness.users[who], device, verb, self.harness.model.things[what], key, source)

    def ask(self, *asked: Any) -> None:
        """Sends requests one after the other."""
        for one in asked:
            self.run(self.harness.send(self.request(*one)))

    @rule(what=things, asked=st.lists(requests, min_size=1, max_size=5))
    def react_to_one_thing(self, what: int, asked: list[Any]) -> None:
        self.ask(*[(who, device, verb, what, key, source) for who, device, verb, _, key, source in asked])

    @rule(asked=requests)
    def react(self, asked: Any) -> None:
        self.ask(asked)

    @rule(asked=st.lists(requests, min_size=2, max_size=3), working=st.booleans())
    def react_concurrently(self, asked: list[Any], working: bool) -> None:
        self.run(self.harness.send_concurrently([self.request(*one) for one in asked], working=working))

    @rule(
        who=people,
        what=things,
        pair=st.tuples(verbs, verbs) | verbs.map(lambda verb: (verb, verb)),
        working=st.booleans(),
    )
    def react_to_one_thing_from_two_devices_concurrently(
        self, who: int, what: int, pair: tuple[str, str], working: bool
    ) -> None:
        asked = [self.request(who, device, verb, what) for device, verb in zip(DEVICES, pair, strict=True)]
        self.run(self.harness.send_concurrently(asked, working=working))

    @rule(who=people, verb=st.sampled_from(["like", "like", "unlike"]))
    def react_to_more_things_than_are_cached(self, who: int, verb: str) -> None:
        self.ask(*[(who, "phone", verb, what) for what in range(7)])

    @rule(who=people, what=things, choices=st.tuples(verbs, verbs, verbs))
    def change_between_commit_and_sweep(self, who: int, what: int, choices: tuple[str, str, str]) -> None:
        before, between, after = ((who, "phone", verb, what) for verb in choices)
        self.ask(before)
        self.run(self.harness.work())
        self.ask(between)
        self.run(self.harness.sweep())
        self.ask(after)

    @rule(who=people, device=st.sampled_from(DEVICES))
    def check_view(self, who: int, device: str) -> None:
        self.run(self.harness.check_view(self.harness.users[who], device))

    @rule(asked=st.lists(requests, max_size=3), where=DEATHS)
    def crash_worker(self, asked: list[Any], where: str) -> None:
        self.ask(*asked)
        self.run(self.harness.crash_worker(where))

    @rule(asked=st.lists(requests, max_size=3), committed=st.booleans())
    def suspend_worker(self, asked: list[Any], committed: bool) -> None:
        self.ask(*asked)
        self.run(self.harness.suspend_worker(committed=committed))


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[LikesMachine]]:
    with alive(LikesMachine, ReactionHarness, make_settings()) as machine:
        yield machine


@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_every_history_of_likes_agrees_with_the_model(machine: type[LikesMachine]) -> None:
    run_state_machine_as_test(machine, settings=FIXED_HISTORIES)


@pytest.mark.parametrize("verb", ["like", "unlike"])
async def test_concurrent_requests_of_two_devices_with_a_cold_cache_count_once(system: System, verb: str) -> None:
    (video,) = await system.videos("v1")
    alice, phone = system.person("alice"), system.person("alice", device_id="phone")
    if verb == "unlike":
        await alice.like(video)
    await system.drain()
    await system.empty_redis()

    await asyncio.gather(alice.react(verb, video), phone.react(verb, video))
    await system.drain()

    shown = (await alice.ask(PAGE, ids=[video]))["nodes"]
    liked = verb == "like"
    assert shown == [reacted(video, likes=int(liked), reaction="LIKE" if liked else None)]
    assert (await alice.react(verb, video))["target"] == shown[0]


def reacted(video: str, *, likes: int, reaction: str | None) -> dict[str, object]:
    return {"id": video, "likeCount": likes, "dislikeCount": 0, "viewerReaction": reaction}


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_likes_agree_with_the_model(machine: type[LikesMachine]) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
