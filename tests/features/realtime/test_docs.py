"""The example in docs/build/realtime.md is the real output."""

import re
from pathlib import Path

import httpx
import pytest

from tests.support.subscriptions import PATIENCE, Live

DOCS = (Path(__file__).parents[3] / "docs" / "build" / "realtime.md").read_text(encoding="utf-8")


@pytest.mark.prove
@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_example_stream_in_the_docs_is_the_real_output(live: Live) -> None:
    await live.seed()
    shown = re.search(r"--json \\\n +'(?P<sent>.*)'\n(?P<received>(?:.*\n)*?)```", DOCS)
    assert shown
    headers = {"accept": "text/event-stream", "content-type": "application/json"}
    url, received = f"http://{live.address}/graphql", ""

    async with (
        httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http,
        http.stream("POST", url, content=shown["sent"], headers=headers) as response,
    ):
        async for text in response.aiter_text():
            received += text
            if len(received) >= len(shown["received"]):
                break

    assert received.rstrip("\n") == shown["received"].rstrip("\n")
