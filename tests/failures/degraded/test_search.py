"""Search while Redis or Postgres is unavailable."""

import pytest

from tests.support.degraded_answers import StoppableSystem, ways
from tests.support.outages import Away
from tests.support.posts import published
from tests.support.search import POSTS, found, stored


@ways
@pytest.mark.parametrize("sort", ["NEWEST", "BEST"])
async def test_anonymous_clients_search_while_redis_is_down(stoppable: StoppableSystem, away: Away, sort: str) -> None:
    system = stoppable.system
    await published(system.person("alice"), "apple 1", "apple 2", "apple 3")
    await stored(system)
    async with stoppable.without_redis(away):
        texts = await found(system.person(None), "apple", sort, first=2)
    assert sorted(texts) == ["apple 1", "apple 2", "apple 3"]


@ways
@pytest.mark.parametrize("sort", ["NEWEST", "BEST"])
async def test_a_search_fails_while_postgres_is_down(stoppable: StoppableSystem, away: Away, sort: str) -> None:
    system = stoppable.system
    await published(system.person("alice"), "apple")
    await stored(system)
    async with stoppable.without_postgres(away):
        errors = await system.person(None).errors(POSTS, words="apple", sort=sort, first=1)
    assert errors == [("UNAVAILABLE", ["found"])]
