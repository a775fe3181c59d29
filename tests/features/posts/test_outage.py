"""Posts while Postgres is down: authors see their acknowledged changes, which are published after the outage (D1)."""

from runner.postgres import Postgres
from store import keys
from tests.support.outages import Away, both_ways, stopped
from tests.support.pinned_posts import PIN_POST
from tests.support.posts import delete, edit, on_square, publish, published
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


@standalone
async def test_a_pin_is_not_refused_because_the_status_of_the_post_is_unknown(
    system: System, postgres: Postgres
) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "approved")
    worker = await system.owner()
    while await worker.step():  # the post is stored, and its change is not swept yet
        pass
    await system.state.redis.client.delete(keys.post(int(post.removeprefix("Post:"))))

    async with stopped(postgres, system.state.postgres):
        assert (await alice.ask(TEXT, id=post))["node"] == {"text": "approved"}
        assert await alice.errors(PIN_POST % "pinPost", id=post) == [("UNAVAILABLE", ["pinPost"])]
