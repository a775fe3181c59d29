"""The client kit sends the position of a mutation with all operations of the next two seconds."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from identity import auth
from settings import ConnectionSettings, Settings
from tests.support.deployment import ROOT
from tests.support.node import compiled, needs_compiler, run
from tests.support.subscriptions import serving

pytestmark = [needs_compiler, pytest.mark.prove, pytest.mark.parametrize("redis_mode", ["standalone"])]
OTHER = ConnectionSettings(other_site="http://127.0.0.1:9")


@pytest.mark.parametrize("persisted", ["off", "automatic"])
async def test_operations_send_what_the_user_has_just_written(
    make_settings: Callable[..., Settings], tmp_path: Path, persisted: str
) -> None:
    compiled(ROOT / "clients" / "typescript" / "src" / "index.ts", tmp_path)
    (tmp_path / "position.mjs").write_bytes((Path(__file__).parent / "position.mjs").read_bytes())
    async with serving(make_settings(connections=OTHER, port=0)) as live:
        (video,) = await live.videos("v1")
        token, url = auth.mint(live.settings, "alice"), f"http://{live.address}"
        words = tmp_path, "node", "--experimental-websocket", "position.mjs"
        printed = await asyncio.to_thread(
            run, *words, PLAUDIT_URL=url, PLAUDIT_TOKEN=token, VIDEO=video, PERSISTED=persisted
        )

    steps = json.loads(printed)
    position = steps["like"]["position"]
    assert int(position.partition(".")[0]) > 0
    assert {*steps["before"]["sent"], *steps["like"]["sent"], *steps["later"]["sent"]} == {None}
    assert {*steps["query"]["sent"]} == {*steps["subscription"]["sent"]} == {position}
