"""Trends and lists of topics while a store is down."""

from runner.postgres import Postgres
from tests.support.degraded_answers import ask
from tests.support.fallback_mode import begin, directly, end
from tests.support.outages import Away, both_ways
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import System
from tests.support.topics import SEARCH, TRENDING, TYPED, searched, set_state, trending, typed, write_about

pytestmark = standalone


@both_ways
async def test_while_postgres_is_down_cached_lists_are_shown(system: System, postgres: Postgres, away: Away) -> None:
    reader = system.person(None)
    await write_about(system, 3, "cats")
    await trending(reader)
    await typed(reader, "ca")

    async with away(postgres, system.state.postgres):
        assert await trending(reader) == {"cats": 3}
        assert await typed(reader, "ca") == ["cats"]
        for field, query, variables in (
            ("trendingTopics", TRENDING, {"window": "WEEK"}),
            ("topics", TYPED, {"prefix": "c"}),
            ("searchTopics", SEARCH, {"words": "cats"}),
        ):
            response = await ask(reader, query, **variables)
            assert response.data == {field: None}
            assert response.errors == [("UNAVAILABLE", [field])]


async def test_a_topic_can_be_held_while_redis_is_down(system: System) -> None:
    reader, mia = system.person(None), moderator(system)
    await write_about(system, 3, "cats")
    assert await trending(reader) == {"cats": 3}

    async with directly(system):
        await set_state(mia, "cats", "HELD", idempotencyKey="k")
        await set_state(mia, "cats", "HELD", idempotencyKey="k")

        assert await trending(reader) == {}
        assert await typed(reader, "ca") == await searched(reader, "cats") == []
    await end(system)

    assert await trending(reader) == {}
    assert await trending(mia) == {"cats": 3}
    assert await system.rows("SELECT count(*) FROM moderation_log") == [(1,)]


async def test_a_hold_in_the_journal_is_not_lost(system: System) -> None:
    mia = moderator(system)
    await write_about(system, 3, "cats")
    await mia.ask('{ topic(name: "cats") { name } }')
    await set_state(mia, "cats", "HELD")
    await begin(system)
    await end(system)
    await system.drain()

    assert await trending(system.person(None)) == {}
