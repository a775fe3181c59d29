"""Runs `plaudit dev` as a program, and sends it the requests of a user."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from runner.running import Running
from runner.waiting import wait_until

PLAUDIT = (sys.executable, "-m", "plaudit")
READY_SECONDS = 120
WORKER_SECONDS = 60
"""The longest wait for a change that the worker stores."""
PUBLISH = """mutation ($text: String!, $key: String!) {
  publishPost(input: {text: $text, idempotencyKey: $key}) { post { id } userErrors { code } } }"""
LIKE = """mutation ($id: ID!, $key: String!) {
  like(input: {targetId: $id, idempotencyKey: $key}) { userErrors { code } } }"""
COUNT = "query ($id: ID!) { node(id: $id) { ... on Post { likeCount } } }"


@contextmanager
def developing(data_dir: Path, log: Path | None = None, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs `plaudit dev` with an empty system, and with more variables of the environment. Its output goes to `log`, by
    default `dev.log` beside the data. Kills it when the block ends.
    """
    command = [*PLAUDIT, "dev", "--data-dir", str(data_dir), "--port", "0", "--no-seed"]
    with (log or data_dir.parent / "dev.log").open("ab") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env={**without_stores(), **variables})
    try:
        wait_until(lambda: process.poll() is not None or Running.read(data_dir) is not None, READY_SECONDS)
        yield process
    finally:
        process.kill()
        process.wait()


def found(data_dir: Path) -> Running:
    """Returns the system that runs in a directory."""
    running = Running.read(data_dir)
    assert running, (data_dir.parent / "dev.log").read_text()
    return running


def without_stores() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}


class Alice:
    """A user of a running system. `token` signs her in."""

    def __init__(self, url: str, token: str) -> None:
        self._url = f"{url}/graphql"
        self._headers = {"Authorization": f"Bearer {token}"}

    def publishes(self, text: str | None = None) -> str | None:
        """Returns the id of a new post, by default with a random text, or None if the API refuses it now."""
        payload = self._ask(PUBLISH, text=text or uuid.uuid4().hex).get("publishPost")
        return str(payload["post"]["id"]) if payload and payload["post"] else None

    def likes(self, post: str) -> bool:
        """Returns whether the API accepts a like."""
        return bool(self._ask(LIKE, id=post).get("like") == {"userErrors": []})

    def others_see_likes(self, post: str, count: int) -> bool:
        """Returns whether others see a post with this number of likes within a minute, because the worker has stored
        both.
        """
        expected = {"node": {"likeCount": count}}
        return wait_until(lambda: bool(self._ask(COUNT, {}, id=post) == expected), WORKER_SECONDS)

    def _ask(self, query: str, headers: dict[str, str] | None = None, **variables: str) -> dict[str, Any]:
        body = {"query": query, "variables": variables if headers == {} else {**variables, "key": uuid.uuid4().hex}}
        with suppress(httpx.HTTPError, ValueError):
            chosen = self._headers if headers is None else headers
            data = httpx.post(self._url, json=body, headers=chosen, timeout=10).json().get("data")
            return dict(data or {})
        return {}
