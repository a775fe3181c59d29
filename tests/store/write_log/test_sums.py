"""The sum of an owner's received likes tells the same as all reactions to the owner's things.

Random changes of one actor, some of them without knowledge of the earlier reaction, are swept in any order.
"""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from models.counters import Counter, EntityRef
from models.likes import Reaction
from settings import USERS, Settings
from store.reactions.likes import UNKNOWN, Known, ReactionTarget, Verb
from store.write_log.operations import Operation, Outcome
from store.write_log.pending import REACT, RECEIVED, Pending, PublishedChange, is_known, overlay
from tests.support.system import System, running

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

OWEN, OLGA = 91, 92
THINGS = {1: OWEN, 2: OWEN, 3: OLGA, 4: None}
VALUE = 1000
NUMBERS = itertools.count(1)

Step = tuple[Verb, int, bool] | int
"""A change (a verb, a thing, whether the earlier reaction is known), or the place of the change to sweep among those
that are not swept.
"""
CHANGES = st.tuples(st.sampled_from(list(Verb)), st.sampled_from(list(THINGS)), st.sampled_from([True, True, False]))
STEPS = st.lists(st.one_of(CHANGES, CHANGES, st.sampled_from([0, 0, 0, 1, 2, 5])), min_size=5, max_size=40)


@dataclass
class Actor:
    """A user who reacts, and what the test knows about the changes."""

    system: System
    user_id: int
    states: dict[int, int] = field(default_factory=lambda: dict.fromkeys(THINGS, 0))
    changes: list[tuple[int, int, bool]] = field(default_factory=list)
    """The changes that are not swept: version, thing, and whether the change may have changed the number of likes."""
    swept: dict[int | None, int] = field(default_factory=dict)
    """The newest swept change of the likes of each owner."""

    async def react(self, verb: Verb, thing: int, known: bool) -> None:
        """Reacts to a thing. Unless `known`, neither the cache nor Postgres tells the earlier reaction."""
        state, was, ref = self.system.state, self.states[thing], self.ref(thing)
        pending = (await state.pending.get(self.user_id)).of(REACT, ref)
        blind = not known and not pending and verb.is_absolute
        await state.reactions.forget([self.user_id], [ref.business_id])
        score = 2 + (was == Reaction.DISLIKE) if was else 0
        truth = Known(score, await state.reactions.clock_ms(self.user_id, ref.business_id))
        target = ReactionTarget(state.businesses_by_id[ref.business_id], thing, THINGS[thing])
        operation = Operation(("", str(next(NUMBERS))), "", 60_000)
        outcome = await state.reactions.react(self.user_id, verb, target, operation, b"{}", UNKNOWN if blind else truth)
        assert isinstance(outcome, Outcome)
        self.states[thing] = verb.after(was)
        if self.states[thing] != was or blind:
            counts = blind or Reaction.LIKE in (was, self.states[thing])
            self.changes.append((await self.newest(), thing, counts))

    async def newest(self) -> int:
        """Returns the version of the newest change in the actor's journal."""
        partition = self.system.state.keys.partition_of(self.user_id)
        return (await self.system.state.journals.opened([partition]))[partition].last

    async def sweep(self, place: int) -> None:
        """Removes a change, and earlier ones of its thing, from the pending changes, as after its publication."""
        version, thing, _ = self.changes[place]
        gone = [one for one in self.changes if one[1] == thing and one[0] <= version]
        counted, owner = [at for at, _, counts in gone if counts], THINGS[thing]
        self.swept[owner] = max([self.swept.get(owner, 0), *counted])
        self.changes = [one for one in self.changes if one not in gone]
        await self.system.state.pending.sweep([PublishedChange(self.user_id, (REACT, self.ref(thing)), version)])

    async def check(self) -> None:
        """Expects that the sums tell the same as the reactions, whatever changes a counter includes."""
        pending, newest = await self.system.state.pending.get(self.user_id), await self.newest()
        for owner in (OWEN, OLGA):
            things = [thing for thing, of in THINGS.items() if of == owner]
            histories = [history for thing in things for history in pending.of(REACT, self.ref(thing))]
            sums = pending.of(RECEIVED, EntityRef(USERS, owner))
            for included in {0, *(version for version, _, _ in self.changes), newest}:
                if included >= self.included_by_all(owner):
                    counter = Counter(VALUE, {str(pending.partition): included})
                    assert seen(counter, pending, sums, int) == seen(counter, pending, histories, is_like)

    def included_by_all(self, owner: int) -> int:
        """Returns a change of an owner's likes that all counters in use include. It is the newest swept change. If that
        is older than all others, it may be a dead letter, which no counter includes.
        """
        swept = self.swept.get(owner, 0)
        left = [version for version, thing, _ in self.changes if THINGS[thing] == owner]
        return swept if any(version < swept for version in left) else 0

    @staticmethod
    def ref(thing: int) -> EntityRef:
        return EntityRef(100, thing)


def is_like(state: int) -> int:
    return int(state == Reaction.LIKE)


def seen(counter: Counter, pending: Pending, histories: Any, weight: Callable[[int], int]) -> int | None:
    """Returns the value of a counter with pending changes; None if it is unknown."""
    if not is_known(counter, pending.partition, histories):
        return None
    return overlay(counter, pending.partition, histories, weight)


Play = Callable[[Callable[[System], Coroutine[Any, Any, None]]], None]


@pytest.fixture
def play(make_settings: Callable[..., Settings]) -> Iterator[Play]:
    """Runs examples with one system."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        application = running(make_settings())
        system = runner.run(application.__aenter__())
        yield lambda example: runner.run(example(system))
        runner.run(application.__aexit__(None, None, None))


@pytest.mark.timeout(300)
def test_a_sum_tells_the_same_as_all_reactions(play: Play) -> None:
    @profile(max_examples=150, derandomize=True, database=None, deadline=None)
    @given(STEPS)
    def check(steps: list[Step]) -> None:
        async def example(system: System) -> None:
            actor = Actor(system, next(NUMBERS))
            for step in steps:
                if isinstance(step, tuple):
                    await actor.react(*step)
                elif actor.changes:
                    await actor.sweep(step % len(actor.changes))
                await actor.check()
            while actor.changes:
                await actor.sweep(-1)
            assert (await system.state.pending.get(actor.user_id)).histories == {}

        play(example)

    check()
