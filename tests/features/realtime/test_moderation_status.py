"""reactableChanged sends authors the moderation status of their posts and comments whenever it changes."""

from collections.abc import Callable
from typing import Any

import pytest

from settings import PremoderationSettings, Settings
from tests.support.comments import added
from tests.support.comments import decide as decide_comment
from tests.support.external_reviewer import json_response, listening, review_all
from tests.support.posts import decide as decide_post
from tests.support.posts import edit, publish
from tests.support.stores import standalone
from tests.support.subscriptions import Live, Socket, serving
from tests.support.system import LENIENT

STATUS = """subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id
  ... on Post { auditStatus awaitsModerator } ... on Comment { auditStatus awaitsModerator } } }"""
NEW, HELD, APPROVED, REJECTED = ("PENDING", False), ("PENDING", True), ("APPROVED", False), ("REJECTED", False)
EVERYTHING_WAITS = LENIENT.model_copy(update={"premoderate": PremoderationSettings(businesses=("post", "video"))})


async def written(live: Live, kind: str) -> str:
    """Publishes a post of alice, or a comment of alice on a video. Returns its id."""
    if kind == "post":
        return str((await publish(live.person("alice"), "a post"))["post"]["id"])
    (video,) = await live.videos("v1")
    return await added(live.person("alice"), video, "a comment")


async def status(watcher: Socket, *wanted: tuple[str, bool]) -> list[tuple[str, bool]]:
    """Returns the different statuses that arrive up to the last wanted one."""
    values = await watcher.until(lambda value: _of(value) == wanted[-1])
    return list(dict.fromkeys(map(_of, values)))


def _of(value: dict[str, Any]) -> tuple[str, bool]:
    return value["auditStatus"], value["awaitsModerator"]


@standalone
@pytest.mark.parametrize("kind", ["post", "comment"])
@pytest.mark.parametrize(("decision", "decided"), [("APPROVE", APPROVED), ("REJECT", REJECTED)])
async def test_an_author_hears_that_a_moderator_must_decide_and_what_the_moderator_decides(
    make_settings: Callable[..., Settings], kind: str, decision: str, decided: tuple[str, bool]
) -> None:
    async with serving(make_settings(port=0, moderation=EVERYTHING_WAITS)) as live:
        mia, id_ = live.person("mia", "moderate"), await written(live, kind)
        async with live.socket("alice") as author:
            await author.subscribe([id_], query=STATUS)
            assert await status(author, NEW) == [NEW]
            await live.drain()
            assert await status(author, HELD) == [HELD]
            await (decide_post if kind == "post" else decide_comment)(mia, id_, decision)
            await live.drain()
            assert (await status(author, decided))[-1:] == [decided]


@standalone
@pytest.mark.parametrize("kind", ["post", "comment"])
async def test_an_author_hears_that_the_rules_approve(make_settings: Callable[..., Settings], kind: str) -> None:
    async with serving(make_settings(port=0, moderation=LENIENT)) as live:
        id_ = await written(live, kind)
        async with live.socket("alice") as author:
            await author.subscribe([id_], query=STATUS)
            assert await status(author, NEW) == [NEW]
            await live.drain()
            assert await status(author, APPROVED) == [APPROVED]


@standalone
@pytest.mark.parametrize(("answer", "then"), [("approve", APPROVED), ("reject", REJECTED), ("review", HELD)])
async def test_an_author_hears_what_the_external_reviewer_decides(
    make_settings: Callable[..., Settings], answer: str, then: tuple[str, bool]
) -> None:
    """Until the reviewer has answered, no moderator is awaited."""
    async with listening() as server:
        server.answer = json_response({"decision": answer})
        rules = LENIENT.model_copy(update={"reviewer": server.settings()})
        async with serving(make_settings(port=0, moderation=rules)) as live:
            id_ = await written(live, "post")
            async with live.socket("alice") as author:
                await author.subscribe([id_], query=STATUS)
                await live.drain()
                assert await status(author, NEW) == [NEW]
                await review_all(live)
                await live.drain()
                assert (await status(author, then))[-1] == then


@standalone
async def test_an_author_hears_that_an_edit_is_held(make_settings: Callable[..., Settings]) -> None:
    rules = LENIENT.model_copy(update={"premoderate": PremoderationSettings(topics=("tea",))})
    async with serving(make_settings(port=0, moderation=rules)) as live:
        id_ = await written(live, "post")
        await live.drain()
        async with live.socket("alice") as author:
            await author.subscribe([id_], query=STATUS)
            assert await status(author, APPROVED) == [APPROVED]
            await edit(live.person("alice"), id_, topics=["tea"])
            await live.drain()
            assert (await status(author, HELD))[-1] == HELD
