"""docs/build/realtime.md shows what a newcomer sees."""

import re
from pathlib import Path

import httpx
import pytest

from tests.support.subscriptions import PATIENCE, Live

DOCS = (Path(__file__).parents[3] / "docs" / "build" / "realtime.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_stream_in_the_docs_begins_as_they_show(live: Live) -> None:
    await live.seed()
    shown = re.search(r"--json \\\n +'(?P<sent>.*)'\n(?P<told>(?:.*\n)*?)```", DOCS)
    assert shown
    headers = {"accept": "text/event-stream", "content-type": "application/json"}
    url, told = f"http://{live.address}/graphql", ""

    async with (
        httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http,
        http.stream("POST", url, content=shown["sent"], headers=headers) as response,
    ):
        async for text in response.aiter_text():
            told += text
            if len(told) >= len(shown["told"]):
                break

    assert told.rstrip("\n") == shown["told"].rstrip("\n")
