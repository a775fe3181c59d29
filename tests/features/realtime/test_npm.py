"""The client libraries of browsers, graphql-ws and graphql-sse. The tests need node and the npm registry."""

import asyncio
import shutil
import subprocess
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from settings import Settings
from tests.support.follows import follow_people
from tests.support.posts import published
from tests.support.subscriptions import Live, eventually, serving

pytestmark = [pytest.mark.prove, pytest.mark.parametrize("redis_mode", ["standalone"])]

HERE = Path(__file__).parent / "npm"
EXPIRED = 0
"""A lifetime of zero seconds. The token is valid only for the permitted clock skew."""
TRANSPORTS = pytest.mark.parametrize("transport", ["ws", "sse"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installs the clients. Returns their folder."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("needs node and npm")
    folder = tmp_path_factory.mktemp("npm")
    shutil.copytree(HERE, folder, dirs_exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    installing = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if installing.returncode:
        pytest.skip(f"npm install: {installing.stderr[-300:]}")
    return folder


async def watch(live: Live, folder: Path, transport: str, authorization: str, name: str, *which: str) -> Process:
    scheme = "ws" if transport == "ws" else "http"
    words = ("watch.js", transport, f"{scheme}://{live.address}/graphql", authorization, name, *which)
    return await asyncio.create_subprocess_exec("node", *words, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=PIPE)


async def results_of(process: Process, sent: bytes | None = None) -> list[dict[str, Any]]:
    """Waits until the client exits. Returns its results."""
    async with asyncio.timeout(60):
        output, errors = await process.communicate(sent)
    assert process.returncode == 0, errors.decode()
    return [orjson.loads(line) for line in output.splitlines()]


@TRANSPORTS
async def test_a_real_client_receives_a_change_and_closes(live: Live, folder: Path, transport: str) -> None:
    (video,) = await live.videos("v1")

    client = await watch(live, folder, transport, live.token("alice"), "reactableChanged", video)
    await eventually(lambda: live.state.events.channels == 1)
    await live.person("alice").like(video)
    await live.drain()
    results = [result["data"]["reactableChanged"] for result in await results_of(client)]

    assert results[-1] == {"id": video, "likeCount": 1, "viewerReaction": "LIKE"}
    await eventually(lambda: live.connection_count == 0)


@TRANSPORTS
async def test_a_real_client_receives_a_notification(live: Live, folder: Path, transport: str) -> None:
    (video,) = await live.videos("v1", owner="alice")

    client = await watch(live, folder, transport, live.token("alice"), "notificationReceived")
    await eventually(lambda: live.state.events.channels == 1)
    await live.person("bob").like(video)
    await live.drain()
    (result,) = await results_of(client)

    assert result["data"]["notificationReceived"] == {
        "edge": {"node": {"message": "bob liked your video.", "read": False}},
        "viewer": {"unreadNotificationCount": 1},
    }


@TRANSPORTS
async def test_a_real_client_receives_a_new_post_of_home(live: Live, folder: Path, transport: str) -> None:
    alice, bob = live.person("alice"), live.person("bob")
    await follow_people(bob, alice)
    await live.drain()

    client = await watch(live, folder, transport, live.token("bob"), "homePostAdded")
    await eventually(lambda: live.state.events.channels == 3)
    await published(alice, "hello")
    await live.drain()
    (result,) = await results_of(client)

    assert result["data"]["homePostAdded"] == {"node": {"text": "hello", "author": {"handle": "alice"}}}


@TRANSPORTS
async def test_a_real_client_receives_a_refusal(live: Live, folder: Path, transport: str) -> None:
    client = await watch(live, folder, transport, live.token("alice"), "reactableChanged", "no id")
    (result,) = await results_of(client)

    assert codes(result) == ["BAD_INPUT"]


def codes(result: dict[str, Any]) -> list[str]:
    return [error["extensions"]["code"] for error in result["errors"]]


async def test_a_forged_token_closes_the_socket(live: Live, folder: Path) -> None:
    (result,) = await results_of(await watch(live, folder, "ws", "Bearer forged", "notificationReceived"))

    assert (result["code"], result["reason"]) == (4403, "Forbidden")


@pytest.mark.parametrize("name", ["notificationReceived", "homePostAdded"])
async def test_a_token_that_expires_closes_the_socket(live: Live, folder: Path, name: str) -> None:
    (result,) = await results_of(await watch(live, folder, "ws", live.token("alice", EXPIRED), name))

    assert (result["code"], result["reason"]) == (4403, "The token has expired")


async def test_a_token_that_expires_ends_a_stream(live: Live, folder: Path) -> None:
    (result,) = await results_of(await watch(live, folder, "sse", live.token("alice", EXPIRED), "notificationReceived"))

    assert codes(result) == ["UNAUTHENTICATED"]


async def test_a_real_client_reconnects_with_a_fresh_token_and_receives_events(live: Live, folder: Path) -> None:
    (video,) = await live.videos("v1", owner="alice")
    tokens = f"{live.token('alice', EXPIRED)},{live.token('alice')}"

    client = await watch(live, folder, "ws", tokens, "notificationReceived")
    await eventually(lambda: live.state.events.channels == 1)
    await eventually(lambda: live.connection_count == 0)
    await eventually(lambda: live.state.events.channels == 1 and live.connection_count == 1)
    await live.person("bob").like(video)
    await live.drain()
    (result,) = await results_of(client)

    assert result["data"]["notificationReceived"]["viewer"] == {"unreadNotificationCount": 1}


async def test_a_real_client_that_does_not_read_is_disconnected_with_the_reason(
    make_settings: Callable[..., Settings], folder: Path
) -> None:
    async with serving(make_settings(port=0)) as live:
        client = await watch(live, folder, "ws", live.token("alice"), "notificationReceived", "slow")
        await eventually(lambda: live.connection_count == 1)
        await eventually(lambda: live.connection_count == 0)
        (result,) = await results_of(client, b"read on\n")

    assert (result["code"], result["reason"]) == (1013, "Messages are not read fast enough")
