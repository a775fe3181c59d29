"""Writes are refused while the journal is full or a user changes one reaction too often. A refusal changes nothing."""

from collections.abc import Callable
from typing import Any

from settings import Settings
from tests.support.journal_entries import Someone, count_seen, someone
from tests.support.stored_state import redis_state
from tests.support.system import REACT, System, running
from tests.support.workers import ready

LIKE = REACT % "like"
SHARE = "mutation ($ids: [ID!]!) { recordShares(input: {targetIds: $ids}) { userErrors { code } } }"


async def refusal(one: Someone, query: str, **variables: Any) -> dict[str, Any]:
    """Returns the extensions of the single error."""
    (error,) = (await one.person.send(query, **variables)).json()["errors"]
    return dict(error["extensions"])


async def test_a_write_to_a_full_journal_is_refused_and_changes_nothing(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(journal_max_entries=2)) as system:
        videos = await system.videos("v1", "v2", "v3")
        alice = await someone(system, "alice")
        for video in videos[:2]:
            await alice.person.like(video)
        assert await count_seen(alice.person, videos[2]) == 0
        before = await redis_state(system)

        assert await refusal(alice, LIKE, id=videos[2], key="k") == {"code": "UNAVAILABLE", "retryAfter": 5.0}
        assert await redis_state(system) == before
        # Writes without a journal entry succeed.
        assert (await alice.person.like(videos[0]))["userErrors"] == []
        assert await count_seen(alice.person, videos[2]) == 0


async def test_a_refused_write_can_be_repeated_with_its_key_when_the_journal_has_room(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(journal_max_entries=1)) as system:
        first, second = await system.videos("v1", "v2")
        alice = await someone(system, "alice")
        await alice.person.like(first)
        assert (await refusal(alice, LIKE, id=second, key="k"))["code"] == "UNAVAILABLE"
        await system.rows("UPDATE partitions SET lease_until = '-infinity' RETURNING p")
        worker = await ready(system)
        await worker.step()
        await worker.sweeper.sweep(float("inf"))
        await worker.sweeper.trim(list(worker.owned.values()))

        assert (await alice.person.like(second, key="k"))["target"]["likeCount"] == 1
        assert (await alice.person.like(second, key="k"))["target"]["likeCount"] == 1


async def test_a_share_is_refused_while_the_journal_is_full(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(journal_max_entries=1)) as system:
        (video,) = await system.videos("v1")
        alice = await someone(system, "alice")
        await alice.person.like(video)
        before = await redis_state(system)

        assert (await refusal(alice, SHARE, ids=[video]))["code"] == "UNAVAILABLE"
        assert await redis_state(system) == before


async def test_too_many_changes_of_one_reaction_are_refused_until_they_are_stored(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    for number in range(64):
        await alice.person.react("unlike" if number % 2 else "like", video)
    before = await redis_state(system)

    assert await refusal(alice, LIKE, id=video, key="k") == {"code": "RATE_LIMITED", "retryAfter": 5.0}
    assert await redis_state(system) == before
    assert (await alice.person.unlike(video))["userErrors"] == []  # the video is not liked, so nothing changes
    await system.drain()

    assert (await alice.person.like(video, key="k"))["target"]["likeCount"] == 1
    await system.drain()
    assert await system.rows("SELECT state FROM reactions") == [(1,)]
    assert await system.rows("SELECT count(*) FROM like_log") == [(65,)]
