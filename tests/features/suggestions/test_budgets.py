"""What suggestions cost: round trips and queries of a request, rows that a worker reads; and what an outage changes."""

from collections.abc import Callable

from sqlalchemy import text

from settings import Settings
from store.people import suggestions
from tests.support.citus import one_server
from tests.support.costs import cost, counted_plans
from tests.support.degraded_answers import read_body
from tests.support.fallback_mode import directly
from tests.support.follows import follow, registered
from tests.support.plans import LARGE, reads
from tests.support.stores import standalone
from tests.support.suggestions import SUGGESTED, compute, handles
from tests.support.system import LENIENT, LIMITLESS, System, running

pytestmark = standalone
FOLLOWS = text("""INSERT INTO following (user_id, followee_id, moment)
    SELECT u, 100 + n, 1000 * u + n FROM generate_series(1, 10) AS u, generate_series(1, 100) AS n""")


async def test_a_request_costs_two_round_trips_and_one_query(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(moderation=LENIENT, limits=LIMITLESS, local_cache_seconds=60, pending_seconds=100)
    async with running(settings) as system:
        alice, bob = system.person("alice"), system.person("bob")
        ids = await registered(system, *(f"u{number}" for number in range(40)))
        await follow(alice, await bob.id())
        await follow(bob, *ids)
        await compute(system, alice)
        await handles(alice)
        before = counted_plans()
        assert await cost(alice, SUGGESTED, first=5) == (2, 1)
        assert await cost(alice, SUGGESTED, first=40) == (2, 1)
        plans = {plan for plan, count in counted_plans().items() if count > before.get(plan, 0)}
        assert plans == {("planned", "")}


@one_server
async def test_a_worker_reads_a_bounded_part_of_the_follows(system: System) -> None:
    """Ten users follow 100 users each. The statement may read 20 follows of each of five users."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(FOLLOWS)
    users, excluded = [1, 2, 3, 4, 5], [199, 1]
    found = await suggestions.second_degree(system.state.postgres, users, excluded, each=20, count=50)
    assert {one.user_id for one in found} == {*range(181, 199), 200}
    assert {(one.paths, tuple(one.names)) for one in found} == {(5, (1, 2, 3))}
    parameters = {"followed": users, "excluded": excluded, "each": 20, "count": 50}
    statement, without = suggestions._SECOND_DEGREE, (*LARGE, "sort", "bitmapscan")
    assert (await reads(system, statement, "following", without=without, **parameters)).rows <= 5 * 20


async def test_suggestions_are_null_while_redis_is_down(system: System) -> None:
    alice = system.person("alice")
    await alice.id()
    async with directly(system):
        body = read_body((await alice.send(SUGGESTED)).json())
        assert body.data == {"viewer": {"suggestedUsers": None}}
        assert body.errors == []
        assert [path for path, *_ in body.missing] == ["viewer.suggestedUsers"]
