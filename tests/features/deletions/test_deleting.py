"""deleteUser hides an account at once; cancelDeletion restores it; workers then remove what the user has done."""

from typing import Any

import pytest

from commands.write import Write
from domain.errors import AccountDeleted
from tests.support.boundaries import block
from tests.support.deletions import CANCEL, DELETE, DELETION, cancel, delete, deletion, finish, step
from tests.support.interrupting import run_after
from tests.support.posts import publish
from tests.support.private_accounts import make_private
from tests.support.reconciliation import drift, execute
from tests.support.suspended_writes import ACCEPTED, REFUSED, failures, scene
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System
from workers.deletions.run import delete_accounts
from workers.topic_recounts import recount_topics

CODE = AccountDeleted.code
PROFILE = "query ($id: ID!) { node(id: $id) { id ... on User { handle displayName } } }"


async def seen(reader: Person, id_: str) -> Any:
    """Returns an object as a reader sees it."""
    return (await reader.ask(PROFILE, id=id_))["node"]


async def _nothing(*_: Any) -> None:
    """Stands for a process that dies before it drops cached values."""


async def test_a_deleted_account_and_its_content_are_hidden_at_once_and_shown_again_after_the_cancellation(
    system: System,
) -> None:
    bob, ids = await scene(system)
    reader = system.person("alice")
    payload = await delete(bob, "ERASE", 30)
    assert payload["userErrors"] == []
    assert (payload["deletion"]["state"], payload["deletion"]["mode"]) == ("PENDING", "ERASE")

    hidden = [await seen(reader, ids[name]) for name in ("bob", "post", "comment")]
    await system.drain()
    hidden += [await seen(reader, ids[name]) for name in ("bob", "post", "comment")]
    assert hidden == [None] * 6

    assert (await cancel(bob))["userErrors"] == []
    shown = [(await seen(reader, ids[name]) or {}).get("id") for name in ("bob", "post", "comment")]
    assert shown == [ids["bob"], ids["post"], ids["comment"]]
    await system.drain()
    assert await deletion(bob) is None
    assert await drift(system) == {}


async def test_only_the_ways_back_are_open_to_a_deleted_account(system: System) -> None:
    bob, ids = await scene(system)
    tables = "posts", "reactions", "comment_contents", "notification_preferences"
    before = [await system.stored(table) for table in tables]
    due = (await delete(bob, "ANONYMIZE", 3))["deletion"]["dueAt"]

    preferences = {"setNotificationPreferences": "preferences: [{kind: LIKE, enabled: false}]"}
    for inputs in (REFUSED, ACCEPTED, preferences):
        assert await failures(bob, ids, inputs, "deleted") == {name: [CODE] for name in inputs}
    body = (await bob.send("{ viewer { id home { nodes { id } } } }")).json()
    assert body["errors"][0]["extensions"] == {"code": CODE, "dueAt": due[:19] + "Z"}
    assert "data" not in body
    assert await deletion(bob) == {"state": "PENDING", "mode": "ANONYMIZE", "dueAt": due}

    await system.drain()
    assert before == [await system.stored(table) for table in tables]


async def test_the_mutations_beside_a_cancellation_check_the_account_themselves(system: System) -> None:
    bob, ids = await scene(system)
    await delete(bob, "ERASE", 3)
    mixed = """mutation ($id: ID!) {
      early: like(input: {targetId: $id}) { userErrors { code } }
      cancelDeletion(input: {}) { deletion { state } userErrors { code } }
      late: like(input: {targetId: $id}) { target { likeCount } userErrors { code } } }"""
    body = (await bob.send(mixed, id=ids["video"])).json()
    assert [(error["extensions"]["code"], error["path"]) for error in body["errors"]] == [(CODE, ["early"])]
    assert body["data"] == {
        "early": None,
        "cancelDeletion": {"deletion": None, "userErrors": []},
        "late": {"target": {"likeCount": 1}, "userErrors": []},
    }
    await system.drain()
    assert len(await system.rows("SELECT verb FROM like_log WHERE entity_id IN (SELECT entity_id FROM entities)")) == 1
    assert await deletion(bob) is None


@pytest.mark.parametrize("days", [-1, 366])
async def test_other_grace_periods_are_bad_input(system: System, days: int) -> None:
    bob = system.person("bob")
    await bob.id()
    assert await bob.errors(DELETE, mode="ERASE", days=days, user=None, key=None) == [("BAD_INPUT", ["deleteUser"])]
    assert await deletion(bob) is None


async def test_only_a_service_may_delete_other_users(system: System) -> None:
    bob, alice, service = system.person("bob"), system.person("alice"), system.person("backend", "users:write")
    user = await alice.id()
    for query, more in ((DELETE, {"mode": "ERASE", "days": 1}), (CANCEL, {})):
        assert [code for code, _ in await bob.errors(query, user=user, key=None, **more)] == ["FORBIDDEN"]
    assert (await delete(service, "ERASE", 1, user))["userErrors"] == []
    assert [code for code, _ in await alice.errors("{ square { nodes { id } } }")] == [CODE]
    assert (await cancel(service, user))["userErrors"] == []
    assert await deletion(alice) is None
    for person in (alice, bob):  # the same key for another user counts as a new key
        asked = await service.ask(DELETE, user=await person.id(), mode="ERASE", days=1, key="k")
        assert asked["deleteUser"]["userErrors"] == []
        assert (await deletion(person))["state"] == "PENDING"
    other = await service.ask(DELETE, user=user, mode="ANONYMIZE", days=1, key="k")
    assert [error["code"] for error in other["deleteUser"]["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]
    assert (await delete(service, user="User:1"))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["userId"]}]


