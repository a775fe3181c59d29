"""Images, videos and audio files of posts and comments, with the facts that clients give."""

from typing import Any

import pytest

from models.patches import CommentPatch, PostPatch
from tests.support.comments import add, delete
from tests.support.outgoing import received, to_stream
from tests.support.system import Person, System

FILE = "kind url alt width height blurhash mimeType posterUrl durationSeconds"
SHOWN = f"images {{ url alt width height blurhash mimeType }} attachments {{ {FILE} }}"
PUBLISH = f"""mutation ($input: PublishPostInput!) {{ publishPost(input: $input) {{
  post {{ id {SHOWN} }} userErrors {{ code field }} }} }}"""
EDIT = f"""mutation ($input: EditPostInput!) {{ editPost(input: $input) {{
  post {{ id {SHOWN} }} userErrors {{ code field }} }} }}"""
COMMENT = f"""mutation ($input: AddCommentInput!) {{ addComment(input: $input) {{
  comment {{ id {SHOWN} }} userErrors {{ code field }} }} }}"""
EDIT_COMMENT = f"""mutation ($input: EditCommentInput!) {{ editComment(input: $input) {{
  comment {{ id {SHOWN} }} userErrors {{ code field }} }} }}"""
READ = f"query ($id: ID!) {{ node(id: $id) {{ ... on Post {{ {SHOWN} }} ... on Comment {{ {SHOWN} }} }} }}"

HOST = "https://images.example.com"
HASH = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
JPEG = {"width": 640, "height": 480, "blurhash": HASH, "mimeType": "image/jpeg"}
PHOTO = {"url": f"{HOST}/a.jpg", "alt": "A hill", **JPEG}
FILM = {"kind": "VIDEO", "url": f"{HOST}/b.mp4", "posterUrl": f"{HOST}/b.jpg", "durationSeconds": 12.5, "width": 1920}
SONG = {"kind": "AUDIO", "url": f"{HOST}/c.ogg", "alt": "A song", "mimeType": "audio/ogg", "durationSeconds": 0.001}
NOTHING = dict.fromkeys(FILE.split())


async def publish(author: Person, key: str = "k", **content: Any) -> Any:
    """Returns the payload of publishPost."""
    return (await author.ask(PUBLISH, input={"text": "hello", "idempotencyKey": key, **content}))["publishPost"]


async def commented(author: Person, subject: str, files: list[Any]) -> Any:
    """Adds a comment without text. Returns it."""
    given = {"subjectId": subject, "text": "", "attachments": files, "idempotencyKey": "k"}
    return (await author.ask(COMMENT, input=given))["addComment"]["comment"]


def unsigned(shown: Any) -> Any:
    """Returns attachments as the API returns them, with URLs without signatures."""

    def plain(value: Any) -> Any:
        return value.partition("?")[0] if "&s=" in str(value) else value

    return [{name: plain(value) for name, value in one.items()} for one in shown]


