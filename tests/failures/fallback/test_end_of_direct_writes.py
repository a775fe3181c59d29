"""Direct writes end when Redis is back, and nothing that was acknowledged is lost."""

from collections.abc import Callable, Collection

import pytest
from sqlalchemy import text

from models.counters import EntityRef
from models.likes import Verb
from models.own_sets import state_after
from settings import Settings
from store.redis.client import Moved
from store.write_log import operations, write_mode
from store.write_log.partition_leases import Fenced
from tests.support.fallback_mode import begin, directly, end, reaction, worker_apart
from tests.support.posts import delete, edit, published, seen
from tests.support.stores import standalone
from tests.support.system import SEEN, System, running

LOG = "SELECT verb FROM like_log ORDER BY version"
NAMES = {None: 0, "LIKE": 1, "DISLIKE": 2}


@standalone
@pytest.mark.parametrize("after", [(one, *more) for one in Verb for more in [(), (Verb.UNDISLIKE,)]])
@pytest.mark.parametrize("before", [Verb.LIKE, Verb.DISLIKE, Verb.UNLIKE])
async def test_a_direct_write_applies_after_an_earlier_write_that_was_still_in_the_journal(
    system: System, before: Verb, after: tuple[Verb, ...]
) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, state = system.person("alice"), 0
    if before is Verb.UNLIKE:
        await alice.like(video)
        await system.drain()
        state = 1
    expected = [("like",)] if state else []
    await alice.react(before.value, video)  # no worker stores this before Redis dies
    for verb in (before, *after):
        if expected[-1:] != [(verb.value,)]:
            expected.append((verb.value,))
        state = state_after(state, verb.to, verb.only)

    async with directly(system):
        for verb in after:
            await alice.react(verb.value, video)

    shown = (await alice.ask(SEEN, id=video))["node"]
    assert (NAMES[shown["viewerReaction"]], shown["likeCount"]) == (state, int(state == 1))
    assert shown["dislikeCount"] == int(state == 2)
    assert await system.rows(LOG) == expected
    counted = await system.rows("SELECT value FROM counters WHERE kind = 5")
    assert sum(value for (value,) in counted) == int(state == 1)


@standalone
async def test_a_deletion_in_the_journal_wins_over_later_direct_writes(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "mistaken")
    await system.drain()
    await delete(alice, post)  # no worker stores this before Redis dies

    async with directly(system):
        assert (await edit(alice, post, text="corrected"))["post"]["text"] == "corrected"

    assert await seen(alice, post) is None
    assert await system.rows("SELECT deleted FROM posts") == [(True,)]
    assert await system.rows("SELECT value FROM counters WHERE kind = 9") == [(0,)]


@standalone
async def test_a_journal_entry_whose_write_was_repeated_directly_is_not_applied(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video, key="k1")  # as if the client had lost the response

    async with directly(system):
        await alice.like(video, key="k1")
        await alice.unlike(video)

    assert await reaction(system, "alice", video) is None
    assert await system.rows(LOG) == [("like",), ("unlike",)]
    assert await system.rows("SELECT count(*) FROM operations") == [(0,)]


async def test_a_process_that_missed_a_mode_change_reads_the_mode_before_it_writes(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video)
    before = system.state.write_mode.current
    async with directly(system):
        await alice.unlike(video)
    system.state.write_mode._enter(before)

    answer = await alice.like(video)

    assert answer["target"]["likeCount"] == 1
    assert system.state.write_mode.current.generation > before.generation
    await system.drain()
    assert await system.rows(LOG) == [("like",), ("unlike",), ("like",)]


