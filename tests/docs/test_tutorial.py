"""The tutorial, word for word: its files and commands make a blog whose readers sign in, like and comment."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from runner.ports import free_port
from runner.running import Running
from runner.waiting import wait_until
from tests.support.deployment import ROOT

PAGE = (ROOT / "docs" / "start" / "tutorial.md").read_text(encoding="utf-8")
SECONDS = 120
BASH = ("/bin/bash", "-euc")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@contextmanager
def running(folder: Path, script: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a command in the background while the block runs."""
    *first, last = script.strip().splitlines()
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    with (folder / "output.txt").open("ab") as output:
        process = subprocess.Popen(
            (*BASH, "\n".join([*first, f"exec {last}"])),
            cwd=folder,
            env=kept | variables,
            stdout=output,
            stderr=output,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(SECONDS)


def answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the folder `blog` beside the checkout, with the files of the page."""
    (tmp_path / "plaudit" / ".venv" / "bin").mkdir(parents=True)
    program = tmp_path / "plaudit" / ".venv" / "bin" / "plaudit"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m plaudit "$@"\n')
    program.chmod(0o755)
    folder = tmp_path / "blog"
    folder.mkdir()
    for name, block in zip(("social.py", "publish.py", "blog.py"), blocks("python"), strict=True):
        (folder / name).write_text(block)
    (toml,) = blocks("toml")
    (folder / "businesses.toml").write_text(toml)
    return folder


def shown(likes: int | None, comments: list[dict[str, str | None]] | None) -> str:
    """Returns the blog's page for an answer of the API."""
    definitions, start, _ = blocks("python")[2].partition("\n\nThreadingHTTPServer(")
    assert start
    read = None if comments is None else {"nodes": comments}
    answer = {"entity": {"title": "Tea", "likeCount": likes, "viewerReaction": None, "comments": read}}
    blog: dict[str, Any] = {}
    exec(definitions.replace("from social import ask\n", ""), blog)  # noqa: S102 - the page's own code
    blog["ask"] = lambda *_: answer
    text: str = blog["page"](None)
    return text


def test_the_blog_shows_what_is_deleted_or_cannot_be_read() -> None:
    deleted: dict[str, str | None] = {"text": None, "author": None}
    of_nobody: dict[str, str | None] = {"text": "<Nice>", "author": None}

    assert "<ul><li>This comment was deleted.</li><li><b>a deleted user</b> &lt;Nice&gt;</li></ul>" in shown(
        1, [deleted, of_nobody]
    )
    assert "<p>\N{EN DASH} likes.</p>" in shown(None, None)
    assert "<ul><li>Comments cannot be read now.</li></ul>" in shown(None, None)


@pytest.mark.prove
@pytest.mark.timeout(600)
def test_the_tutorial_makes_a_blog_with_likes_and_comments(folder: Path) -> None:
    secret, start, publish, serve = blocks("sh")
    (printed,) = blocks("console")
    subprocess.run((*BASH, secret), cwd=folder, check=True)
    blog = f"http://127.0.0.1:{free_port()}"

    with running(folder, start):
        assert wait_until(lambda: Running.read(folder / ".data") is not None, SECONDS)
        found = Running.read(folder / ".data")
        assert found
        variables = {"PLAUDIT_URL": found.url, "PORT": blog.rpartition(":")[2]}
        done = subprocess.run(
            (*BASH, publish),
            cwd=folder,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == printed
        with running(folder, serve, **variables):
            assert wait_until(lambda: answers(blog), SECONDS)
            ann, bob = (httpx.Client(base_url=blog, follow_redirects=True, trust_env=False) for _ in range(2))
            assert "You are" not in ann.post("/sign-in", data={"user": "ann", "password": "wrong"}).text
            assert "You are" not in ann.post("/sign-in", data={"user": "ann", "password": ""}).text
            assert "You are ann." in ann.post("/sign-in", data={"user": "ann", "password": "bread"}).text
            assert "You are bob." in bob.post("/sign-in", data={"user": "bob", "password": "butter"}).text

            key = re.findall(r"name=key value=(\w+)", ann.get("/").text)[0]
            for _ in range(2):
                assert "1 likes. You like this." in ann.post("/like", data={"key": key}).text
            assert (
                "<b>ann</b> It looks great." in ann.post("/comment", data={"key": key, "text": "It looks great."}).text
            )
            assert wait_until(lambda: "<b>ann</b> It looks great." in bob.get("/").text, SECONDS)
            assert wait_until(lambda: "1 likes." in bob.get("/").text, SECONDS)
            assert "You like this." not in bob.get("/").text
            for client in (ann, bob):
                client.close()
