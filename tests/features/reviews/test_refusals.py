"""`/reviews`: whose decisions it accepts, and what is malformed."""

import asyncio
import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from domain.moderation.reviewer import LONGEST_AGE, signature
from tests.features.reviews.later_decisions import asked, send, status
from tests.support.external_reviewer import SECRET, Server
from tests.support.metrics import metric
from tests.support.posts import seen
from tests.support.stores import standalone
from tests.support.system import System


@standalone
async def test_only_a_fresh_signature_with_the_secret_is_accepted(reviewed: System, server: Server) -> None:
    alice = reviewed.person("alice")
    post_id, approved = await asked(reviewed, server, alice)
    now, body = time.time(), json.dumps(approved).encode()
    before = metric("review_callbacks_total", status="401")

    assert await status(reviewed, approved, secret="another secret of an attacker") == 401
    assert await status(reviewed, approved, at=now - LONGEST_AGE - 30) == 401
    assert await status(reviewed, approved, at=now + LONGEST_AGE + 30) == 401
    good = signature(SECRET, int(now), body)
    bad = ["", "t=", "v1=", "nonsense", good.upper(), f"{good} ", f"t={int(now)},v1=", good + "0", f"t=0{good[2:]}"]
    bad += [f"t={10**30},v1=00", "t=²,v1=00", good.replace("v1", "v0"), good[2:]]
    for header in bad:
        headers = {"X-Plaudit-Signature": header.encode("latin-1")}
        response = await reviewed.http.post("/reviews", content=body, headers=headers)  # type: ignore[arg-type]
        assert response.status_code == 401, header
    assert (await reviewed.http.post("/reviews", content=body)).status_code == 401
    assert (
        await reviewed.http.post("/reviews", content=body + b" ", headers={"X-Plaudit-Signature": good})
    ).status_code == 401
    assert metric("review_callbacks_total", status="401") == before + 5 + len(bad)
    await reviewed.drain()
    assert (await seen(alice, post_id))["auditStatus"] == "PENDING"

    assert await status(reviewed, approved, at=now - LONGEST_AGE + 30) == 200


@standalone
async def test_a_request_to_the_reviewer_cannot_be_sent_back_as_a_decision(reviewed: System, server: Server) -> None:
    await asked(reviewed, server, reviewed.person("alice"), '", "decision": "approve')
    request = server.requests[-1]

    response = await reviewed.http.post(
        "/reviews", content=request.body, headers={"X-Plaudit-Signature": request.headers["x-plaudit-signature"]}
    )

    assert response.status_code == 400


@standalone
@pytest.mark.parametrize("example", ["python", "curl"])
async def test_the_documented_examples_are_accepted(
    reviewed: System, server: Server, monkeypatch: pytest.MonkeyPatch, example: str
) -> None:
    await asked(reviewed, server, reviewed.person("alice"))
    request = server.requests[-1].json
    guide = Path("docs/build/moderation.md").read_text(encoding="utf-8")
    if example == "python":
        sent: list[Any] = []
        monkeypatch.setattr(urllib.request, "urlopen", sent.append)
        names: dict[str, Any] = {"secret": SECRET}
        exec(guide.partition("```python\n")[2].partition("```")[0], names)  # noqa: S102
        names["decide"](request, "approve", "fine")
        headers, body = dict(sent[0].header_items()), sent[0].data
    else:
        script = guide.partition("The same with curl:\n\n```sh\n")[2].partition("\ncurl")[0]
        script = script.replace("7421…", request["id"]).replace("1864135…", request["contentVersion"])
        command = ["bash", "-c", f'{script}\nprintf "t=$stamp,v1=$signature\n$body"']
        output = await asyncio.to_thread(
            subprocess.run, command, env={**os.environ, "secret": SECRET}, capture_output=True, text=True, check=True
        )
        signed, _, said = output.stdout.partition("\n")
        headers, body = {"X-Plaudit-Signature": signed}, said.encode()

    response = await reviewed.http.post("/reviews", content=body, headers=headers)

    assert (response.status_code, response.json()) == (200, {"status": "accepted"})


@standalone
@pytest.mark.parametrize(
    "change",
    [
        {"kind": "bio"},
        {"id": 5},
        {"id": "Post:5"},
        {"id": "-5"},
        {"id": "5\n"},
        {"id": "\u0665"},
        {"contentVersion": 5},
        {"contentVersion": None},
        {"decision": "later"},
        {"decision": "APPROVE"},
        {"decision": True},
        {"reason": 5},
        {"labels": ["unknown"]},
        {"labels": "violence"},
        {"author": {"id": "7"}},
    ],
)
async def test_a_malformed_decision_is_refused(reviewed: System, change: dict[str, object]) -> None:
    whole = {"kind": "post", "id": "5", "contentVersion": "5", "decision": "approve"}
    refused = await send(reviewed, whole | change)

    assert refused.status_code == 400
    assert next(iter(change)) in refused.json()["error"]


@standalone
async def test_a_body_that_is_no_decision_is_refused(reviewed: System, server: Server) -> None:
    deep = b"[" * 10_000
    for body in (b"", b"{}", b"[]", b"null", b"\xff", b'{"kind": "\\ud800"}', deep):
        assert await status(reviewed, body) == 400, body
    most = server.settings().max_bytes
    assert await status(reviewed, b" " * most) == 400
    assert await status(reviewed, b" " * (most + 1)) == 413
    assert (await reviewed.http.get("/reviews")).status_code == 405


@standalone
async def test_without_a_reviewer_there_is_no_endpoint(system: System) -> None:
    assert await status(system, {}) == 404
