"""Posts while Postgres is away: what is acknowledged is shown to its author, and published once it is back (D1)."""

from runner.postgres import Postgres
from tests.support.outages import Away, both_ways
from tests.support.posts import delete, edit, on_square, publish
from tests.support.stores import standalone
from tests.support.system import System

TEXT = "query ($id: ID!) { node(id: $id) { ... on Post { text } } }"


@standalone
@both_ways
async def test_posts_are_written_while_postgres_is_away(system: System, postgres: Postgres, away: Away) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(alice, "before")
    await system.drain()
    assert await on_square(alice) == await on_square(bob) == ["before"]

    async with away(postgres, system.state.postgres):
        post = (await publish(alice, "during", key="k"))["post"]
        again = await publish(alice, "during", key="k")
        gone = (await publish(alice, "oops"))["post"]["id"]
        edited = await edit(alice, post["id"], text="during the outage")
        deleted = await delete(alice, gone)
        shown = (await alice.ask(TEXT, id=post["id"]))["node"]
    assert again["post"]["id"] == post["id"]
    assert edited["post"]["text"] == shown["text"] == "during the outage"
    assert deleted["deletedId"] == gone
    await system.drain()

    assert await on_square(bob) == ["during the outage", "before"]
