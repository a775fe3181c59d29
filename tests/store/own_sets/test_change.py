"""The script that changes an own set: every combination of what is pending, cached and known, against a model."""

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from domain.versions import entry_id
from models.counters import EntityRef
from models.own_sets import Transition
from settings import USERS
from store.own_sets.kinds import KINDS
from store.own_sets.own_sets import UNKNOWN, OwnSets, _Cold
from store.write_log.operations import Operation, Outcome, Status
from store.write_log.pending import field_of
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone
OLD = 5000
"""A moment below the age of every object."""
BEFORE = entry_id(7)
STATES = 0, 1, 2
AT_ONCE = 200


class Case(NamedTuple):
    """The state before a change, and the change. `floor` is None if the set is cold, and 1 << 52 if the object is too
    old for it. `known` is what was read from rows; None if nothing was read.
    """

    pending: int | None
    cached: int
    floor: int | None
    known: int | str | None
    to: int
    only: int | None
    must_be: bool

    def was(self, *, limited: bool) -> int | str | None:
        """Returns the state before the change; None if the script cannot know it."""
        if limited and self.floor is None and self.known != UNKNOWN:
            return None
        if self.pending is not None:
            return self.pending
        if self.cached:
            return self.cached
        if self.floor == 0:
            return 0
        return self.known

    def after(self, was: int | str) -> int | str:
        """Returns the state after the change."""
        return self.to if self.only is None or was in (UNKNOWN, self.only) else was


def cases(*, limited: bool) -> Iterator[Case]:
    """Yields every combination. A set with a limit has no floor above 0."""
    floors = (None, 0) if limited else (None, 0, 1 << 52)
    known = (None, *STATES, UNKNOWN)
    yield from map(Case._make, product((None, *STATES), STATES, floors, known, STATES, (None, *STATES), (False, True)))


@pytest.mark.parametrize("kind", ["react", "follow"])
async def test_every_change_has_the_result_of_the_model(system: System, kind: str) -> None:
    """`react` stands for the sets that have a floor, `follow` for those with a limit."""
    every = list(cases(limited=kind == "follow"))
    for at in range(0, len(every), AT_ONCE):
        some = enumerate(every[at : at + AT_ONCE], at)
        await asyncio.gather(*[check(system, kind, 10_000 + number, case) for number, case in some])


async def check(system: System, kind: str, user_id: int, case: Case) -> None:
    own_sets, keys = system.state.own_sets, system.state.keys
    ref = EntityRef(USERS if kind == "follow" else 100, system.state.new_id())
    set_key, pending = own_sets.key(kind, user_id, ref.business_id), keys.pending(user_id, kind)
    await prepare(system, kind, user_id, ref, case)
    asked_ms = await own_sets.clock_ms(kind, user_id, ref.business_id)

    transition = Transition(kind, ref, case.to, b"{}", case.only, case.must_be)
    answer = await run(own_sets, user_id, transition, case.known, asked_ms)

    history = await system.state.redis("HGET", pending, field_of(kind, ref))
    score = await system.state.redis("ZSCORE", set_key, ref.entity_id)
    held = 0 if score is None else 2 if score.startswith(b"-") else 1
    before = None if case.pending is None else f"0 {BEFORE}={case.pending}"
    was = case.was(limited=kind == "follow")
    if was is None:
        assert isinstance(answer, _Cold), case
        assert (answer.what, answer.has_floor) == ("set", case.floor is not None), case
    else:
        assert isinstance(answer, Outcome), case
    if was is None or (case.must_be and was == 0):
        assert isinstance(answer, _Cold) or answer.status is Status.ABSENT, case
        assert (history and history.decode(), held) == (before, case.cached), case
        return
    assert isinstance(answer, Outcome), case
    assert answer.after, case
    after = case.after(was)
    assert (answer.status, answer.after.state, answer.value is None) == (Status.DONE, after, after == was), case
    if after == was:
        assert (history and history.decode(), held) == (before, case.cached), case
    else:
        assert history.decode() == f"{before or was} {answer.value}={after}", case
        assert held == after, case


async def prepare(system: System, kind: str, user_id: int, ref: EntityRef, case: Case) -> None:
    """Stores what stands before a change."""
    state = system.state
    set_key = state.own_sets.key(kind, user_id, ref.business_id)
    commands: list[tuple[object, ...]] = []
    if case.pending is not None:
        history = f"0 {BEFORE}={case.pending}"
        commands.append(("HSET", state.keys.pending(user_id, kind), field_of(kind, ref), history))
    if case.cached:
        commands.append(("ZADD", set_key, -OLD if case.cached == 2 else OLD, ref.entity_id))
    if case.floor is not None:
        commands.append(("ZADD", set_key, case.floor, 0))
    if kind == "follow":  # nothing forbids the follow
        commands += [("ZADD", state.keys.own_set(guard, user_id), 0, 0) for guard in ("block", "blocker")]
    await state.redis.gather(commands, write=True)


async def run(
    own_sets: OwnSets, user_id: int, transition: Transition, known: int | str | None, asked_ms: int
) -> Outcome | _Cold:
    operation = Operation(str(user_id), "", 60_000)
    read = ("", 0) if known is None else (known, asked_ms)
    return await own_sets._run(user_id, KINDS[transition.kind], transition, operation, read)
