"""Postgres loses its last commits, and workers store their changes again: versions do not go back."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import ModerationSettings, Settings
from tests.support import comments
from tests.support.comment_policies import policy_of, set_policy
from tests.support.outgoing import received, short, to_stream
from tests.support.pinned_comments import pin, pinned_on
from tests.support.posts import edit, published
from tests.support.reconciliation import drift
from tests.support.reports import reported
from tests.support.restoring import dump, store_again
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running
from workers.hide_reported import hide_reported


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose journals keep a tail, and in which three reports hide a post."""
    moderation: ModerationSettings = LENIENT.model_copy(update={"hide_reported": {"post": 160}})
    async with running(
        make_settings(moderation=moderation, local_cache_seconds=0, journal_tail_seconds=60.0)
    ) as system:
        yield system


@standalone
async def test_a_post_that_reports_hide_has_a_higher_version_than_its_edit_that_was_sent_before(
    system: System,
) -> None:
    await to_stream(system, *(f"post.{change}" for change in ("created", "updated", "deleted")))
    alice = system.person("alice")
    (post,) = await published(alice, "hello")
    await system.drain()
    for handle in ("bob", "carol", "dave"):
        await reported(system.person(handle), post)
    await system.drain()
    dumped = await dump(system)
    await edit(alice, post, text="bye")
    sent = await received(system)
    assert await hide_reported(system.state, lambda: True) == 1

    await store_again(system, dumped)

    hidden = (await received(system))[-1]
    assert [short(event) for event in sent] == [("post.created",), ("post.updated",)]
    assert short(hidden, "byModeration") == ("post.deleted", True)
    assert int(hidden["version"]) > max(int(event["version"]) for event in sent)


@standalone
async def test_a_root_comment_that_has_replies_again_replaces_its_cached_copy(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id(), await bob.id()
    dumped = await dump(system)
    root = await comments.added(alice, video, "root")
    await system.drain()
    await comments.text_of(bob, root)  # fills the cache
    for n in range(2):
        reply = await comments.added(bob, video, f"reply {n}", to=root)
        await system.drain()
        await comments.delete(bob, reply)
        await system.drain()

    await store_again(system, dumped)
    await comments.added(bob, video, "last reply", to=root)
    await system.drain()

    assert await drift(system) == {}
    await comments.delete(alice, root)
    await system.drain()
    assert await comments.text_of(bob, root) == "-"


@standalone
@pytest.mark.parametrize("last", ["policy", "unpin"])
async def test_settings_of_comments_that_are_stored_again_replace_their_cached_copy(system: System, last: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    comment = await comments.added(bob, post, "nice")
    await system.drain()
    dumped = await dump(system)
    for policy in ("NOBODY", "FOLLOWED", "MENTIONED"):
        await set_policy(alice, post, policy)
        await pin(alice, comment)
        await system.drain()
        assert await policy_of(bob, post) == (policy, False)  # fills the cache
        await pin(alice, comment, "unpinComment")
        await system.drain()
    if last == "unpin":
        await pin(alice, comment)
        await system.drain()

    await store_again(system, dumped)
    if last == "unpin":
        await pin(alice, comment, "unpinComment")
    else:
        await set_policy(alice, post, "EVERYONE")
    await system.drain()

    assert await pinned_on(bob, post) is None
    assert await policy_of(bob, post) == ({"policy": "EVERYONE", "unpin": "MENTIONED"}[last], last == "policy")
    assert await drift(system) == {}
