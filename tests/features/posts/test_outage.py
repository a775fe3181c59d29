"""Posts while Postgres is down: authors see their acknowledged changes, which are published after the outage (D1)."""

from runner.postgres import Postgres
from tests.support.outages import Away, both_ways
from tests.support.posts import delete, edit, on_square, publish
from tests.support.stores import standalone
from tests.support.system import System

TEXT = "query ($id: ID!) { node(id: $id) { ... on Post { text } } }"


@standalone
@both_ways
async def test_posts_can_be_written_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(alice, "before")
    await system.drain()
    assert await on_square(alice) == await on_square(bob) == ["before"]

    async with away(postgres, system.state.postgres):
        post = (await publish(alice, "during", key="k"))["post"]
        again = await publish(alice, "during", key="k")
        oops = (await publish(alice, "oops"))["post"]["id"]
        edited = await edit(alice, post["id"], text="during the outage")
        deleted = await delete(alice, oops)
        shown = (await alice.ask(TEXT, id=post["id"]))["node"]
    assert again["post"]["id"] == post["id"]
    assert edited["post"]["text"] == shown["text"] == "during the outage"
    assert deleted["deletedId"] == oops
    await system.drain()

    assert await on_square(bob) == ["during the outage", "before"]
