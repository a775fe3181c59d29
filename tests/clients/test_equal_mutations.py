"""The client kit answers each of two equal mutations that are sent at the same time."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from identity import auth
from settings import Settings
from tests.support.deployment import ROOT
from tests.support.node import compiled, needs_compiler, run
from tests.support.subscriptions import serving


@needs_compiler
@pytest.mark.prove
@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_both_answers_come(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    compiled(ROOT / "clients" / "typescript" / "src" / "index.ts", tmp_path)
    (tmp_path / "equal.mjs").write_bytes((Path(__file__).parent / "equal.mjs").read_bytes())
    async with serving(make_settings(port=0)) as live:
        (video,) = await live.videos("v1")
        token, url = auth.mint(live.settings, "alice"), f"http://{live.address}"
        words = tmp_path, "node", "equal.mjs"
        printed = await asyncio.to_thread(run, *words, PLAUDIT_URL=url, PLAUDIT_TOKEN=token, VIDEO=video)

    sent = json.loads(printed)
    assert len({*sent["keys"]}) == 2
    assert sent["answers"] == [video, video]
