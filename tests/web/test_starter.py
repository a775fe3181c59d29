"""The folder that `plaudit new` makes works when its README is followed: real servers, a real Chromium."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, expect

from cli.new import make
from runner.ports import free_port
from runner.running import Running
from runner.waiting import wait_until
from tests.support.browser import needs_chromium
from tests.support.developing import without_stores

pytestmark = [pytest.mark.timeout(900), needs_chromium]

PATIENCE = 300
"""Seconds for which the test waits for each step of the README, on a busy machine."""


def blocks(folder: Path) -> list[str]:
    """Returns the commands of the README, for the first and for the second terminal."""
    return re.findall(r"^```sh\n(.*?)^```", (folder / "README.md").read_text(), re.DOTALL | re.MULTILINE)


@contextmanager
def terminal(folder: Path, commands: str) -> Iterator[subprocess.Popen[str]]:
    """Runs commands in a folder, whose last one stays. Ends it as closing the terminal does."""
    environment = {name: value for name, value in without_stores().items() if not name.startswith("PLAUDIT_")}
    with (folder / f"{free_port()}.log").open("w") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", f"set -e; {commands}"],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(120)


def status_of(port: int, path: str) -> int | None:
    """Returns the status with which the server of the page answers; None if it does not run yet."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}{path}", trust_env=False).status_code
    except httpx.ConnectError:
        return None


async def test_the_page_has_comments_and_likes_when_its_readme_is_followed(tmp_path: Path, browser: Browser) -> None:
    folder = make("tea-shop", tmp_path)
    first, second = blocks(folder)
    assert first.rstrip().endswith("plaudit dev --no-seed")
    port = free_port()
    assert " 8080\n" in second  # the tests of others may use this port

    with terminal(folder, first.replace("--no-seed", "--no-seed --port 0")) as dev:
        wait_until(lambda: dev.poll() is not None or Running.read(folder / ".data") is not None, PATIENCE)
        assert Running.read(folder / ".data"), [log.read_text() for log in folder.glob("*.log")]
        with terminal(folder, second.replace("8080", str(port))) as site:
            wait_until(lambda: site.poll() is not None or (folder / "page" / "config.js").exists(), PATIENCE)
            assert site.poll() is None, [log.read_text() for log in folder.glob("*.log")]
            assert wait_until(lambda: status_of(port, "/config.js") == 200, PATIENCE)
            assert status_of(port, "/.data/plaudit.json") == 404
            assert status_of(port, "/setup.sh") == 404
            page = await browser.new_page()
            faults = list[str]()
            page.on("pageerror", lambda error: faults.append(str(error)))
            await page.goto(f"http://127.0.0.1:{port}/", wait_until="load")

            await expect(page.get_by_role("heading", name="tea-shop")).to_be_visible()
            await page.get_by_role("button", name="Like (0)").click()
            await expect(page.get_by_role("alert")).to_have_text("Sign in to do this.")

            await page.get_by_label("Signed in as").select_option("alice")
            await page.locator("#like", has_text="Like (0)").click()
            await expect(page.locator("#like")).to_have_text("Unlike (1)")
            await page.get_by_label("Your comment").fill("<b>Good</b> tea")
            await page.get_by_role("button", name="Send").click()
            comment = page.get_by_role("listitem").filter(has_text="<b>Good</b> tea")
            await expect(comment.get_by_role("strong")).to_have_text("alice")
            await comment.get_by_role("button", name="Like (0)").click()
            await expect(comment.get_by_role("button")).to_have_text("Unlike (1)")
            await page.locator("#like").click()
            await expect(page.locator("#like")).to_have_text("Like (0)")

            await expect(page.get_by_label("Your comment")).to_have_value("")
            assert faults == []
            await page.close()
