"""Search for posts, comments and entities: what is found, in which order, and by whom."""

import pytest

from tests.support.comments import added
from tests.support.posts import DELETE, edit, publish, published
from tests.support.search import COMMENTS, ENTITIES, found, stored
from tests.support.system import System


@pytest.mark.parametrize("sort", ["NEWEST", "BEST"])
async def test_words_phrases_and_filters_find_posts(system: System, sort: str) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    await published(alice, "四川火锅的秘密", "The secret of Café hotpot", "hotpot without a secret")
    payload = await publish(
        bob, "hotpot", "food", images=[{"url": "https://images.example.com/cat.jpg", "alt": "a red bowl"}]
    )
    assert payload["userErrors"] == []
    await stored(system)
    assert await found(carol, "四川", sort) == await found(carol, "火锅的", sort) == ["四川火锅的秘密"]
    assert await found(carol, "锅", sort) == await found(carol, "密", sort) == ["四川火锅的秘密"]
    assert await found(carol, "川四", sort) == []
    assert sorted(await found(carol, "SECRET hotpot", sort)) == [
        "The secret of Café hotpot",
        "hotpot without a secret",
    ]
    assert await found(carol, '"secret of cafe"', sort) == ["The secret of Café hotpot"]
    assert await found(carol, "topic:#Food", sort) == ["hotpot"]
    assert await found(carol, "hotpot from:@Bob", sort) == ["hotpot"]
    assert await found(carol, "has:image", sort) == await found(carol, "red bowl", sort) == ["hotpot"]
    assert await found(carol, '"hotpot a"', sort) == await found(carol, "from:nobody", sort) == []
    assert await found(carol, "hotpot before:2020-01-01", sort) == []
    assert len(await found(carol, "hotpot after:2020-01-01", sort)) == 3


@pytest.mark.parametrize("sort", ["NEWEST", "BEST"])
async def test_an_author_finds_own_changes_at_once(system: System, sort: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    one, two = await published(alice, "first apple", "second apple")
    assert await found(alice, "apple", sort) == ["second apple", "first apple"]
    assert await found(bob, "apple", sort) == []
    await stored(system)
    assert await found(bob, "apple", sort) == await found(alice, "apple", sort)
    await edit(alice, one, text="first pear")
    await alice.ask(DELETE, id=two)
    assert await found(alice, "apple", sort) == []
    assert await found(alice, "pear", sort) == ["first pear"]
    await stored(system)
    assert await found(bob, "pear", sort) == ["first pear"]
    assert await system.rows("SELECT count(*) FROM search_documents") == [(1,)]


async def test_comments_of_one_subject_are_found(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (one, two) = await published(alice, "one", "two")
    await system.drain()
    root = await added(bob, one, "a good apple")
    assert await found(bob, "apple", document=COMMENTS, subject=one) == ["a good apple"]
    await system.drain()
    await added(alice, one, "no apple", root)
    await added(bob, two, "another apple")
    await stored(system)
    for sort in ("NEWEST", "BEST"):
        texts = await found(system.person(None), "apple", sort, document=COMMENTS, subject=one)
        assert sorted(texts) == ["a good apple", "no apple"]
    assert (await alice.ask(COMMENTS, subject="Post:7", words="a", sort="BEST", first=1))["found"] is None


async def test_entities_are_found_by_title(system: System) -> None:
    (video,) = await system.videos("v1")
    registrar = system.person("registrar", "entities:write")
    register = """mutation ($title: String) { registerEntities(entities: [
      {business: "video", key: "v1", title: $title}]) { userErrors { code } } }"""
    await registrar.ask(register, title="四川火锅 documentary")
    await stored(system)
    reader = system.person(None)
    assert await found(reader, "火锅", document=ENTITIES, business="video") == ["四川火锅 documentary"]
    assert await found(reader, "火锅", document=ENTITIES, business="article") == []
    await registrar.ask("mutation ($id: ID!) { removeEntities(ids: [$id]) { userErrors { code } } }", id=video)
    assert await found(reader, "火锅", document=ENTITIES, business="video") == []
    await stored(system)
    assert await system.rows("SELECT * FROM search_documents") == []
