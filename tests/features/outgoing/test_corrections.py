"""Postgres loses the commit of a change that was sent. The change is then stored in one batch with its removal."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from domain.moderation.word_list import parse
from settings import Settings
from tests.support import comments
from tests.support.follows import follow, id_of, unfollow
from tests.support.outgoing import received, short, to_stream
from tests.support.posts import published
from tests.support.restoring import dump, store_again
from tests.support.saves import save, unsave
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

KINDS = "follow.changed", "save.changed", "comment.created", "comment.updated", "comment.deleted"


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose journals keep a tail."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, journal_tail_seconds=60.0)) as system:
        yield system


async def follows(alice: Person, bob: str, _: str, __: str) -> AsyncIterator[None]:
    await follow(alice, bob)
    yield
    await unfollow(alice, bob)


async def saves(alice: Person, _: str, video: str, __: str) -> AsyncIterator[None]:
    await save(alice, video)
    yield
    await unsave(alice, video)


async def says(alice: Person, _: str, video: str, __: str) -> AsyncIterator[None]:
    comment = await comments.added(alice, video, "second")
    yield
    await comments.delete(alice, comment)


async def edits(alice: Person, _: str, __: str, comment: str) -> AsyncIterator[None]:
    await comments.edit(alice, comment, text="changed")
    yield
    await comments.edit(alice, comment, text="first")


@standalone
@pytest.mark.parametrize(
    ("change", "names", "told", "corrected"),
    [
        (follows, ("before", "after"), ("follow.changed", "NONE", "FOLLOWS"), ("follow.changed", "NONE", "NONE")),
        (saves, ("isSaved",), ("save.changed", True), ("save.changed", False)),
        (says, (), ("comment.created",), ("comment.deleted",)),
        (edits, ("text",), ("comment.updated", "changed"), ("comment.updated", "first")),
    ],
)
async def test_a_change_that_is_lost_and_undone_when_it_is_stored_again_has_a_correction(
    system: System, change: Callable[..., Any], names: tuple[str, ...], told: object, corrected: object
) -> None:
    await to_stream(system, *KINDS)
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    await bob.id()
    steps = change(alice, await id_of(bob), video, await comments.added(alice, video, "first"))
    known, dumped = len(await received(system)), await dump(system)

    await anext(steps)
    sent = (await received(system))[-1]
    await anext(steps, None)
    await store_again(system, dumped)
    events = (await received(system))[known:]

    assert [short(event, *names) for event in events] == [told, corrected]
    assert int(events[1]["version"]) > int(sent["version"])
    assert events[1]["id"].rpartition("-")[2] == sent["id"].rpartition("-")[2], "another object"


@standalone
async def test_a_post_that_was_sent_and_is_held_when_it_is_stored_again_has_a_correction(system: System) -> None:
    await to_stream(system, "post.created", "post.deleted")
    alice = system.person("alice")
    await alice.id()
    dumped = await dump(system)
    (post,) = await published(alice, "hello kiwi")
    (sent,) = await received(system)

    system.state.moderation.use_words(1, parse("review: kiwi", "the test"))
    await store_again(system, dumped)

    correction = (await received(system))[-1]
    assert short(sent, "id") == ("post.created", post)
    assert short(correction, "id", "byModeration") == ("post.deleted", post, True)
    assert int(correction["version"]) >= int(sent["version"])
    assert int(correction["position"]) > int(sent["position"])