async def test_a_repeated_request_keeps_the_time_of_the_first_one(system: System) -> None:
    bob = system.person("bob")
    sent = {"mode": "ERASE", "days": 5, "user": None, "key": "one"}
    first = (await bob.ask(DELETE, **sent))["deleteUser"]
    assert (await bob.ask(DELETE, **sent))["deleteUser"] == first
    await system.drain()
    assert (await bob.ask(DELETE, **sent))["deleteUser"] == first
    assert len(await system.rows("SELECT user_id FROM deletions")) == 1


async def test_a_deletion_that_has_begun_cannot_be_cancelled(system: System) -> None:
    bob, _ = await scene(system)
    await delete(bob)
    await step(system)
    assert (await deletion(bob))["state"] == "RUNNING"
    refused = {"code": "TARGET_DELETED", "field": None}
    assert (await cancel(bob))["userErrors"] == [refused]
    assert (await delete(bob, "ANONYMIZE", 30))["userErrors"] == [refused]


async def test_a_deletion_that_has_begun_can_be_requested_again_as_it_is(system: System) -> None:
    bob, _ = await scene(system)
    await delete(bob)
    await step(system)
    again = await delete(bob)
    assert (again["userErrors"], again["deletion"]["state"]) == ([], "RUNNING")
    for other in (await delete(bob, "ANONYMIZE"), await delete(bob, "ERASE", 30)):
        assert other["userErrors"] == [{"code": "TARGET_DELETED", "field": None}]


async def test_a_request_whose_deletion_begins_before_the_answer_succeeds(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob, _ = await scene(system)

    async def begin() -> None:
        await system.drain()
        await step(system)

    run_after(monkeypatch, Write, "append", begin)
    payload = await delete(bob)
    assert (payload["userErrors"], payload["deletion"]["state"]) == ([], "RUNNING")


async def test_a_cancelled_deletion_never_begins(system: System) -> None:
    bob, _ = await scene(system)
    await delete(bob)
    await cancel(bob)
    assert await step(system) == 0
    assert await system.rows("SELECT user_id FROM deletions") == []
    assert await deletion(bob) is None


@pytest.mark.parametrize("mode", ["ANONYMIZE", "ERASE"])
async def test_afterwards_a_new_sign_in_creates_a_new_user(system: System, mode: str) -> None:
    bob, ids = await scene(system)
    await delete(bob, mode)
    await finish(system)

    assert [code for code, _ in await bob.errors(DELETION)] == ["UNAUTHENTICATED"]  # clients send a fresh token then
    assert [code for code, _ in await bob.errors(DELETION)] == [CODE]  # the token was issued before the end
    await execute(system, "UPDATE deleted_identities SET deleted_ms = deleted_ms - 3600000")  # as if issued after it
    assert await bob.id() not in ("", ids["bob"])
    node = await seen(system.person("alice"), ids["bob"])
    if mode == "ERASE":
        assert node is None
    else:
        assert node == {"id": ids["bob"], "handle": f"deleted_{ids['bob'][5:]}", "displayName": "Deleted user"}


async def test_a_cancellation_that_comes_too_late_is_refused(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    bob, _ = await scene(system)
    await delete(bob)
    await system.drain()
    await delete_accounts(system.state, lambda: True, {})
    worker = await system.owner()
    monkeypatch.setattr(system.state.cache, "drop", _nothing)
    while await worker.step():
        pass
    monkeypatch.undo()
    assert (await cancel(bob))["userErrors"] == [{"code": "TARGET_DELETED", "field": None}]


@pytest.mark.parametrize("hides", ["PRIVATE", "HIDDEN", "SHADOW", "block"])
async def test_anonymized_content_stays_hidden_if_it_was_hidden(system: System, hides: str) -> None:
    bob, ids = await scene(system)
    alice = system.person("alice")
    if hides == "PRIVATE":
        await make_private(bob)
    elif hides == "block":
        await block(alice, ids["bob"])
    else:
        await suspend(moderator(system), ids["bob"], hides)
    await delete(bob, "ANONYMIZE")
    await finish(system)
    assert await seen(alice, ids["post"]) is None
    assert await drift(system) == {}


async def test_the_posts_of_an_anonymized_user_count_in_their_topics_again(system: System) -> None:
    bob = system.person("bob")
    await publish(bob, "hello", "cats")
    await system.drain()
    await delete(bob, "ANONYMIZE")
    await finish(system)
    while await recount_topics(system.state, lambda: True):
        pass
    await system.drain()
    assert (await bob.http.post("/graphql", json={"query": '{ topic(name: "cats") { postCount } }'})).json()[
        "data"
    ] == {"topic": {"postCount": 1}}


async def test_an_upsert_during_the_deletion_leaves_no_handle_behind(system: System) -> None:
    service, bob = system.person("backend", "users:write"), system.person("bob")
    await bob.id()
    await delete(bob)
    await step(system)
    await service.ask(
        'mutation { upsertUsers(users: [{externalId: "bob", handle: "robert"}]) { userErrors { message } } }'
    )
    await finish(system)
    assert await system.rows("SELECT handle, user_id FROM handles WHERE handle IN ('bob', 'robert') ORDER BY 1") == [
        ("bob", 0),
        ("robert", 0),
    ]
