"""Search for posts, comments and entities: what is found, in which order, and by whom."""

import asyncio
from collections.abc import Collection, Mapping

import pytest

from models.counters import EntityRef
from models.search import Document
from state import State
from tests.support.boundaries import block
from tests.support.comments import added
from tests.support.posts import DELETE, MODERATE, edit, publish, published
from tests.support.private_accounts import make_private
from tests.support.reconciliation import drift, execute
from tests.support.search import COMMENTS, ENTITIES, POSTS, found, stored
from tests.support.system import System
from tests.support.user_search import set_discoverable
from workers import search


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
    assert len(await found(carol, "after:2020-01-01", sort)) == 4


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


async def test_nobody_finds_what_is_hidden(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    await published(alice, "apple of alice")
    await published(bob, "apple of bob")
    await stored(system)
    both = ["apple of alice", "apple of bob"]
    for sort in ("NEWEST", "BEST"):
        assert sorted(await found(carol, "apple", sort)) == both
    await set_discoverable(bob, False)
    await stored(system)
    assert await found(carol, "apple") == await found(carol, "apple", "BEST", first=1) == ["apple of alice"]
    assert sorted(await found(bob, "apple")) == both
    await block(alice, await carol.id())
    assert await found(carol, "apple") == []
    await system.drain()
    assert await found(carol, "apple", "BEST") == []
    await make_private(alice)
    await system.drain()
    assert await found(system.person(None), "apple") == []


async def test_what_moderation_hides_leaves_the_index(system: System) -> None:
    alice, moderator = system.person("alice"), system.person("mia", "moderate")
    (post,) = await published(alice, "apple")
    await stored(system)
    for decision, texts in (("REJECT", []), ("APPROVE", ["apple"])):
        await moderator.ask(MODERATE, id=post, decision=decision, reason="because")
        await stored(system)
        assert await found(system.person("bob"), "apple") == texts
        assert await system.rows("SELECT count(*) FROM search_documents") == [(len(texts),)]


@pytest.mark.parametrize("sort", ["NEWEST", "BEST"])
async def test_pages_stay_stable_while_posts_come_and_go(system: System, sort: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = await published(alice, *(f"apple {i}" for i in range(8)))
    await stored(system)
    whole = await found(bob, "apple", sort)
    first = (await bob.ask(POSTS, words="apple", sort=sort, first=3, after=None))["found"]
    await published(alice, "apple 9")
    await published(bob, "apple 10")
    await alice.ask(DELETE, id=ids[0])
    for _ in range(3):
        await system.person("carol").like(ids[1])
    await stored(system)
    after, texts = first["pageInfo"]["endCursor"], [node["text"] for node in first["nodes"]]
    rest = (await bob.ask(POSTS, words="apple", sort=sort, first=10, after=after))["found"]
    assert texts + [node["text"] for node in rest["nodes"]] == [text for text in whole if text != "apple 0"]


async def test_a_cursor_works_for_its_search_only(system: System) -> None:
    alice = system.person("alice")
    await published(alice, "apple 1", "apple 2")
    await stored(system)
    page = (await alice.ask(POSTS, words="apple", sort="BEST", first=1, after=None))["found"]
    after = page["pageInfo"]["endCursor"]
    for words, sort in (("apple 1", "BEST"), ("apple", "NEWEST")):
        assert await alice.errors(POSTS, words=words, sort=sort, first=1, after=after) == [("BAD_CURSOR", ["found"])]
    await system.empty_redis()
    assert await alice.errors(POSTS, words="apple", sort="BEST", first=1, after=after) == [("BAD_CURSOR", ["found"])]


@pytest.mark.parametrize(
    "words",
    ["", " ", "!?*", "a" * 201, "a " * 11, "before:yesterday", "after:2026-13-01", "has:video", "topic:a/b", '""'],
)
async def test_bad_queries_are_refused(system: System, words: str) -> None:
    assert await system.person(None).errors(POSTS, words=words, sort="BEST", first=1) == [("BAD_INPUT", ["found"])]


@pytest.mark.parametrize(
    "words",
    [
        "a*",
        "x'); --",
        "a & b | !c",
        "x\\'",
        "😀 a",
        "a:b",
        "x <-> y",
        "\u202eapple",
        "x%_",
        "((x",
        "@@x",
        '"a',
        "ก็" * 99,
        "from:a\u0000b",
        "from:x'",
    ],
)
async def test_no_character_of_a_query_has_a_meaning_in_sql(system: System, words: str) -> None:
    await published(system.person("alice"), "other")
    await stored(system)
    for sort in ("NEWEST", "BEST"):
        assert await found(system.person(None), words, sort) == []


async def test_reconciliation_finds_and_repairs_wrong_documents(system: System) -> None:
    alice = system.person("alice")
    (post, *_) = await published(alice, "one", "two", "three")
    await system.videos("v1")
    await system.drain()
    await added(alice, post, "four")
    assert await drift(system, "search") == {}
    await stored(system)
    assert await drift(system, "search") == {}
    await execute(
        system,
        "UPDATE search_documents SET terms = '''other''' WHERE terms @@ '''two'''",
        "DELETE FROM search_documents WHERE terms @@ '''three'''",
        "INSERT INTO search_documents (business_id, entity_id, moment, terms) VALUES (2, 7, 7, '''gone''')",
    )
    assert await drift(system, "search") == {"search": 3}
    await drift(system, "search", repair=True)
    assert await drift(system, "search") == {}
    assert await found(system.person(None), "three") == ["three"]


async def test_a_repair_writes_no_old_text_over_a_newer_one(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "apple")
    await stored(system)
    documents_of, has_read, goes_on = search.documents_of, asyncio.Event(), asyncio.Event()

    async def slowly(state: State, refs: Collection[EntityRef]) -> Mapping[EntityRef, Document]:
        documents = await documents_of(state, refs)
        has_read.set()
        await goes_on.wait()
        return documents

    monkeypatch.setattr(search, "documents_of", slowly)
    ((business_id, post_id),) = await system.rows("SELECT business_id, entity_id FROM search_documents")
    repair = asyncio.create_task(search.renew(system.state, {EntityRef(business_id, post_id)}))
    await has_read.wait()
    monkeypatch.setattr(search, "documents_of", documents_of)
    await edit(alice, post, text="pear")
    await system.drain()
    indexing = asyncio.create_task(search.index(system.state, lambda: True))
    await asyncio.wait([indexing], timeout=0.5)
    goes_on.set()
    await asyncio.gather(repair, indexing)
    assert await found(system.person(None), "pear") == ["pear"]
