"""The clients that browsers run: graphql-ws and graphql-sse, where node and their registry can be reached."""

import asyncio
import shutil
import subprocess
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.realtime.clients import Live, eventually

pytestmark = [pytest.mark.prove, pytest.mark.parametrize("redis_mode", ["standalone"])]

HERE = Path(__file__).parent / "npm"
TRANSPORTS = pytest.mark.parametrize("transport", ["ws", "sse"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the clients are installed."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("needs node and npm")
    folder = tmp_path_factory.mktemp("npm")
    shutil.copytree(HERE, folder, dirs_exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    installing = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if installing.returncode:
        pytest.skip(f"npm install: {installing.stderr[-300:]}")
    return folder


async def watch(live: Live, folder: Path, transport: str, authorization: str, id_: str) -> Process:
    scheme = "ws" if transport == "ws" else "http"
    words = ("watch.js", transport, f"{scheme}://{live.address}/graphql", authorization, id_)
    return await asyncio.create_subprocess_exec("node", *words, cwd=folder, stdout=PIPE, stderr=PIPE)


async def told(process: Process) -> list[dict[str, Any]]:
    async with asyncio.timeout(60):
        output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return [orjson.loads(line) for line in output.splitlines()]


@TRANSPORTS
async def test_a_real_client_sees_a_thing_change_and_leaves(live: Live, folder: Path, transport: str) -> None:
    (video,) = await live.videos("v1")

    client = await watch(live, folder, transport, live.token("alice"), video)
    await eventually(lambda: live.state.events.channels == 1)
    await live.person("alice").like(video)
    await live.drain()
    results = [one["data"]["reactableChanged"] for one in await told(client)]

    assert results[-1] == {"id": video, "likeCount": 1, "viewerReaction": "LIKE"}
    await eventually(lambda: live.seats == 0)


@TRANSPORTS
async def test_a_real_client_understands_a_refusal(live: Live, folder: Path, transport: str) -> None:
    (result,) = await told(await watch(live, folder, transport, live.token("alice"), "no id"))

    assert [error["extensions"]["code"] for error in result["errors"]] == ["BAD_INPUT"]


async def test_a_forged_token_closes_the_socket(live: Live, folder: Path) -> None:
    (result,) = await told(await watch(live, folder, "ws", "Bearer forged", "Entity:video:v1"))

    assert (result["code"], result["reason"]) == (4403, "Forbidden")
