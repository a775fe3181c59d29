"""Journal entries that workers read late, twice or in another order."""

from sqlalchemy import text

from domain.ids import PostId, parse_id
from models.topics import topic_id
from store.content import fanouts
from store.write_log import dead_letters
from tests.support.posts import delete, publish, published, seen, under_topic
from tests.support.refused_rows import letters, refusing
from tests.support.stores import standalone
from tests.support.system import System
from workers.replay_dead_letters import apply_again


@standalone
async def test_later_changes_of_a_dead_letter_become_dead_letters_too(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    async with refusing(system, "posts", "text <> 'oops'"):
        kept, gone = await published(alice, "hello", "oops")
        await delete(alice, gone)
        await system.drain()
    assert (await seen(bob, kept))["text"] == "hello"
    waiting = await dead_letters.read(system.state.postgres)
    assert len(waiting) == 2

    for letter in waiting:
        await apply_again(system.state, letter)

    assert await letters(system) == []
    assert await system.rows("SELECT text, deleted FROM posts ORDER BY post_id") == [("hello", False), ("oops", True)]
    assert await seen(bob, gone) is None


@standalone
async def test_a_topic_with_a_colliding_number_does_not_block_the_post(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(alice, "first", "cats")
    await system.drain()
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("UPDATE topics SET name = 'other' WHERE topic_id = :id"), id=topic_id("cats"))
    await system.empty_redis()

    post_id = (await publish(alice, "second", "cats", "dogs"))["post"]["id"]
    await system.drain()

    assert await letters(system) == []
    assert (await seen(bob, post_id))["text"] == "second"
    assert await under_topic(bob, "dogs") == ["second"]
    assert await under_topic(bob, "cats") == []


@standalone
async def test_a_restarted_fan_out_is_not_ended_by_an_older_batch(system: System) -> None:
    restarted, other = await published(system.person("alice"), "hello", "world")
    worker = system.worker()
    await worker.ownership.renew()
    owned = dict(worker.owned)
    await worker.handle(owned, await worker.read(owned))
    under_way = await fanouts.due(system.state.postgres, owned, chunk=10, most=10)
    assert {chunk.post_id for chunk in under_way} == {id_of(restarted), id_of(other)}

    restart = text("UPDATE fanouts SET reached = 0, since_ms = since_ms + 5 WHERE post_id = :post")
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(restart, post=id_of(restarted))
        await fanouts.advance(transaction, under_way)

    (due,) = await fanouts.due(system.state.postgres, owned, chunk=10, most=10)
    assert due.post_id == id_of(restarted)
    assert due.since_ms in {chunk.since_ms + 5 for chunk in under_way}


def id_of(post: str) -> int:
    parsed = parse_id(post)
    assert isinstance(parsed, PostId)
    return parsed.id
