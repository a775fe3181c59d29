"""The cost of trends, typeahead and search: round trips to Redis, SQL queries and rows."""

from tests.support.costs import cost
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import System
from tests.support.topics import SEARCH, TRENDING, TYPED, set_state, write_about

pytestmark = standalone
STATES = '{ topics(prefix: "") { name state } }'


async def test_cached_lists_need_one_round_trip_and_no_query(system: System) -> None:
    await write_about(system, 3, "cats", "dogs")

    for reader in (system.person(None), system.person("alice")):
        for query, variables in ((TRENDING, {}), (TYPED, {"prefix": "ca"})):
            await reader.ask(query, **variables)
            assert await cost(reader, query, **variables) == (1, 0)


async def test_lists_that_are_not_cached_need_one_query(system: System) -> None:
    reader = system.person(None)
    await write_about(system, 3, "cats", "dogs")
    await reader.ask("{ square { nodes { id } } }")

    assert (await cost(reader, TRENDING))[1] == 1
    assert (await cost(reader, TYPED, prefix="ca"))[1] == 1
    assert (await cost(reader, SEARCH, words="cats"))[1] == 1


async def test_moderators_read_the_states_of_a_list_with_one_query(system: System) -> None:
    mia = moderator(system)
    await write_about(system, 1, "cats", "dogs", "birds")
    await set_state(mia, "cats", "HELD")
    await system.drain()
    await mia.ask(STATES)

    assert await cost(mia, STATES) == (1, 1)
    assert await cost(system.person(None), STATES) == (1, 0)