@standalone
async def test_a_direct_write_in_an_old_mode_is_refused(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    assert await reaction(system, "alice", video) is None
    await begin(system)
    before = system.state.write_mode.current
    await end(system)
    system.state.write_mode._enter(before)
    async with system.state.postgres.transaction() as transaction:
        with pytest.raises(Moved):
            await write_mode.hold(transaction)

    assert (await alice.like(video))["target"]["likeCount"] == 1
    assert await system.rows("SELECT count(*) FROM operations") == [(0,)]


async def test_the_end_of_direct_writes_removes_earlier_generations_and_no_other_keys(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.like(video, key="k1")
    async with directly(system):
        pass
    assert (await alice.ask(SEEN, id=video))["node"]["viewerReaction"] == "LIKE"
    await alice.unlike(video)
    kept = {key async for some in system.state.redis.scan(100) for key in some if key.startswith(b"g")}

    async with worker_apart(system) as worker:
        await worker.direct_writes.sweep()

    left = {key async for some in system.state.redis.scan(100) for key in some}
    kinds = {key.partition(b":")[2].partition(b":")[0] for key in left - kept}
    assert kept <= left
    assert kinds <= {b"journal", b"generation", b"idem", b"records", b"ip", b"user", b"users:write", b"anonymous"}
    assert (await alice.like(video, key="k1"))["target"]["viewerReaction"] is None, "the key was used before"


@standalone
async def test_direct_writes_end_when_all_journals_are_drained(system: System) -> None:
    await begin(system)
    async with system.state.postgres.transaction() as transaction:
        assert await write_mode.end(transaction) is None
        await transaction.execute(text("UPDATE partitions SET drained = (SELECT generation FROM modes)"))
        ended = await write_mode.end(transaction)
    assert ended
    assert ended > system.state.write_mode.current.generation


@standalone
async def test_direct_writes_end_while_people_continue_to_write(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_BATCH", 3)
    videos = await system.videos(*map(str, range(20)))
    alice, left = system.person("alice"), list(videos)
    await begin(system)
    async with worker_apart(system) as worker:
        rescore = worker.direct_writes._rescore

        async def writing(about: Collection[EntityRef]) -> None:
            """Sends one more write at each publication."""
            await rescore(about)
            if left and worker.state.write_mode.current.direct:
                await alice.like(left.pop(), key=f"like {len(left)}")

        monkeypatch.setattr(worker.direct_writes, "_rescore", writing)
        for _ in range(7):
            await alice.like(left.pop(), key=f"like {len(left)}")
        while worker.state.write_mode.current.direct:
            await worker.direct_writes.step()
    await system.state.write_mode.refresh()

    assert len(left) > 5
    given = videos[len(left) :]
    await alice.unlike(given[0])
    await alice.like(given[0], key=f"like {len(left)}")  # the key is stored, so the write is not repeated
    assert await reaction(system, "alice", given[0]) is None


@standalone
async def test_entries_that_recovery_reads_in_several_batches_are_reapplied_in_each(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(batches={"entries": 1})) as system:
        (video,) = await system.videos("v1")
        alice = system.person("alice")
        await alice.like(video)
        await alice.unlike(video)
        async with directly(system):
            await alice.react("undislike", video)

        assert await reaction(system, "alice", video) is None
        assert await system.rows(LOG) == [("like",), ("unlike",), ("undislike",)]
        assert await system.rows("SELECT state FROM reactions") == [(0,)]


@standalone
async def test_a_direct_like_raises_the_hot_score_after_recovery(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "hot")
    await system.drain()
    (before,) = await system.rows("SELECT DISTINCT score FROM topic_posts")
    async with directly(system):
        await system.person("bob").like(post)

    ((score, version),) = await system.rows("SELECT DISTINCT score, score_version FROM topic_posts")
    assert version > 0
    assert score > before[0]


@standalone
async def test_a_worker_that_lost_a_reply_while_draining_continues(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await begin(system)
    async with worker_apart(system) as worker:
        await system.rows("UPDATE partitions SET head = head + 1 RETURNING 1")  # as after a commit whose reply was lost
        with pytest.raises(Fenced):
            await worker.direct_writes.step()
        await worker.ownership.renew()
        while worker.state.write_mode.current.direct:
            await worker.direct_writes.step()
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]
