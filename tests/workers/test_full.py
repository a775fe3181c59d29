"""A state Redis without room, because journals are at their limit or the server's memory is full (D1).

Every write is refused and changes nothing, reads continue, and workers make room.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from observability import metrics
from runner.valkey import Valkey
from settings import Settings
from store.redis import servers
from store.scripts import SCRIPTS
from tests.support.comments import add, added, read
from tests.support.follows import follow_people
from tests.support.journal_entries import count_seen
from tests.support.metrics import metric
from tests.support.notifications import MARK, page
from tests.support.posts import PROFILE, home, on_square, publish, published
from tests.support.stored_state import redis_state
from tests.support.system import LENIENT, Person, System, running
from workers import journal_metrics

WRITES = {
    "like": 'like(input: {targetId: $video, idempotencyKey: "k"})',
    "like of a post": 'like(input: {targetId: $post, idempotencyKey: "k"})',
    "save": 'save(input: {targetId: $video, idempotencyKey: "k"})',
    "create a collection": 'createCollection(input: {name: "more", idempotencyKey: "k"})',
    "follow": 'follow(input: {userId: $carol, idempotencyKey: "k"})',
    "unfollow": 'unfollow(input: {userId: $alice, idempotencyKey: "k"})',
    "ask to follow": 'follow(input: {userId: $private, idempotencyKey: "k"})',
    "accept": 'acceptFollow(input: {userId: $asking, idempotencyKey: "k"})',
    "reject": 'rejectFollow(input: {userId: $asking, idempotencyKey: "k"})',
    "block": 'block(input: {userId: $carol, idempotencyKey: "k"})',
    "mute": 'mute(input: {userId: $carol, idempotencyKey: "k"})',
    "mute a thread": 'muteThread(input: {targetId: $video, idempotencyKey: "k"})',
    "remove a follower": 'removeFollower(input: {userId: $carol, idempotencyKey: "k"})',
    "publish": 'publishPost(input: {text: "more", idempotencyKey: "k"})',
    "edit": 'editPost(input: {postId: $own, text: "other", idempotencyKey: "k"})',
    "pin a post": 'pinPost(input: {postId: $own, idempotencyKey: "k"})',
    "delete": "deletePost(input: {postId: $own})",
    "comment": 'addComment(input: {subjectId: $post, text: "more", idempotencyKey: "k"})',
    "edit comment": 'editComment(input: {commentId: $comment, text: "other", idempotencyKey: "k"})',
    "set a comment policy": 'setCommentPolicy(input: {subjectId: $own, policy: NOBODY, idempotencyKey: "k"})',
    "pin a comment": 'pinComment(input: {commentId: $on_own, idempotencyKey: "k"})',
    "delete comment": "deleteComment(input: {commentId: $comment})",
    "view": "recordViews(input: {targetIds: [$video]})",
    "share": "recordShares(input: {targetIds: [$video]})",
    "read": "markNotificationsRead(input: {upTo: $cursor})",
    "report": 'report(input: {targetId: $post, reason: SPAM, idempotencyKey: "k"})',
    "notice": 'notice(input: {targetId: $post, explanation: "e", law: "l", unnamed: true, goodFaith: true})',
    "resolve reports": 'resolveReports(input: {targetId: $post, resolution: DISMISS, reason: "no"})',
    "moderate": 'moderate(input: {targetId: $post, decision: REJECT, reason: "because"})',
}
"""The operations that append to a journal, by script."""
APPENDING = {"change_own_set", "count_actions", "receive", "write"}
SET_PRIVATE = "mutation ($value: Boolean) { updateProfile(input: {isPrivate: $value}) { userErrors { code } } }"
TYPES = {"cursor": "String!"}


@dataclass
class FullRedisCase:
    """Alice has a follower, bob, who liked her post and commented on it. She has pending changes."""

    system: System
    alice: Person
    bob: Person
    ids: dict[str, str]

    async def refusals(self, write: str) -> list[dict[str, Any]]:
        variables = {name: value for name, value in self.ids.items() if f"${name}" in write}
        declared = ", ".join(f"${name}: {TYPES.get(name, 'ID!')}" for name in variables)
        head = f"mutation ({declared})" if declared else "mutation"
        answer = await self.bob.send(f"{head} {{ {write} {{ userErrors {{ code }} }} }}", **variables)
        return [error["extensions"] for error in answer.json().get("errors", [])]


@pytest.fixture(params=["standalone"])
def redis_mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("full")) as one:
        yield one


@pytest.fixture
def redis_url(server: Valkey) -> Iterator[str]:
    server.command("FLUSHALL")
    yield server.url
    server.command("CONFIG SET", "maxmemory", "0")


@pytest_asyncio.fixture
async def full(make_settings: Callable[..., Settings]) -> AsyncIterator[FullRedisCase]:
    async with running(make_settings(moderation=LENIENT)) as system:
        alice, bob, carol = system.person("alice"), system.person("bob", "moderate"), system.person("carol")
        (video,) = await system.videos("v1")
        (post,) = await published(alice, "first")
        (own,) = await published(bob, "own")
        await follow_people(bob, alice)
        carols = await carol.id()
        private, asking = system.person("private"), system.person("asking")
        for person in (private, bob):
            await person.ask(SET_PRIVATE, value=True)
        await follow_people(asking, bob)
        await bob.ask(SET_PRIVATE, value=False)
        await system.drain()
        comment = await added(bob, post, "hello")
        on_own = await added(alice, own, "hello")
        await system.drain()
        assert await home(bob) == ["own", "first"]
        for target in (video, post):  # loads the state from rows
            await bob.ask("query ($id: ID!) { node(id: $id) { ... on Reactable { viewerReaction } } }", id=target)
        await bob.ask("{ viewer { saved(first: 1) { nodes { savedAt } } collections(first: 1) { nodes { id } } } }")
        cursor, _ = (await page(bob)).cursors
        ids = {"video": video, "post": post, "own": own, "carol": carols, "comment": comment, "on_own": on_own}
        ids |= {"cursor": cursor, "alice": await alice.id(), "private": await private.id(), "asking": await asking.id()}
        yield FullRedisCase(system, alice, bob, ids)


def test_scripts_that_append_to_journals_are_refused_while_memory_is_full() -> None:
    assert {script.name for script in SCRIPTS if "'XADD'" in script.source} == {*APPENDING, "raise_ids"}, (
        "`raise_ids` removes its own entry"
    )
    assert {script.name for script in SCRIPTS if script.source.startswith("#!lua\n")} >= APPENDING


async def test_a_full_journal_refuses_every_write_and_changes_nothing(
    full: FullRedisCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = full.system.state
    stores = state.actions, state.patches
    with monkeypatch.context() as bounded:
        for store in (*stores, state.own_sets, state.read_marks, state.boundaries):
            bounded.setattr(store, "_journal_bound", 0)
        before = await redis_state(full.system)
        for name, write in WRITES.items():
            refused = metric("journal_refusals_total")
            assert await full.refusals(write) == [{"code": "UNAVAILABLE", "retryAfter": 5.0}], name
            assert await redis_state(full.system) == before, name
            assert metric("journal_refusals_total") == refused + 1, name

    for name, write in sorted(WRITES.items(), key=lambda one: one[0].startswith("delete")):
        assert await full.refusals(write.replace('"k"', f'"{name}"')) == [], name


@pytest.mark.prove
async def test_a_server_without_memory_refuses_every_write_and_changes_nothing(
    full: FullRedisCase, server: Valkey
) -> None:
    server.command("CONFIG SET", "maxmemory", "1")
    before = await redis_state(full.system)

    for write in WRITES.values():
        assert await full.refusals(write) == [{"code": "UNAVAILABLE", "retryAfter": 1.0}], write

    assert await redis_state(full.system) == before


async def test_reads_continue_without_memory(full: FullRedisCase, server: Valkey) -> None:
    server.command("CONFIG SET", "maxmemory", "1")
    dave = full.system.person(None)

    assert await home(full.bob) == ["own", "first"]
    assert await on_square(dave) == ["own", "first"]
    assert await count_seen(dave, full.ids["video"]) == 0
    assert await read(dave, full.ids["post"], "NEWEST") == ["hello"]
    assert (await dave.ask(PROFILE, handle="alice", first=1))["user"]["postCount"] == 1
    assert len((await page(full.bob)).nodes) == 2


async def test_workers_make_room_without_memory(full: FullRedisCase, server: Valkey) -> None:
    system, ids = full.system, full.ids
    await full.bob.like(ids["video"])
    await publish(full.alice, "second")
    await add(full.bob, ids["post"], "again")
    await full.bob.ask(MARK, upTo=ids["cursor"])
    await follow_people(full.alice, full.bob)
    await full.bob.ask(
        f"mutation ($video: ID!) {{ {WRITES['share']} {{ userErrors {{ code }} }} }}", video=ids["video"]
    )
    server.command("CONFIG SET", "maxmemory", "1")

    await system.drain()

    assert await full.refusals(WRITES["publish"]) == [{"code": "UNAVAILABLE", "retryAfter": 1.0}]
    partitions = range(system.settings.partitions)
    assert await system.state.journals.lengths(partitions) == [0] * len(partitions)
    assert {key.split(b":")[1] for key in await redis_state(system)}.isdisjoint({b"pending", b"patches", b"seen"})
    assert await system.rows("SELECT state FROM reactions") == [(1,)]
    assert await home(full.bob) == ["second", "own", "first"]
    server.command("CONFIG SET", "maxmemory", "0")
    assert await count_seen(full.bob, ids["video"]) == 1
    assert await full.refusals(WRITES["publish"]) == []


async def test_the_memory_use_of_a_server_is_exported(full: FullRedisCase, server: Valkey) -> None:
    worker = full.system.worker()
    await worker.ownership.renew()
    name = f"127.0.0.1:{server.port}"
    metrics.REDIS_MEMORY.labels("a master that is gone").set(0.97)
    await journal_metrics.measure_journals(full.system.state, worker.ownership)
    assert 0 < metric("redis_memory_ratio", server=name) < 0.1  # relative to the memory of the machine
    assert REGISTRY.get_sample_value("plaudit_redis_memory_ratio", {"server": "a master that is gone"}) is None

    taken: int = server.command("INFO", "memory")["used_memory"]
    server.command("CONFIG SET", "maxmemory", 2 * taken)
    await journal_metrics.measure_journals(full.system.state, worker.ownership)

    assert 0.4 < metric("redis_memory_ratio", server=name) < 0.6
    assert metric("partitions") == full.system.settings.partitions
    assert list(await servers.memory(full.system.state.redis)) == [name]
