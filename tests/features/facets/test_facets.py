"""Facets of posts and comments: links, mentions and topics, and the users whom mentions name."""

from typing import Any

import pytest

from store.content import mentions
from tests.support import deletions
from tests.support.citus import one_server
from tests.support.comment_policies import policy_of, set_policy
from tests.support.comments import added
from tests.support.comments import edit as edit_comment
from tests.support.costs import cost
from tests.support.hiding import hide
from tests.support.notifications import everything
from tests.support.plans import LARGE, reads
from tests.support.posts import edit, publish, published, under_topic
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.suspensions import moderator
from tests.support.system import Person, System
from workers.deletions import purge

FACETS = """facets { kind codePointStart codePointEnd utf16Start utf16End user { id handle } topic { id } url }"""
READ = f"query ($id: ID!) {{ node(id: $id) {{ ... on Post {{ {FACETS} }} ... on Comment {{ {FACETS} }} }} }}"
RENAME = "mutation ($to: String!) { updateProfile(input: {handle: $to}) { userErrors { code } } }"
PUBLISH = """mutation ($text: String!, $topics: [String!]! = [], $take: Boolean!, $key: String!) {
  publishPost(input: {text: $text, topics: $topics, topicsFromText: $take, idempotencyKey: $key}) {
    post { id topics { name } } userErrors { code } } }"""
SQUARE = "{ square { nodes { text author { handle } %s } } }"


async def facets(viewer: Person, id_: str) -> Any:
    """Returns the facets of a post or comment as a viewer sees them."""
    return (await viewer.ask(READ, id=id_))["node"]["facets"]


async def named(viewer: Person, id_: str) -> list[str | None]:
    """Returns the handles of the users whom the facets of a post or comment name; None for a facet without a user."""
    return [facet["user"] and facet["user"]["handle"] for facet in await facets(viewer, id_)]


async def rename(person: Person, handle: str) -> None:
    assert (await person.ask(RENAME, to=handle))["updateProfile"]["userErrors"] == []


async def scene(system: System, text: str = "hello @bob") -> tuple[Person, Person, str]:
    """Returns alice, bob, and a post of alice that mentions bob and is stored."""
    alice, bob = system.person("alice"), system.person("bob")
    await bob.id()
    (post,) = await published(alice, text)
    await system.drain()
    return alice, bob, post


