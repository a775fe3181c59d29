"""Webhooks through the administration API."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from commands.webhooks import MOST_WEBHOOKS
from settings import EventSettings, Settings
from tests.support.external_reviewer import Server, plain
from tests.support.locks import locked, waiting_for_locks
from tests.support.outgoing import send_all, to_stream
from tests.support.reconciliation import execute
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running
from tests.support.webhooks import events_of, receiver

pytestmark = standalone

HOOK = "name url kinds businesses state reason failingSince waitingSince lost { partition }"
CREATE = f"""mutation ($input: CreateWebhookInput!) {{ createWebhook(input: $input) {{
  webhook {{ {HOOK} }} secret userErrors {{ code field }} }} }}"""
LIST = f"""{{ admin {{ webhooks {{ {HOOK}
  deliveries {{ partition pendingCount oldestPendingAt failingSince failure }} }} }} }}"""
SETTINGS = EventSettings(private_addresses=True, timeout=2.0, longest_pause=0.01)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, events=SETTINGS)) as one:
        yield one


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with receiver() as one:
        yield one


def ops(system: System) -> Person:
    return system.person("ops", "admin")


async def create(system: System, name: str = "hook", url: str = "https://hooks.example.com/", **more: Any) -> Any:
    return (await ops(system).ask(CREATE, input={"name": name, "url": url, **more}))["createWebhook"]


async def call(system: System, verb: str, name: str) -> Any:
    fields = {
        "deleteWebhook": "name",
        "rotateWebhookSecret": "secret webhook { name }",
        "retryWebhook": "webhook { state reason failingSince }",
    }[verb]
    query = f"""mutation ($name: String!) {{ {verb}(input: {{name: $name}}) {{
      {fields} userErrors {{ code field }} }} }}"""
    return (await ops(system).ask(query, name=name))[verb]


async def listed(system: System) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await ops(system).ask(LIST))["admin"]["webhooks"]
    return found


async def test_a_webhook_gets_events_that_its_secret_signs(system: System, server: Server) -> None:
    created = await create(system, url=f"http://127.0.0.1:{server.port}/hook", kinds=["reaction.changed"])
    assert created["userErrors"] == []
    assert created["webhook"] == {
        "name": "hook",
        "url": f"http://127.0.0.1:{server.port}/hook",
        "kinds": ["reaction.changed"],
        "businesses": [],
        "state": "ACTIVE",
        "reason": None,
        "failingSince": None,
        "waitingSince": None,
        "lost": [],
    }
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    assert [one["pendingCount"] > 0 for one in (await listed(system))[0]["deliveries"]]

    await send_all(system)

    (request,) = server.requests
    assert [event["data"]["targetId"] for event in events_of(request, created["secret"])] == [video]
    (row,) = await listed(system)
    assert (row["deliveries"], row["waitingSince"]) == ([], None)


async def test_a_secret_is_shown_once_and_is_in_no_log_and_no_list(
    system: System, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    first = (await create(system))["secret"]
    second = (await call(system, "rotateWebhookSecret", "hook"))["secret"]
    assert first.startswith("whsec_")
    assert first != second

    response = await ops(system).send(LIST)

    output = capfd.readouterr()
    for secret in first, second:
        assert secret not in response.text
        assert secret not in caplog.text + output.out + output.err
    assert await system.rows("SELECT secrets FROM event_destinations") == [([second, first],)]


async def test_rotations_at_the_same_time_keep_both_secrets(system: System) -> None:
    await create(system)

    hook = "SELECT name FROM event_destinations WHERE name = 'hook'"
    async with asyncio.TaskGroup() as tasks, locked(system, hook):
        rotations = [tasks.create_task(call(system, "rotateWebhookSecret", "hook")) for _ in range(2)]
        await waiting_for_locks(system, 2)

    ((kept,),) = await system.rows("SELECT secrets FROM event_destinations")
    assert set(kept) == {one.result()["secret"] for one in rotations}


async def test_failed_deliveries_are_listed_and_sent_again(system: System, server: Server) -> None:
    await create(system, url=f"http://127.0.0.1:{server.port}/hook", kinds=["reaction.changed"])
    server.answer = plain(b"", "500 Internal Server Error")
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    await system.drain()
    await send_all(system)

    (row,) = await listed(system)
    failing = [one for one in row["deliveries"] if one["failure"]]
    assert [(one["pendingCount"] >= 1, "500" in one["failure"]) for one in failing] == [(True, True)]
    assert row["failingSince"] == failing[0]["failingSince"]
    assert row["waitingSince"] is not None

    await execute(system, "UPDATE event_destinations SET state = 1, reason = 'failed for too long'")
    assert [(one["state"], one["reason"]) for one in await listed(system)] == [("PAUSED", "failed for too long")]
    server.answer = plain(b"")
    retried = await call(system, "retryWebhook", "hook")
    assert retried["webhook"] == {"state": "ACTIVE", "reason": None, "failingSince": None}
    await send_all(system)
    assert (await listed(system))[0]["deliveries"] == []


async def test_a_webhook_is_deleted(system: System) -> None:
    await create(system)
    assert await call(system, "deleteWebhook", "hook") == {"name": "hook", "userErrors": []}
    assert await listed(system) == []


async def test_bad_input_creates_nothing(system: System) -> None:
    await create(system, "taken")
    async with unchanged(system):
        for name, url, more, field in (
            ("Hook", "https://a.example/", {}, ["name"]),
            ("x" * 41, "https://a.example/", {}, ["name"]),
            ("taken", "https://a.example/", {}, ["name"]),
            ("hook", "ftp://a.example/", {}, ["url"]),
            ("hook", "https://user:secret@a.example/", {}, ["url"]),
            ("hook", "https://host:99999/", {}, ["url"]),
            ("hook", "https://host/\x01", {}, ["url"]),
            ("hook", " https://a.example/", {}, ["url"]),
            ("hook", "https://a.example /", {}, ["url"]),
            ("hook", "https://[::1", {}, ["url"]),
            ("hook", "https://a.example/" + "x" * 2000, {}, ["url"]),
            ("hook", "redis://127.0.0.1:1/0", {}, ["url"]),
            ("hook", "unix:///run/redis.sock", {}, ["url"]),
            ("hook", "https://a.example/", {"kinds": ["post.eaten"]}, ["kinds", "0"]),
            ("hook", "https://a.example/", {"businesses": ["post", "nothing"]}, ["businesses", "1"]),
        ):
            refused = await create(system, name, url, **more)
            assert refused == {
                "webhook": None,
                "secret": None,
                "userErrors": [{"code": "INVALID", "field": field}],
            }, (name, url)


async def test_what_is_no_webhook_is_neither_listed_nor_changed(system: System) -> None:
    await to_stream(system, name="stream")
    await ops(system).id()
    async with unchanged(system):
        assert await listed(system) == []
        for verb in "deleteWebhook", "rotateWebhookSecret", "retryWebhook":
            for name in "stream", "unknown", "", "\0", "x" * 10_000:
                refused = (await call(system, verb, name))["userErrors"]
                assert refused == [{"code": "TARGET_NOT_FOUND", "field": ["name"]}], (verb, name)


async def test_the_number_of_webhooks_is_limited(system: System) -> None:
    await execute(
        system,
        "INSERT INTO event_destinations (name, url, kinds, businesses, secrets, state) "  # noqa: S608 - a constant
        f"SELECT 'h' || n, 'https://a.example/', '{{}}', '{{}}', '{{}}', 0 FROM generate_series(1, {MOST_WEBHOOKS}) n",
    )
    assert (await create(system))["userErrors"] == [{"code": "INVALID", "field": None}]
    assert len(await listed(system)) == MOST_WEBHOOKS
