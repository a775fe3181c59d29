"""The word list that operators change: which list workers and APIs use, without a restart."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import pytest

from domain.moderation.pipeline import Pipeline
from domain.moderation.verdicts import AuditStatus
from settings import Settings
from store.moderation import word_lists
from tests.support.fallback_mode import begin
from tests.support.logs import capture_logs
from tests.support.posts import publish, published, seen
from tests.support.stores import standalone
from tests.support.submissions import post
from tests.support.system import LENIENT, Person, System, running

UPDATE = """mutation ($bio: String!) { updateProfile(input: {bio: $bio}) { userErrors { code } } }"""
LISTED = "casino bonus"  # the shipped list rejects it
NEW = "reject: turnips\n"


async def use(system: System, words: str) -> int:
    return await word_lists.add(system.state.postgres, words, "olga", None)


async def statuses(author: Person, *texts: str, system: System) -> list[str]:
    """Publishes posts with these texts. Returns their statuses after a worker has stored them."""
    ids = [(await publish(author, text, key=secrets.token_hex(8)))["post"]["id"] for text in texts]
    await system.drain()
    return [(await seen(author, id_))["auditStatus"] for id_ in ids]


async def refusals(person: Person, bio: str) -> list[Any]:
    return [error["code"] for error in (await person.ask(UPDATE, bio=bio))["updateProfile"]["userErrors"]]


async def test_the_next_batch_uses_a_new_list(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as system:
        alice = system.person("alice")
        assert await statuses(alice, LISTED, "turnips", system=system) == ["REJECTED", "APPROVED"]

        await use(system, NEW)
        assert await statuses(alice, LISTED, "turnips", system=system) == ["APPROVED", "REJECTED"]

        await use(system, "# nothing\n")
        assert await statuses(alice, LISTED, "turnips", system=system) == ["APPROVED", "APPROVED"]


@standalone
async def test_posts_that_wait_in_the_journal_are_checked_by_the_newest_list(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT)) as system:
        alice = system.person("alice")
        (id_,) = await published(alice, "turnips")
        await use(system, NEW)
        await system.drain()

        assert (await seen(alice, id_))["auditStatus"] == "REJECTED"


@standalone
async def test_all_processes_use_a_new_list_at_once(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(moderation=LENIENT)
    async with running(settings) as one, running(settings) as other:
        for system in (one, other):
            assert await refusals(system.person("alice"), f"turnips in {id(system)}") == []

        await use(one, NEW)

        for system in (one, other):
            assert await refusals(system.person("bob"), "turnips") == ["TEXT_NOT_ALLOWED"]
            assert await refusals(system.person("alice"), LISTED) == []
        assert await statuses(other.person("alice"), "turnips", system=other) == ["REJECTED"]


@standalone
async def test_a_name_in_a_token_is_checked_by_the_newest_list(system: System) -> None:
    await use(system, "turnips\n")

    assert (await system.person("turnips").ask("{ viewer { user { handle } } }"))["viewer"]["user"]["handle"] != (
        "turnips"
    )


@standalone
async def test_direct_writes_use_a_new_list(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT)) as system:
        alice = system.person("alice")
        await alice.id()
        await use(system, NEW)
        await begin(system)
        (id_,) = await published(alice, "turnips")

        assert await system.rows("SELECT status FROM posts WHERE post_id = :id", id=int(id_.partition(":")[2])) == [
            (AuditStatus.REJECTED,)
        ]


@standalone
async def test_a_list_that_cannot_be_read_is_logged_once_and_the_list_before_is_used(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as system:
        alice = system.person("alice")
        await use(system, NEW)
        await use(system, "reject:\n")  # `plaudit words set` refuses it

        with capture_logs() as events:
            assert await statuses(alice, LISTED, "turnips", system=system) == ["APPROVED", "REJECTED"]
            assert await statuses(alice, "turnips", system=system) == ["REJECTED"]

        problems = [event["error"] for event in events if event["event"] == "a word list cannot be read"]
        assert problems == ["word list 2:1: this line has no word"]

        await use(system, LISTED)
        assert await statuses(alice, LISTED, "turnips", system=system) == ["PENDING", "APPROVED"]


@standalone
async def test_an_older_revision_does_not_replace_a_newer_one(system: System) -> None:
    """Two batches of one worker may read revisions at the same time."""
    pipeline = Pipeline(LENIENT)
    await use(system, NEW)
    await word_lists.follow(system.state.postgres, pipeline)

    pipeline.use_words(1, None)
    await word_lists.follow(system.state.postgres, pipeline)

    assert pipeline.words_revision == 1
    assert pipeline.check(post("turnips"), ()).status is AuditStatus.REJECTED


@standalone
@pytest.mark.parametrize("writers", [8])
async def test_changes_at_the_same_time_get_different_revisions(system: System, writers: int) -> None:
    revisions = await asyncio.gather(*[use(system, f"word {number}\n") for number in range(writers)])

    assert sorted(revisions) == [*range(1, writers + 1)]
    listed = await word_lists.changes(system.state.postgres)
    assert [one.changed_at for one in listed] == sorted(one.changed_at for one in listed)