async def test_a_text_has_links_mentions_and_topics_with_their_places(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    nothing = {"user": None, "topic": None, "url": None}
    expected = [
        {**nothing, "kind": "MENTION", **places(2, 6, 3, 7), "user": {"id": await bob.id(), "handle": "bob"}},
        {**nothing, "kind": "TOPIC", **places(7, 11, 8, 12), "topic": {"id": "Topic:tea"}},
        {**nothing, "kind": "LINK", **places(12, 20, 13, 21), "url": "https://www.a.cn"},
        {**nothing, "kind": "MENTION", **places(21, 28, 22, 29)},
    ]
    text = "😀 @Bob #Tea www.a.cn @nobody"
    (post,) = await published(alice, text)
    assert await facets(alice, post) == expected
    await system.drain()
    comment = await added(alice, post, text)
    assert await facets(alice, comment) == expected
    await system.drain()

    for id_ in (post, comment):
        assert await facets(system.person(None), id_) == expected
        assert await facets(bob, id_) == expected
    await system.empty_redis()
    assert await facets(bob, comment) == expected


def places(*offsets: int) -> dict[str, int]:
    return dict(zip(("codePointStart", "codePointEnd", "utf16Start", "utf16End"), offsets, strict=True))


async def test_a_mention_follows_the_user_to_another_handle(system: System) -> None:
    alice, bob, post = await scene(system)
    comment = await added(alice, post, "and @bob")
    await system.drain()

    await rename(bob, "robert")
    for id_ in (post, comment):
        assert await named(alice, id_) == ["robert"]
    await edit(alice, post, text="hello @bob, and welcome @robert")
    await edit_comment(alice, comment, text="and @bob!")
    await system.drain()

    assert await named(alice, post) == ["robert", "robert"]
    assert await named(alice, comment) == ["robert"]
    assert [one["kind"] for one in await everything(bob)].count("MENTION") == 2


async def test_another_user_who_takes_the_handle_is_not_mentioned(system: System) -> None:
    alice, bob, post = await scene(system)
    await set_policy(alice, post, "MENTIONED")
    await system.drain()
    carol = system.person("carol")
    await rename(bob, "robert")
    await execute(system, "DELETE FROM handles WHERE handle = 'bob'")  # as if it was reserved for long enough
    await carol.id()
    await rename(carol, "bob")
    await system.empty_redis()

    assert await named(alice, post) == ["robert"]
    assert await policy_of(bob, post) == ("MENTIONED", True)
    assert await policy_of(carol, post) == ("MENTIONED", False)


@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW"])
async def test_a_mention_of_a_hidden_user_names_nobody(system: System, how: str) -> None:
    alice, _, post = await scene(system)
    await hide(system, how)
    await system.drain()

    assert await named(alice, post) == [None]
    assert await named(moderator(system), post) == ["bob"]
    assert await named(system.person("carol"), post) == (["bob"] if "blocks" in how else [None])


@standalone
@pytest.mark.parametrize("mode", ["ANONYMIZE", "ERASE"])
async def test_a_deleted_account_is_removed_from_mentions(system: System, mode: str) -> None:
    alice, bob, post = await scene(system, "@bob and @carol")
    comment = await added(alice, post, "@bob")
    await system.person("carol").id()
    await edit(alice, post, text="@bob and @carol!")
    await system.drain()
    readers = alice, moderator(system)
    assert [await named(reader, post) for reader in readers] == [["bob", "carol"]] * 2

    await deletions.delete(bob, mode)
    assert [await named(reader, post) for reader in readers] == [[None, "carol"]] * 2
    await deletions.finish(system)
    await system.drain()

    assert [await named(reader, post) for reader in readers] == [[None, "carol"]] * 2
    assert await named(alice, comment) == [None]
    stored = "SELECT mentioned::text FROM posts UNION ALL SELECT mentioned::text FROM comment_contents"
    assert [mentioned for (mentioned,) in await system.rows(stored) if "bob" in (mentioned or "")] == []


@standalone
async def test_a_deletion_searches_the_mentions_of_many_batches_once(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _ = await scene(system)
    await published(alice, *(f"@bob {number}" for number in range(4)))
    await system.drain()
    bob_id = int((await bob.id()).partition(":")[2])
    monkeypatch.setattr(mentions, "BATCH", 1)
    searches, search = [], mentions.of_user

    async def noted(*args: Any) -> Any:
        searches.append(await search(*args))
        return searches[-1]

    monkeypatch.setattr(mentions, "of_user", noted)
    assert [count async for count in purge._forget_mentions(system.state, bob_id)] == [1] * 5

    assert [len(posts) for posts, _ in searches] == [5, 0]


@one_server
@standalone
async def test_the_texts_that_mention_a_user_are_found_by_an_index(system: System) -> None:
    alice, bob, _ = await scene(system)
    for number in range(5):
        await publish(alice, f"number {number} for @carol")
    await system.person("carol").id()
    await system.drain()
    bob_id = int((await bob.id()).removeprefix("User:"))

    assert await reads(system, mentions._POSTS, "posts", without=LARGE, user=bob_id) == (1, 1)


async def test_a_text_that_an_earlier_version_stored_names_the_users_who_have_its_handles(system: System) -> None:
    alice, _, post = await scene(system)
    await execute(system, "UPDATE posts SET mentioned = NULL")
    await system.empty_redis()

    assert await named(alice, post) == ["bob"]


async def test_a_page_with_facets_costs_no_more_round_trips(system: System) -> None:
    alice, bob, _ = await scene(system)
    await publish(bob, "thanks @alice #tea")
    await system.drain()
    without, with_facets = SQUARE % "id", SQUARE % FACETS
    for query in (without, with_facets):
        await alice.ask(query)

    assert await cost(alice, with_facets) == await cost(alice, without)


async def test_many_long_texts_are_searched_in_several_turns(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await bob.id()
    for number in range(6):
        await publish(alice, f"{number} @bob " + "@" * 4900, key=str(number))
    await system.drain()

    page = (await alice.ask("{ square { nodes { facets { user { handle } } } } }"))["square"]["nodes"]

    assert [node["facets"] for node in page] == [[{"user": {"handle": "bob"}}]] * 6


async def take(author: Person, text: str, *topics: str, key: str = "k", wanted: bool = True) -> Any:
    """Returns the payload of publishPost, with the topics of the text if they are wanted."""
    return (await author.ask(PUBLISH, text=text, topics=list(topics), take=wanted, key=key))["publishPost"]


async def test_a_post_gets_the_topics_of_its_text_if_the_client_asks(system: System) -> None:
    alice = system.person("alice")
    text = "#Tea and #cake, https://a.cn/#no, again #TEA"

    payload = await take(alice, text, "milk", "cake")
    assert [topic["name"] for topic in payload["post"]["topics"]] == ["milk", "cake", "tea"]
    assert await take(alice, text, "milk", "cake") == payload
    assert (await take(alice, text, "milk", "cake", wanted=False))["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]
    assert (await take(alice, text, key="other", wanted=False))["post"]["topics"] == []
    await system.drain()
    assert await under_topic(alice, "tea") == [text]

    await edit(alice, payload["post"]["id"], text="#coffee", topicsFromText=True)
    await system.drain()
    assert await under_topic(alice, "coffee") == ["#coffee"]
    assert await under_topic(alice, "milk") == []


async def test_the_last_topics_of_a_text_with_too_many_are_left_out(system: System) -> None:
    most = system.settings.content.post_topics

    payload = await take(system.person("alice"), " ".join(f"#t{number}" for number in range(most + 5)), "mine")

    assert [topic["name"] for topic in payload["post"]["topics"]] == ["mine", *(f"t{n}" for n in range(most - 1))]
