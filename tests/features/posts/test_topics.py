"""Topics of posts: one topic for all spellings of a name, shown as its first post spells it."""

from tests.support.posts import TOPIC, edit, publish, under_topic
from tests.support.system import System


async def test_a_topic_is_spelled_as_in_its_first_post(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(alice, "first", "Straße", "نی\u200cشکر", "Rock\u2019n\u2019Roll")
    await system.drain()

    spelled = ["straße", "نی\u200cشکر", "rock\u2019n\u2019roll"]
    other = (await publish(bob, "second", "STRASSE", "نیشکر", "rock'n'roll"))["post"]
    await system.drain()

    assert [topic["name"] for topic in other["topics"]] == spelled
    for name in ("strasse", "STRAẞE", *spelled):
        topic = (await bob.ask(TOPIC, name=name, first=2))["topic"]
        assert topic["name"] in spelled
        assert [post["text"] for post in topic["posts"]["nodes"]] == ["second", "first"]
        assert topic["postCount"] == 2
        assert (await bob.ask("query ($id: ID!) { node(id: $id) { id } }", id=topic["id"]))["node"]["id"] == topic["id"]


async def test_a_topic_of_an_older_version_keeps_its_id_and_its_posts(system: System) -> None:
    """Its name is its key, and its posts spell it so."""
    alice = system.person("alice")
    await publish(alice, "old", "strasse")
    await system.drain()

    new = (await publish(alice, "new", "Straße"))["post"]
    await system.drain()

    assert new["topics"] == [{"name": "strasse"}]
    assert (await alice.ask(TOPIC, name="Straße", first=1))["topic"]["id"] == "Topic:strasse"
    assert await under_topic(alice, "Straße") == ["new", "old"]


async def test_an_edit_that_spells_a_topic_in_another_way_keeps_the_post_in_it(system: System) -> None:
    alice = system.person("alice")
    post_id = (await publish(alice, "hello", "strasse"))["post"]["id"]
    await system.drain()
    places = await system.rows("SELECT * FROM topic_posts ORDER BY topic_id")

    await edit(alice, post_id, topics=["Straße"])
    await system.drain()

    assert await system.rows("SELECT * FROM topic_posts ORDER BY topic_id") == places
    assert (await alice.ask(TOPIC, name="strasse", first=1))["topic"]["postCount"] == 1
