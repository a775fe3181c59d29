"""The hooks of clients/react without a browser, as in React Native, against the real API."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from identity import auth
from settings import ModerationSettings, Settings
from tests.clients.react.site import bundle
from tests.support.deployment import ROOT
from tests.support.node import needs_compiler, run
from tests.support.subscriptions import serving

NATIVE = ROOT / "tests" / "clients" / "react" / "native.tsx"
REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'


@needs_compiler
@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_hooks_run_without_a_browser(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    script = tmp_path / "native.mjs"
    bundle(NATIVE, script, "--platform=node", f"--banner:js={REQUIRE}")
    async with serving(make_settings(port=0, moderation=ModerationSettings(new_account=0))) as live:
        await live.videos("v1")
        await live.person("carol").ask("{ viewer { id } }")
        url, token = f"http://{live.address}", auth.mint(live.settings, "alice")
        printed = await asyncio.to_thread(run, tmp_path, "node", script.name, PLAUDIT_URL=url, PLAUDIT_TOKEN=token)
        steps = json.loads(printed)
        await live.drain()
        stored = await live.rows("SELECT (SELECT count(*) FROM like_log), (SELECT count(*) FROM comments)")

    assert steps == {
        "anonymous": [0, 1],
        "read": [0, False, False, 0],
        "refusal": "TEXT_TOO_LONG",
        "written": [1, True, True, None, "From a phone"],
    }
    assert stored == [(1, 1)]
