"""`plaudit webhooks`, as operators use it."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from settings import Settings
from tests.support.outgoing import received
from tests.support.reconciliation import execute
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.fixture
def plaudit(make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Returns the command line with a wide terminal, over the test's stores."""
    settings = make_settings()
    environment = {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": "s" * 32,
        "PLAUDIT_EVENTS": '{"timeout": 1}',
        "COLUMNS": "400",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return lambda *words: CliRunner().invoke(app, ["webhooks", *map(str, words)])


@pytest.fixture
def stream(make_settings: Callable[..., Settings]) -> str:
    return f"{make_settings().redis_url}?stream=stream"


def listed(plaudit: Callable[..., Result]) -> dict[str, Any]:
    return {row["name"]: row for row in json.loads(plaudit("list", "--json").stdout)}


def test_a_webhook_is_added_listed_and_removed(plaudit: Callable[..., Result]) -> None:
    url = "https://hooks.example.com/plaudit"
    added = plaudit("add", "hook", url, "--kind", "post.created", "--business", "post")
    assert (added.exit_code, added.stdout[:6]) == (0, "whsec_")

    row = listed(plaudit)["hook"]

    assert row["url"] == url
    assert (row["kinds"], row["businesses"], row["state"]) == (["post.created"], ["post"], "ACTIVE")
    assert "hooks.example.com" in plaudit("list").stdout
    assert added.stdout.strip() not in plaudit("list", "--json").stdout
    assert plaudit("remove", "hook").exit_code == 0
    assert listed(plaudit) == {}


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Hook", "https://example.com/"),
        ("add", "hook", "http://example.com/"),
        ("add", "hook", "https://example.com/", "--kind", "post.eaten"),
        ("add", "hook", "https://example.com/", "--business", "nothing"),
        ("pause", "hook"),
        ("resume", "hook"),
        ("rotate", "hook"),
        ("remove", "hook"),
        ("test", "hook"),
        ("replay", "hook", "--since", "2026-01-01"),
        ("add", "hook", "https://host:b/"),
        ("add", "hook", "https://-ü--.com/"),
        ("add", "hook", "https://host/\x01"),
        ("add", "hook", "https://:secret@host/"),
        ("add", "hook", "https://host:99999/"),
        ("add", "hook", "redis://127.0.0.1:1/0?protocol=9"),
        ("add", "hook", "redis://127.0.0.1:1/0?retry=1"),
        ("add", "hook", "rediss://127.0.0.1:1/0?ssl_cert_reqs=zz"),
    ],
)
def test_invalid_words_change_nothing(plaudit: Callable[..., Result], words: tuple[str, ...]) -> None:
    result = plaudit(*words)

    assert result.exit_code == 1
    assert result.stderr
    assert listed(plaudit) == {}


def test_a_name_is_used_once(plaudit: Callable[..., Result], stream: str) -> None:
    assert plaudit("add", "one", stream).exit_code == 0
    assert plaudit("add", "one", "https://example.com/").exit_code == 1
    assert listed(plaudit)["one"]["url"] == stream


def test_pause_and_resume_change_the_state(plaudit: Callable[..., Result], stream: str) -> None:
    plaudit("add", "one", stream)
    plaudit("pause", "one")
    row = listed(plaudit)["one"]
    assert (row["state"], row["reason"]) == ("PAUSED", "paused by an operator")
    plaudit("resume", "one")
    row = listed(plaudit)["one"]
    assert (row["state"], row["reason"]) == ("ACTIVE", None)


def test_rotate_keeps_the_previous_secret_once(plaudit: Callable[..., Result]) -> None:
    secrets = [plaudit("add", "hook", "https://example.com/").stdout.strip()]
    secrets += [plaudit("rotate", "hook").stdout.strip() for _ in range(2)]
    assert len(set(secrets)) == 3


def test_a_stream_has_no_secret_to_rotate(plaudit: Callable[..., Result], stream: str) -> None:
    plaudit("add", "one", stream)
    assert plaudit("rotate", "one").exit_code == 1


def test_a_destination_can_ask_for_events_of_users_alone(plaudit: Callable[..., Result], stream: str) -> None:
    assert plaudit("add", "one", stream, "--business", "user").exit_code == 0
    assert listed(plaudit)["one"]["businesses"] == ["user"]


def test_a_replay_from_the_future_is_refused(plaudit: Callable[..., Result], stream: str) -> None:
    plaudit("add", "one", stream)
    assert plaudit("replay", "one", "--since", "2999-01-01").exit_code == 1


def test_a_password_in_a_url_is_not_shown(plaudit: Callable[..., Result]) -> None:
    plaudit("add", "one", "redis://user:hunter2@127.0.0.1:1/0")
    plaudit("add", "two", "redis://127.0.0.1:1/0?stream=s&password=hunter2&db=1")
    assert "hunter2" not in plaudit("list", "--json").stdout
    assert "hunter2" not in plaudit("list").stdout


def test_test_says_whether_a_destination_accepts_an_event(plaudit: Callable[..., Result], stream: str) -> None:
    plaudit("add", "one", stream)
    plaudit("add", "down", "redis://127.0.0.1:1/0")
    plaudit("add", "private", "https://127.0.0.1/")
    assert plaudit("test", "one").exit_code == 0
    assert plaudit("test", "down").exit_code == 1
    assert "private address" in plaudit("test", "private").stderr


async def test_a_lost_range_that_begins_at_zero_is_listed(
    system: System, plaudit: Callable[..., Result], stream: str
) -> None:
    await asyncio.to_thread(plaudit, "add", "stream", stream)
    await execute(system, "UPDATE event_cursors SET position = 7, lost_after = 0, lost_through = 7 WHERE p = 1")

    (lost,) = (await asyncio.to_thread(listed, plaudit))["stream"]["lost"]

    assert (lost["partition"], lost["afterPosition"], lost["throughPosition"]) == (1, 0, 7)


def test_options_of_a_stream_are_checked(plaudit: Callable[..., Result], stream: str) -> None:
    assert plaudit("add", "one", f"{stream}&client_name=events").exit_code == 0
    assert plaudit("add", "two", f"{stream}&colour=red").exit_code == 1


async def test_replay_sends_kept_events_again(system: System, plaudit: Callable[..., Result], stream: str) -> None:
    assert (await asyncio.to_thread(plaudit, "add", "stream", stream, "--kind", "user.created")).exit_code == 0
    await system.person("alice").id()
    first = await received(system)
    result = await asyncio.to_thread(plaudit, "replay", "stream", "--since", "2026-01-01")

    assert result.exit_code == 0
    assert await received(system) == first * 2
