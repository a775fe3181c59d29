"""The content of a post: text, images and topics. Invalid content is refused and changes nothing."""

from typing import Any

import pytest

from tests.support.posts import DELETE, MODERATE, PUBLISH, edit, published, seen
from tests.support.system import Person, System

CAT = "https://images.example.com/cat.jpg"


async def publish(author: Person, **content: Any) -> Any:
    variables = {"text": "hello", "topics": [], "images": [], "key": "k", **content}
    return (await author.ask(PUBLISH, **variables))["publishPost"]


async def test_images_are_shown_with_signed_urls(system: System) -> None:
    alice = system.person("alice")

    post = (await publish(alice, text="", images=[{"url": CAT, "alt": "A cat"}, {"url": f"{CAT}?w=2"}]))["post"]
    await system.drain()

    for shown in (post["images"], (await seen(system.person(None), post["id"]))["images"]):
        assert [image["alt"] for image in shown] == ["A cat", None]
        for image, url in zip(shown, (CAT, f"{CAT}?w=2"), strict=True):
            assert image["url"].startswith(url)
            host, _, path = image["url"].removeprefix("https://").partition("/")
            assert system.state.images.verify(host, f"/{path}", system.state.now_ms())


ELSEWHERE = {"images": [{"url": "https://evil.example/x"}]}
REFUSED: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "a blank text": ({"text": " \n "}, "TEXT_EMPTY", ["text"]),
    "an invisible text": ({"text": "\u200b\u2060\ufeff \u3164\u2800"}, "TEXT_EMPTY", ["text"]),
    "a text that is too long": ({"text": "x" * 5001}, "TEXT_TOO_LONG", ["text"]),
    "a control character": ({"text": "a\0b"}, "TEXT_INVALID", ["text"]),
    "a foreign image": (ELSEWHERE, "IMAGE_NOT_ALLOWED", ["images", "0", "url"]),
    "no valid url": ({"images": [{"url": CAT}, {"url": "javascript:x"}]}, "IMAGE_NOT_ALLOWED", ["images", "1", "url"]),
    "too many images": ({"images": [{"url": CAT}] * 10}, "TOO_MANY_IMAGES", ["images"]),
    "a long alternative text": ({"images": [{"url": CAT, "alt": "x" * 501}]}, "TEXT_TOO_LONG", ["images", "0", "alt"]),
    "an invalid topic": ({"topics": ["ok", "two words"]}, "TOPIC_INVALID", ["topics", "1"]),
    "an empty topic": ({"topics": ["#"]}, "TOPIC_INVALID", ["topics", "0"]),
    "a quoted topic": ({"topics": ['a","b']}, "TOPIC_INVALID", ["topics", "0"]),
    "a long topic": ({"topics": ["x" * 51]}, "TOPIC_INVALID", ["topics", "0"]),
    "too many topics": ({"topics": [f"t{n}" for n in range(11)]}, "TOO_MANY_TOPICS", ["topics"]),
    "far too many topics": ({"topics": ["two words"] * 100}, "TOO_MANY_TOPICS", ["topics"]),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
async def test_invalid_content_is_refused_and_changes_nothing(system: System, case: str) -> None:
    content, code, field = REFUSED[case]
    alice = system.person("alice")
    (post_id,) = await published(alice, "hello")
    await system.drain()

    for payload in (await publish(alice, **content), await edit(alice, post_id, **content)):
        assert [(error["code"], error["field"]) for error in payload["userErrors"]] == [(code, field)]
        assert payload["post"] is None
    await system.drain()

    assert await system.rows("SELECT text, edited_ms FROM posts") == [("hello", None)]


async def test_spellings_of_one_topic_are_the_same_topic(system: System) -> None:
    alice = system.person("alice")

    post = (await publish(alice, topics=["#\uff23ats", "\uff03CATS", "cats", "Straße", "नमस्ते", "café", "cafe\u0301"]))[
        "post"
    ]

    assert [topic["name"] for topic in post["topics"]] == ["cats", "straße", "नमस्ते", "café"]
    await system.drain()
    assert await system.rows("SELECT count(*) FROM topics") == [(4,)]


