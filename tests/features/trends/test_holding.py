"""Moderators hold topics: only moderators find them, and their posts stay readable."""

from tests.support.posts import under_topic
from tests.support.reconciliation import drift
from tests.support.suspensions import moderator, suspend
from tests.support.system import System
from tests.support.topics import SET_STATE, searched, set_state, trending, typed, write_about

LOG = """{ moderationLog { nodes { action role actor { handle } target { ... on Topic { id name state } } before after
  reason } } }"""
LOG_OF = "query ($id: ID) { moderationLog(targetId: $id) { nodes { action } } }"
STATE = '{ topic(name: "cats") { state } }'


async def test_a_held_topic_is_found_by_moderators_only(system: System) -> None:
    reader, mia = system.person("alice"), moderator(system)
    await write_about(system, 3, "cats")
    for person in (reader, mia):
        assert await trending(person) == {"cats": 3}
        assert await typed(person, "ca") == await searched(person, "cats") == ["cats"]

    payload = await set_state(mia, "#CATS", "HELD", reason="a campaign")
    assert payload["userErrors"] == []
    assert (payload["topic"]["name"], payload["topic"]["state"]) == ("cats", "HELD")
    await system.drain()

    assert await trending(reader) == {}
    assert await typed(reader, "ca") == await searched(reader, "cats") == []
    assert await trending(mia) == {"cats": 3}
    assert await typed(mia, "ca") == await searched(mia, "cats") == ["cats"]
    assert len(await under_topic(reader, "cats")) == 3
    assert (await mia.ask(STATE))["topic"] == {"state": "HELD"}
    assert (await reader.ask(STATE))["topic"] == {"state": None}

    await set_state(mia, "cats", "OPEN")
    await system.drain()
    assert await trending(reader) == {"cats": 3}
    assert await typed(reader, "ca") == await searched(reader, "cats") == ["cats"]
    assert (await mia.ask(STATE))["topic"] == {"state": "OPEN"}


async def test_a_topic_can_be_held_before_its_first_post(system: System) -> None:
    assert await under_topic(system.person(None), "cats") == []  # caches that there is no such topic
    await set_state(moderator(system), "cats", "HELD")
    await system.drain()
    assert await drift(system) == {}
    await write_about(system, 3, "cats")

    reader = system.person(None)
    assert await trending(reader) == {}
    assert await typed(reader, "ca") == []
    assert len(await under_topic(reader, "cats")) == 3


async def test_the_moderation_log_has_each_change(system: System) -> None:
    mia = moderator(system)
    await write_about(system, 1, "cats")
    for state, reason in (("HELD", "a campaign"), ("HELD", "again"), ("OPEN", None)):
        await set_state(mia, "cats", state, reason=reason)
        await system.drain()

    lines = (await mia.ask(LOG))["moderationLog"]["nodes"]

    target = {"id": "Topic:cats", "name": "cats", "state": "OPEN"}
    by = {"role": "MODERATOR", "actor": {"handle": "mia"}, "target": target}
    held, opened = '{"state":"HELD","name":"cats"}', '{"state":"OPEN","name":"cats"}'
    assert lines == [
        {"action": "TOPIC_OPENED", **by, "before": held, "after": opened, "reason": None},
        {"action": "TOPIC_HELD", **by, "before": opened, "after": held, "reason": "a campaign"},
    ]
    actions = (await mia.ask(LOG_OF, id="Topic:cats"))["moderationLog"]["nodes"]
    assert [one["action"] for one in actions] == ["TOPIC_OPENED", "TOPIC_HELD"]
    assert (await mia.ask(LOG_OF, id="Topic:dogs"))["moderationLog"]["nodes"] == []


async def test_the_newest_decision_stands_also_in_one_batch(system: System) -> None:
    mia = moderator(system)
    for state in ("HELD", "OPEN", "HELD"):
        await set_state(mia, "cats", state)
    await system.drain()

    assert await system.rows("SELECT name, held FROM topics") == [("cats", True)]


async def test_a_repeated_key_makes_the_change_once(system: System) -> None:
    mia = moderator(system)
    first = await set_state(mia, "cats", "HELD", idempotencyKey="k")
    await set_state(mia, "cats", "OPEN")

    assert await set_state(mia, "cats", "HELD", idempotencyKey="k") == first
    await system.drain()
    assert await system.rows("SELECT held FROM topics") == [(False,)]
    refused = await set_state(mia, "cats", "OPEN", idempotencyKey="k")
    assert refused["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]


async def test_bad_requests_change_nothing(system: System) -> None:
    mia, alice = moderator(system), system.person("alice")

    for given, code in (
        ({"name": "two words"}, "TOPIC_INVALID"),
        ({"name": ""}, "TOPIC_INVALID"),
        ({"name": "cats", "reason": "x" * 501}, "TEXT_TOO_LONG"),
        ({"name": "cats", "reason": "\x00"}, "TEXT_INVALID"),
    ):
        payload = (await mia.ask(SET_STATE, input={"state": "HELD", **given}))["setTopicState"]
        assert [one["code"] for one in payload["userErrors"]] == [code], given
    assert await alice.errors(SET_STATE, input={"name": "cats", "state": "HELD"}) == [("FORBIDDEN", ["setTopicState"])]
    await suspend(system.person("max", "moderate"), await mia.id(), "READ_ONLY")
    payload = (await mia.ask(SET_STATE, input={"name": "cats", "state": "HELD"}))["setTopicState"]
    assert [one["code"] for one in payload["userErrors"]] == ["SUSPENDED"]

    await system.drain()
    assert await system.rows("SELECT * FROM topics") == []
