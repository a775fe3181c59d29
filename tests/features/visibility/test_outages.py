"""While a store is down, no answer shows what a block, a suspension or a private account hides."""

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store import keys
from tests.features.visibility.hidden_users import HiddenUserCase, Sight, check, hidden_user_case
from tests.support.boundaries import block
from tests.support.fallback_mode import begin, end
from tests.support.outages import stopped
from tests.support.social_scene import Scene, answers, check_hidden, made, traces
from tests.support.stores import standalone
from tests.support.system import Person, System, running

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(300)]


async def check_answers(scene: Scene, reader: Person, sight: Sight) -> int:
    """Checks that the answers show no more of bob than they may. Returns how many have data of others."""
    bodies = [response.text for _, response in await answers(scene, reader)]
    if sight is Sight.NOTHING:
        assert traces(scene, bodies) == []
    elif sight is Sight.CLOSED:
        assert not any(word in body for body in bodies for word in ("bob's post", scene.on_bobs))
    return sum("carol" in body for body in bodies)


async def forget_blocks(scene: Scene) -> None:
    """Drops the cached blocks of all users. What they hide stays cached."""
    people = [number(await person.id()) for person in (scene.alice, scene.carol)]
    await scene.system.state.boundaries.forget([number(scene.bob_id), *people])


async def forget_profile(scene: Scene) -> None:
    """Drops bob's cached profile. His content stays cached."""
    await scene.system.state.cache.drop([keys.user(number(scene.bob_id))])


def number(user_id: str) -> int:
    return int(user_id.removeprefix("User:"))


async def check_in_outages(system: System, postgres: Postgres, valkey: Valkey, case: HiddenUserCase) -> None:
    async def check_all() -> int:
        return sum([await check_answers(case.scene, one, case.sight(name)) for name, one in case.readers.items()])

    async with stopped(postgres, system.state.postgres):
        assert await check_all()  # from caches
        await forget_profile(case.scene)
        await check_all()
        await system.empty_redis()
        await check_all()
    await check(case)
    async with stopped(valkey, system.state.redis):
        await check_all()
        await begin(system)
        assert await check_all()  # from rows
    await end(system)
    async with stopped(postgres, system.state.postgres), stopped(valkey, system.state.redis):
        await check_all()


@pytest.mark.parametrize("mode", ["HIDDEN", "SHADOW", "PRIVATE"])
async def test_no_outage_shows_a_hidden_user(generous: Settings, postgres: Postgres, valkey: Valkey, mode: str) -> None:
    async with running(generous) as system:
        case = await hidden_user_case(system, mode)
        await check(case)
        await check_in_outages(system, postgres, valkey, case)


@pytest.mark.parametrize("by", ["alice", "bob"])
async def test_no_outage_shows_a_user_behind_a_block(
    generous: Settings, postgres: Postgres, valkey: Valkey, by: str
) -> None:
    async with running(generous) as system:
        scene = await made(system)
        await check_answers(scene, scene.alice, Sight.ALL)
        await (block(scene.alice, scene.bob_id) if by == "alice" else block(scene.bob, await scene.alice.id()))
        await system.drain()
        await check_hidden(scene, scene.alice)
        async with stopped(postgres, system.state.postgres):
            assert await check_answers(scene, scene.alice, Sight.NOTHING)
            await forget_blocks(scene)
            await check_answers(scene, scene.alice, Sight.NOTHING)
            await system.empty_redis()
            await check_answers(scene, scene.alice, Sight.NOTHING)
        await check_hidden(scene, scene.alice)
        async with stopped(valkey, system.state.redis):
            await check_answers(scene, scene.alice, Sight.NOTHING)
            await begin(system)
            assert await check_answers(scene, scene.alice, Sight.NOTHING)
        await end(system)