async def test_line_ends_of_all_platforms_are_stored_alike(system: System) -> None:
    alice = system.person("alice")

    post = (await publish(alice, text="one\r\ntwo\rthree\nfour"))["post"]
    again = (await edit(alice, post["id"], text="one\r\n\r\ntwo"))["post"]

    assert (post["text"], again["text"]) == ("one\ntwo\nthree\nfour", "one\n\ntwo")


async def test_a_page_of_likes_is_full_although_posts_were_deleted(system: System) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    ids = await published(alice, *(f"post {n}" for n in range(7)))
    await system.drain()
    for post_id in ids:
        await bob.react("like", post_id)
    await system.drain()
    for post_id in ids[4:]:
        await alice.ask(DELETE, id=post_id)
    await mia.ask(MODERATE, id=ids[2], decision="REJECT", reason="because")
    await system.drain()

    query = """query ($after: String) { user(handle: "bob") { likes(first: 2, after: $after) {
      nodes { ... on Post { text } } pageInfo { hasNextPage endCursor } } } }"""
    first = (await alice.ask(query))["user"]["likes"]
    carol = system.person("carol")
    first_of_carol = (await carol.ask(query))["user"]["likes"]
    second = (await carol.ask(query, after=first_of_carol["pageInfo"]["endCursor"]))["user"]["likes"]

    assert [post["text"] for post in first["nodes"]] == ["post 3", "post 2"]  # the author sees the rejected post
    assert [post["text"] for post in first_of_carol["nodes"]] == ["post 3", "post 1"]
    assert [post["text"] for post in second["nodes"]] == ["post 0"]
    assert not second["pageInfo"]["hasNextPage"]


@pytest.mark.parametrize("key", ["", " k", "x" * 129, "a\0"])
async def test_an_invalid_idempotency_key_is_bad_input(system: System, key: str) -> None:
    variables = {"text": "hello", "topics": [], "images": [], "key": key}

    assert await system.person("alice").errors(PUBLISH, **variables) == [("BAD_INPUT", ["publishPost"])]


async def test_an_edit_with_null_is_bad_input(system: System) -> None:
    alice = system.person("alice")
    (post_id,) = await published(alice, "hello")

    for field in ("text", "images", "topics"):
        query = "mutation ($i: EditPostInput!) { editPost(input: $i) { post { id } } }"
        assert await alice.errors(query, i={"postId": post_id, field: None}) == [("BAD_INPUT", ["editPost"])]


async def test_publishing_needs_a_signed_in_user(system: System) -> None:
    variables = {"text": "hello", "topics": [], "images": [], "key": "k"}

    assert await system.person(None).errors(PUBLISH, **variables) == [("UNAUTHENTICATED", ["publishPost"])]


async def test_posts_can_be_liked_viewed_and_listed_among_likes(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "hello")
    assert (await bob.react("like", post_id))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    await system.drain()

    liked = await bob.react("like", post_id)
    await bob.ask("mutation ($i: [ID!]!) { recordViews(input: {targetIds: $i}) { userErrors { code } } }", i=[post_id])
    assert (liked["target"]["likeCount"], liked["target"]["viewerReaction"]) == (1, "LIKE")
    await system.drain()

    query = """query ($h: String!) { user(handle: $h) { likesReceivedCount
      likes { nodes { ... on Post { text likeCount viewCount likers { nodes { handle } } } } } } }"""
    assert (await alice.ask(query, h="alice"))["user"]["likesReceivedCount"] == 1
    assert (await alice.ask(query, h="bob"))["user"]["likes"]["nodes"] == [
        {"text": "hello", "likeCount": 1, "viewCount": 1, "likers": {"nodes": [{"handle": "bob"}]}}
    ]


async def test_alternative_texts_are_moderated_and_invisible_characters_are_removed(system: System) -> None:
    alice = system.person("alice")
    alt = "a sign: casino-bonus\u202e"

    post = (await publish(alice, text="ad\u200bmin says سلام\u202e", images=[{"url": CAT, "alt": alt}]))["post"]
    await system.drain()

    assert (post["text"], post["images"][0]["alt"]) == ("admin says سلام", "a sign: casino-bonus")
    assert (await seen(alice, post["id"]))["auditStatus"] == "REJECTED"
    (message,) = await system.rows("SELECT message FROM notifications WHERE kind = 6")
    assert message == ("Your post was rejected: has a word that is not allowed: casino bonus",)
