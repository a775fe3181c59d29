"""The counters that a business defines: recordActions and actionCount work like views and shares."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from identity import auth
from settings import Settings
from tests.support.fallback_mode import directly
from tests.support.posts import published
from tests.support.reconciliation import drift, execute
from tests.support.stores import standalone
from tests.support.system import BUSY, Person, System, running
from workers import retention

DAY_MS = 86_400_000
RECORD = """mutation ($ids: [ID!]!, $action: String!, $key: String) {
  recordActions(input: {targetIds: $ids, action: $action, idempotencyKey: $key}) {
    targets { actionCount(action: $action) } userErrors { code field } } }"""
SHARE = """mutation ($ids: [ID!]!, $key: String) { recordShares(input: {targetIds: $ids, idempotencyKey: $key}) {
  targets { shareCount } userErrors { code field } } }"""
COUNTS = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Commentable {
  plays: actionCount(action: "plays") downloads: actionCount(action: "downloads") viewCount shareCount } } }"""


async def record(person: Person, action: str, *ids: str, key: str | None = None) -> list[int]:
    """Returns the counters of the targets of a mutation that must succeed."""
    payload = (await person.ask(RECORD, ids=list(ids), action=action, key=key))["recordActions"]
    assert payload["userErrors"] == []
    return [target["actionCount"] for target in payload["targets"]]


async def refused(person: Person, action: str, *ids: str, key: str | None = None) -> list[tuple[str, list[str]]]:
    payload = (await person.ask(RECORD, ids=list(ids), action=action, key=key))["recordActions"]
    assert payload["targets"] is None
    return [(error["code"], error["field"]) for error in payload["userErrors"]]


async def counts(person: Person, *ids: str) -> list[tuple[int | None, int | None]]:
    """Returns (plays, downloads) of each target. No action is a view or a share."""
    nodes = (await person.ask(COUNTS, ids=list(ids)))["nodes"]
    assert {(node["viewCount"], node["shareCount"]) for node in nodes} == {(0, 0)}
    return [(node["plays"], node["downloads"]) for node in nodes]