async def test_posts_and_comments_show_attachments_and_their_facts(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    files = [{**PHOTO, "kind": "IMAGE"}, FILM, SONG]
    expected = [{**NOTHING, **one} for one in files]
    post = (await publish(alice, attachments=files))["post"]
    await system.drain()
    comment = await commented(alice, post["id"], files)

    for shown in (post, comment):
        assert unsigned(shown["attachments"]) == expected
        assert unsigned(shown["images"]) == [PHOTO]
    await system.drain()
    await system.empty_redis()
    for id_ in (post["id"], comment["id"]):
        shown = (await bob.ask(READ, id=id_))["node"]
        assert unsigned(shown["attachments"]) == expected
        assert unsigned(shown["images"]) == [PHOTO]
        assert "&s=" in shown["attachments"][1]["posterUrl"]


async def test_an_edit_of_a_single_fact_is_stored(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    post = (await publish(alice, images=[PHOTO]))["post"]["id"]
    await system.drain()

    narrow: Any = {**PHOTO, "width": 1}
    steps: list[tuple[Any, Any]] = [
        ({"images": [narrow]}, [{**NOTHING, **narrow, "kind": "IMAGE"}]),
        ({"attachments": [SONG]}, [{**NOTHING, **SONG}]),
        ({"images": []}, []),
    ]
    for changes, expected in steps:
        edited = (await alice.ask(EDIT, input={"postId": post, **changes}))["editPost"]["post"]
        assert unsigned(edited["attachments"]) == expected
        await system.drain()
        assert unsigned((await bob.ask(READ, id=post))["node"]["attachments"]) == expected


async def test_an_edit_without_attachments_keeps_them(system: System) -> None:
    alice = system.person("alice")
    post = (await publish(alice, attachments=[FILM]))["post"]["id"]

    edited = (await alice.ask(EDIT, input={"postId": post, "text": "new"}))["editPost"]["post"]

    assert unsigned(edited["attachments"]) == [{**NOTHING, **FILM}]
    assert edited["images"] == []


async def test_requests_without_facts_keep_their_fingerprints(system: System) -> None:
    alice = system.person("alice")
    image = {"url": PHOTO["url"], "alt": "A hill"}
    first = await publish(alice, images=[image])

    assert (await publish(alice, attachments=[{**image, "kind": "IMAGE"}]))["post"] == first["post"]
    other = await publish(alice, images=[{**image, "width": 3}])
    assert other["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]


REFUSED: dict[str, tuple[dict[str, Any], str, str | None]] = {
    "no width": ({"width": 0}, "INVALID", "width"),
    "a huge height": ({"height": 100_001}, "INVALID", "height"),
    "a short hash": ({"blurhash": HASH[:-1]}, "INVALID", "blurhash"),
    "no hash": ({"blurhash": "<script>"}, "INVALID", "blurhash"),
    "another type": ({"mimeType": "image/png"}, "INVALID", "mimeType"),
    "a type with parameters": ({"mimeType": "video/mp4; codecs=x"}, "INVALID", "mimeType"),
    "no duration": ({"durationSeconds": 0}, "INVALID", "durationSeconds"),
    "a negative duration": ({"durationSeconds": -1e300}, "INVALID", "durationSeconds"),
    "an endless film": ({"durationSeconds": 1e300}, "INVALID", "durationSeconds"),
    "a foreign file": ({"url": "https://evil.example/x.mp4"}, "IMAGE_NOT_ALLOWED", "url"),
    "a foreign poster": ({"posterUrl": "https://evil.example/x.jpg"}, "IMAGE_NOT_ALLOWED", "posterUrl"),
    "an image that plays": ({"kind": "IMAGE"}, "INVALID", None),
    "a wide sound": ({"kind": "AUDIO"}, "INVALID", None),
    "a long description": ({"alt": "x" * 501}, "TEXT_TOO_LONG", "alt"),
}


async def test_invalid_facts_are_refused_and_change_nothing(system: System) -> None:
    alice = system.person("alice")

    for case, (wrong, code, field) in REFUSED.items():
        payload = await publish(alice, key=case, attachments=[SONG, {**FILM, **wrong}])
        at = ["attachments", "1", *([field] if field else [])]
        assert payload["userErrors"] == [{"code": code, "field": at}], case
    await system.drain()
    assert await system.rows("SELECT post_id FROM posts") == []


async def test_images_and_attachments_together_are_refused(system: System) -> None:
    alice = system.person("alice")

    for query, input_ in ((PUBLISH, {"text": "a", "idempotencyKey": "k"}), (EDIT, {"postId": "Post:1"})):
        both = {**input_, "images": [PHOTO], "attachments": [SONG]}
        assert [code for code, _ in await alice.errors(query, input=both)] == ["BAD_INPUT"]
    for query, id_ in ((EDIT, {"postId": "Post:1"}), (EDIT_COMMENT, {"commentId": "Comment:post:1"})):
        assert [code for code, _ in await alice.errors(query, input={**id_, "attachments": None})] == ["BAD_INPUT"]


async def test_too_many_attachments_are_refused(system: System) -> None:
    alice = system.person("alice")

    payload = await publish(alice, attachments=[SONG] * (system.settings.content.post_images + 1))

    assert payload["userErrors"] == [{"code": "TOO_MANY_IMAGES", "field": ["attachments"]}]


async def test_a_tombstone_shows_no_attachments(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = (await commented(alice, video, [FILM]))["id"]
    await system.drain()
    await add(bob, video, "an answer", comment)
    await system.drain()
    await delete(alice, comment)
    await system.drain()

    assert (await bob.ask(READ, id=comment))["node"] == {"images": [], "attachments": []}


async def test_events_have_all_attachments(system: System) -> None:
    await to_stream(system, "post.created")
    await publish(system.person("alice"), attachments=[{**PHOTO, "kind": "IMAGE"}, FILM])

    (event,) = await received(system)

    data = event["data"]
    assert data["attachments"] == [{**NOTHING, **PHOTO, "kind": "IMAGE"}, {**NOTHING, **FILM}]
    assert data["images"] == [{"url": PHOTO["url"], "alt": PHOTO["alt"]}]


WRONG_FACTS: list[Any] = [{"width": "9"}, {"width": True}, {"kind": "FILM"}, {"blurhash": 1}, {"poster_url": ["x"]}]


@pytest.mark.parametrize("facts", WRONG_FACTS)
def test_a_journal_entry_with_malformed_facts_is_refused(facts: Any) -> None:
    content: Any = {"text": "a", "topics": [], "custom": None, "op": "publish"}
    beginning = {"subject": [1, 2], "owner": None, "root": None, "parent": None, "replied_to": None}

    with pytest.raises((TypeError, ValueError)):
        PostPatch.parse(1, {**content, "images": [["https://a/b", None, facts]]})
    with pytest.raises((TypeError, ValueError)):
        CommentPatch.parse(1, {**content, **beginning, "op": "add", "images": [["https://a/b", None, facts]]})


def test_a_journal_entry_may_have_facts_of_a_later_version() -> None:
    entry = {"text": "a", "topics": [], "op": "publish", "images": [["https://a/b", None, {"width": 3, "depth": [1]}]]}

    (image,) = PostPatch.parse(1, entry).born(7, 8).images

    assert (image.width, image.kind.value) == (3, "IMAGE")
