"""editComment, and images of comments: the edit window, moderation of the new content, and who sees it when."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from settings import Settings
from tests.support.comments import added, decide, delete, edit, floors, images, read, seen, text_of
from tests.support.costs import cost
from tests.support.notifications import kinds_and_subjects
from tests.support.posts import publish, published
from tests.support.stores import standalone
from tests.support.system import System, running

IMAGE = {"url": "https://images.example.com/cat.png", "alt": "a cat"}
EDIT = """mutation ($id: ID!, $text: String!) { editComment(input: {commentId: $id, text: $text}) {
  comment { id text editedAt author { handle } } userErrors { code } } }"""
TWO_BUSINESSES = """[post]
comment_edit_minutes = 0
[[business]]
id = 100
name = "video"
comment_edit_minutes = "unlimited"
"""


def later(system: System, minutes: float) -> None:
    """Moves the clock of the API forward."""
    now_ms = system.state.now_ms
    object.__setattr__(system.state, "now_ms", lambda: now_ms() + int(minutes * 60_000))


def refusal(payload: Any) -> Any:
    assert payload["comment"] is None
    ((code, field),) = [(error["code"], error["field"]) for error in payload["userErrors"]]
    return code, field


async def test_an_edit_is_seen_by_its_author_at_once_and_by_others_after_the_commit(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "helo")
    await system.drain()

    edited = (await edit(alice, comment, text="hello"))["comment"]

    assert edited["text"] == "hello"
    assert edited["editedAt"] > edited["createdAt"]
    assert await text_of(bob, comment) == "helo"
    assert await read(alice, video, "NEWEST") == await read(alice, video, "HOT") == ["hello"]
    await system.drain()
    shown = await seen(bob, comment)
    assert (shown["text"], shown["editedAt"], shown["floor"]) == ("hello", edited["editedAt"], 1)
    assert await read(bob, video, "HOT") == ["hello"]


async def test_an_author_can_edit_a_comment_before_it_is_public(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "one")

    for text in ("two", "three"):
        assert (await edit(alice, comment, text=text))["comment"]["text"] == text
    await system.drain()

    assert await text_of(bob, comment) == "three"
    assert await floors(system, comment) == [1]


@standalone
async def test_an_edit_without_a_difference_changes_no_version(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = await added(alice, video, "said")
    await system.drain()
    before = await system.stored("comment_contents")

    payload = await edit(alice, comment, text="said")
    await system.drain()

    assert (payload["userErrors"], payload["comment"]["editedAt"]) == ([], None)
    assert await system.stored("comment_contents") == before


@standalone
async def test_images_are_added_kept_replaced_and_removed(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "", images=[IMAGE])
    await system.drain()
    assert (await images(bob, comment), await text_of(bob, comment)) == (["a cat"], "")

    await edit(alice, comment, text="look")
    assert await images(alice, comment) == ["a cat"]
    await edit(alice, comment, images=[{**IMAGE, "alt": "my cat"}, IMAGE])
    assert await images(alice, comment) == ["my cat", "a cat"]
    await system.drain()
    assert (await images(bob, comment), await text_of(bob, comment)) == (["my cat", "a cat"], "look")

    await edit(alice, comment, images=[])
    await system.drain()
    assert await images(bob, comment) == []
    assert refusal(await edit(alice, comment, text="")) == ("TEXT_EMPTY", ["text"])


@standalone
async def test_a_deleted_comment_shows_no_images_and_cannot_be_edited(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "look", images=[IMAGE])
    await system.drain()
    await edit(alice, comment, text="look here")
    await added(bob, video, "nice", to=comment)
    await system.drain()
    await delete(alice, comment)

    assert refusal(await edit(alice, comment, text="again")) == ("TARGET_DELETED", ["commentId"])
    await system.drain()

    shown = await seen(bob, comment)
    assert (shown["deleted"], shown["text"], shown["images"], shown["editedAt"]) == (True, None, [], None)


INVALID: list[tuple[dict[str, Any], tuple[str, list[str]]]] = [
    ({"text": " "}, ("TEXT_EMPTY", ["text"])),
    ({"text": "x" * 2001}, ("TEXT_TOO_LONG", ["text"])),
    ({"text": "a\x00b"}, ("TEXT_INVALID", ["text"])),
    ({"images": [IMAGE] * 5}, ("TOO_MANY_IMAGES", ["images"])),
    ({"images": [{"url": "http://elsewhere.example/a.png"}]}, ("IMAGE_NOT_ALLOWED", ["images", "0", "url"])),
    ({"images": [IMAGE, {**IMAGE, "alt": "a\x00"}]}, ("TEXT_INVALID", ["images", "1", "alt"])),
]


@standalone
@pytest.mark.parametrize(("changes", "refused"), INVALID)
async def test_invalid_content_is_refused_and_changes_nothing(
    system: System, changes: dict[str, Any], refused: tuple[str, list[str]]
) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = await added(alice, video, "said")
    await system.drain()
    before = await system.stored("comment_contents")

    assert refusal(await edit(alice, comment, **changes)) == refused
    await system.drain()

    assert await system.stored("comment_contents") == before
    query = "mutation ($i: EditCommentInput!) { editComment(input: $i) { comment { id } } }"
    for field in changes:
        assert await alice.errors(query, i={"commentId": comment, field: None}) == [("BAD_INPUT", ["editComment"])]


@standalone
async def test_a_user_cannot_edit_the_comment_of_another_user(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    alice = system.person("alice")
    comment = await added(alice, video, "mine")
    others = [system.person("olga"), system.person("bob"), system.person("mia", "moderate")]
    assert refusal(await edit(others[1], comment, text="yours")) == ("TARGET_NOT_FOUND", ["commentId"])
    await system.drain()

    for other in others:
        assert refusal(await edit(other, comment, text="yours")) == ("NOT_ALLOWED", ["commentId"])
    await system.drain()
    assert await text_of(alice, comment) == "mine"


@standalone
async def test_an_edit_is_refused_after_the_window_and_a_repeated_edit_has_its_first_outcome(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment, other = await added(alice, video, "one"), await added(alice, video, "other")
    await system.drain()
    later(system, 14)
    edited = await edit(alice, comment, text="two", key="k")
    later(system, 1.5)

    assert refusal(await edit(alice, other, text="late")) == ("EDIT_WINDOW_OVER", ["commentId"])
    assert refusal(await edit(alice, comment, text="three", key="k")) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])
    assert await edit(alice, comment, text="two", key="k") == edited
    await system.drain()
    assert [await text_of(alice, one) for one in (comment, other)] == ["two", "other"]


@standalone
async def test_each_business_has_an_edit_window_of_its_own(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(TWO_BUSINESSES)
    async with running(make_settings(businesses_file=file)) as system:
        alice = system.person("alice")
        (post,), (video,) = await published(alice, "hello"), await system.videos("v1")
        await system.drain()
        on_post, on_video = await added(alice, post, "one"), await added(alice, video, "also one")
        later(system, 60 * 24 * 365)

        assert refusal(await edit(alice, on_post, text="two")) == ("EDIT_WINDOW_OVER", ["commentId"])
        assert (await edit(alice, on_video, text="two"))["comment"]["text"] == "two"


@standalone
async def test_a_block_forbids_edits_of_comments_on_the_content_of_the_other_user(system: System) -> None:
    alice, olga = system.person("alice"), system.person("olga")
    (post,), (video,) = await published(olga, "hello"), await system.videos("v1", owner="olga")
    await system.drain()
    on_post, on_video = await added(alice, post, "one"), await added(alice, video, "two")
    await system.drain()
    block = "mutation ($id: ID!) { block(input: {userId: $id}) { userErrors { code } } }"
    await olga.ask(block, id=await alice.id())

    assert refusal(await edit(alice, on_post, text="three")) == ("TARGET_NOT_FOUND", ["commentId"])
    assert refusal(await edit(alice, on_video, text="three")) == ("BLOCKED", ["commentId"])


@standalone
@pytest.mark.parametrize("blocker", [0, 1])
async def test_a_block_forbids_edits_of_replies_to_the_other_user(system: System, blocker: int) -> None:
    (video,), people = await system.videos("v1"), [system.person("alice"), system.person("bob")]
    asked = await added(people[1], video, "why?")
    await system.drain()
    reply = await added(people[0], video, "because", to=asked)
    await system.drain()
    block = "mutation ($id: ID!) { block(input: {userId: $id}) { userErrors { code } } }"
    await people[blocker].ask(block, id=await people[1 - blocker].id())

    assert refusal(await edit(people[0], reply, text="you bore me")) == ("BLOCKED", ["commentId"])


@standalone
@pytest.mark.parametrize("changes", [{"text": "go to casino-bonus"}, {"images": [{**IMAGE, "alt": "casino-bonus"}]}])
async def test_moderation_judges_the_new_content(system: System, changes: dict[str, Any]) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    comment = await added(alice, video, "hello")
    await system.drain()

    await edit(alice, comment, **changes)
    await system.drain()
    assert await seen(bob, comment) is None
    assert (await seen(alice, comment))["auditStatus"] == "REJECTED"
    assert (await read(alice, video, "NEWEST"), await read(bob, video, "NEWEST")) == (
        [changes.get("text", "hello")],
        [],
    )
    assert await kinds_and_subjects(alice) == [("MODERATION", comment)]

    await edit(alice, comment, text="sorry", images=[])
    await system.drain()
    assert [await text_of(one, comment) for one in (alice, bob)] == ["sorry", "sorry"]
    assert [await read(one, video, "NEWEST") for one in (alice, bob)] == [["sorry"], ["sorry"]]
    assert await floors(system, comment) == [1]


@standalone
async def test_a_decision_about_the_old_text_has_no_effect_on_the_new_text(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    comment = await added(alice, video, "rude")
    await system.drain()
    await edit(alice, comment, text="polite")
    await decide(mia, comment, "REJECT")
    await system.drain()

    shown = await seen(system.person("bob"), comment)
    assert (shown["text"], shown["auditStatus"]) == ("polite", "APPROVED")


@standalone
async def test_an_edit_notifies_only_users_that_the_comment_has_not_notified(system: System) -> None:
    olga, alice, bob, carol = (system.person(handle) for handle in ("olga", "alice", "bob", "carol"))
    post = (await publish(olga, "mine"))["post"]["id"]
    for person in (bob, carol):
        await person.id()
    await system.drain()
    comment = await added(alice, post, "hello @bob")
    await system.drain()
    await edit(alice, comment, text="hello @bob, @carol and @olga")
    await system.drain()
    await edit(alice, comment, text="hello @bob, @carol, @olga and @alice")
    await system.drain()

    assert await kinds_and_subjects(olga) == [("COMMENT", post)]
    assert await kinds_and_subjects(bob) == await kinds_and_subjects(carol) == [("MENTION", comment)]
    assert await kinds_and_subjects(alice) == []


@standalone
async def test_an_edit_costs_four_round_trips_and_no_query(system: System) -> None:
    """The trips read the comment; read its entity; run the script; read the comment; read its author."""
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    comment = await added(alice, video, "one")
    await system.drain()
    await alice.ask(EDIT, id=comment, text="warm")

    assert await cost(alice, EDIT, id=comment, text="two") == (4, 0)
