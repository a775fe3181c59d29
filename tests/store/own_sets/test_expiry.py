"""Mutes that have ended do not count against the limit."""

import time

import pytest

from models.boundaries import MUTE
from models.counters import EntityRef
from models.own_sets import Transition
from settings import USERS, PeopleSettings
from store.own_sets.own_sets import OwnSets
from store.write_log.operations import Operation, Status
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone
USER, LIMIT = 10_000, 3


@pytest.mark.parametrize("ended", [0, 1, LIMIT])
async def test_a_full_set_of_mutes_has_room_for_one_if_a_mute_has_ended(system: System, ended: int) -> None:
    state, keys, now_ms = system.state, system.state.keys, int(time.time() * 1000)
    settings = system.settings.model_copy(update={"people": PeopleSettings(boundary_limit=LIMIT)})
    own_sets = OwnSets(state.redis, keys, state.postgres, state.boundaries, settings)
    set_key, states = keys.own_set(MUTE, USER), keys.own_states(MUTE, USER)
    ends = {str(number): now_ms + (-1000 if number <= ended else 60_000) for number in range(1, LIMIT + 1)}
    await system.state.redis.gather(
        [("ZADD", set_key, 0, 0, *[word for name in ends for word in (5000, name)])]
        + [("HSET", states, name, end) for name, end in ends.items()],
        write=True,
    )

    mute = Transition(MUTE, EntityRef(USERS, 99), now_ms + 60_000, b"{}")
    outcome = await own_sets.change(USER, mute, Operation("mute", "", 60_000))

    kept = {name for name, end in ends.items() if end > now_ms}
    muted = {name.decode() for name in await system.state.redis("HKEYS", states)}
    if ended:
        assert (outcome.status, muted) == (Status.DONE, kept | {"99"})
        assert await system.state.redis("ZCARD", set_key) == len(kept) + 2
    else:
        assert (outcome.status, muted) == (Status.LIMIT, kept)