async def test_the_actor_sees_an_action_at_once_and_others_see_it_after_the_commit(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    alice, bob = system.person("alice"), system.person("bob")

    assert await record(alice, "plays", one, other, one) == [1, 1, 1]
    assert await record(alice, "downloads", one) == [1]
    assert [await counts(person, one, other) for person in (alice, bob)] == [[(1, 1), (1, 0)], [(0, 0)] * 2]
    await system.drain()

    assert [await counts(person, one, other) for person in (alice, bob)] == [[(1, 1), (1, 0)]] * 2
    assert await system.rows("SELECT DISTINCT kind FROM counters WHERE business_id = 100 ORDER BY 1") == [
        *[(100,), (101,)]
    ]


async def test_a_counter_counts_once_per_hour_or_every_time(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, phone = system.person("alice"), system.person(None, device_id="phone")

    for person in (alice, phone):
        for _ in range(3):
            await record(person, "plays", video)
            await record(person, "downloads", video)
    await system.drain()
    assert await counts(alice, video) == [(2, 6)]
    await system.empty_redis()  # rows still have the plays of this hour
    await record(alice, "plays", video)
    await system.drain()

    assert await counts(alice, video) == [(2, 6)]
    await system.rows("UPDATE records SET bucket = bucket - 1 WHERE kind = 100 RETURNING 1")
    await system.empty_redis()
    assert await record(alice, "plays", video) == [3]


async def test_a_play_and_a_view_in_one_hour_both_count(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    await alice.ask("mutation ($id: ID!) { recordViews(input: {targetIds: [$id]}) { userErrors { code } } }", id=video)
    assert await record(alice, "plays", video) == [1]


async def test_a_retry_with_its_key_counts_once(system: System) -> None:
    one, other = await system.videos("v1", "v2")
    alice = system.person("alice")

    await asyncio.gather(*[record(alice, "downloads", one, key="k") for _ in range(5)])
    await system.drain()
    assert await record(alice, "downloads", one, key="k") == [1]
    for action, target in (("downloads", other), ("plays", one)):
        assert await refused(alice, action, target, key="k") == [("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])]
    for _ in range(2):
        payload = (await alice.ask(SHARE, ids=[one], key="k"))["recordShares"]
        assert payload == {"targets": [{"shareCount": 1}], "userErrors": []}
    await system.drain()

    assert await system.rows("SELECT kind, value FROM counters WHERE business_id = 100 ORDER BY 1") == [
        (4, 1),
        (101, 1),
    ]


async def test_concurrent_actions_of_two_users_all_count(system: System) -> None:
    (video,) = await system.videos("v1")
    people = [system.person(name) for name in ("alice", "bob")]

    await asyncio.gather(*[record(person, "downloads", video) for person in people for _ in range(10)])
    assert [await counts(person, video) for person in people] == [[(0, 10)]] * 2
    await system.drain()

    assert [await counts(person, video) for person in people] == [[(0, 20)]] * 2


@standalone
async def test_only_the_counters_of_the_targets_business_can_be_used(system: System) -> None:
    (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
    (tiny,) = await system.videos("t1", business="tiny")
    alice = system.person("alice")

    for action, target in (("plays", article), ("plays", tiny), ("opens", video), ("", video), ("Plays", video)):
        assert await refused(alice, action, target) == [("ACTION_UNKNOWN", ["action"])]
    assert await refused(alice, "plays", video, "Entity:video:none") == [("TARGET_NOT_FOUND", ["targetIds"])]
    several = {"ids": [video, article], "action": "downloads"}
    assert await alice.errors(RECORD, **several) == [("BAD_INPUT", ["recordActions"])]
    assert await alice.errors(RECORD, ids=[], action="plays") == [("BAD_INPUT", ["recordActions"])]
    assert await system.person(None).errors(RECORD, ids=[video], action="plays") == [
        ("UNAUTHENTICATED", ["recordActions"])
    ]
    assert await record(alice, "downloads", article) == [1]
    await system.drain()

    assert await counts(alice, video, article, tiny) == [(0, 0), (None, 1), (None, None)]


@standalone
async def test_posts_have_action_counters(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()

    assert await record(bob, "opens", post) == [1]
    await system.drain()
    opens = 'query ($id: ID!) { node(id: $id) { ... on Post { actionCount(action: "opens") } } }'
    assert await alice.ask(opens, id=post) == {"node": {"actionCount": 1}}


@standalone
async def test_a_token_counts_only_in_its_businesses(system: System) -> None:
    (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
    token = auth.mint(system.settings, "alice", businesses=["article"])
    alice = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    assert await alice.errors(RECORD, ids=[video], action="downloads") == [("FORBIDDEN", ["recordActions"])]
    assert await record(alice, "downloads", article) == [1]
    assert await counts(alice, video) == [(0, 0)]


@standalone
async def test_actions_of_anonymous_devices_of_one_address_are_bounded(make_settings: Callable[..., Settings]) -> None:
    limits = BUSY.model_copy(update={"anonymous": BUSY.anonymous.model_copy(update={"actions_per_target": 3})})
    async with running(make_settings(limits=limits)) as system:
        (video,) = await system.videos("v1")
        devices = [system.person(None, device_id=f"d{i}") for i in range(6)]

        for device in devices[:4]:
            await record(device, "plays", video)
            await record(device, "downloads", video)
        await system.drain()
        async with directly(system):
            await record(devices[5], "plays", video)
            await record(devices[5], "downloads", video)

        assert await counts(system.person("bob"), video) == [(3, 3)]


async def test_direct_writes_count_and_are_kept_when_redis_returns(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await record(alice, "plays", video)
    await record(alice, "downloads", video, key="k")
    await system.drain()

    async with directly(system):
        assert await record(alice, "plays", video) == [1]
        assert await record(bob, "plays", video) == [2]
        for _ in range(2):
            assert await record(bob, "downloads", video, key="d") == [2]
    assert await record(alice, "downloads", video, key="k") == [2]
    assert await record(bob, "downloads", video, key="d") == [2]
    assert await record(bob, "downloads", video) == [3]
    await system.drain()

    assert [await counts(person, video) for person in (alice, bob)] == [[(2, 3)]] * 2
    assert await drift(system, "counters") == {}


@standalone
async def test_retention_removes_old_rows_and_drift_is_detected_and_repaired(system: System) -> None:
    (video,), (article,) = await system.videos("v1"), await system.videos("a1", business="article")
    alice = system.person("alice")
    await record(alice, "plays", video)
    await record(alice, "downloads", video)
    await record(alice, "downloads", article)
    await system.drain()

    later = system.state.now_ms() + 31 * DAY_MS
    swept = await retention.sweep(replace(system.state, now_ms=lambda: later), lambda: True)
    assert swept["records"] == 3
    assert await drift(system, "counters") == {}
    await execute(system, "UPDATE counters SET value = 77 WHERE kind >= 100")
    assert await drift(system, "counters", repair=True) == {
        "video.plays": 1, "video.downloads": 1, "article.downloads": 1,
    }  # fmt: skip

    assert await drift(system, "counters") == {}
    assert await counts(alice, video, article) == [(1, 1), (None, 1)]
