"""A moderator's journey through the console of a production API in lockdown, in a real Chromium."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect

from identity import auth
from settings import ModerationSettings
from tests.support.browser import LAPTOP, launched, needs_chromium, page_on
from tests.support.console import case, has_sent, moderator_token, signed_in
from tests.support.deployment import Deployment, deployed
from tests.support.persisted_operations import manifest
from tests.support.posts import PUBLISH, published
from tests.support.reports import REPORT, report
from tests.support.stores import PARTITIONS
from tests.support.system import Api, Person

pytestmark = [needs_chromium, pytest.mark.timeout(180), pytest.mark.parametrize("redis_mode", ["standalone"])]

RELAXED = ("postgres.fsync", "postgres.full_page_writes", "postgres.synchronous_commit")
"""Findings about the servers of tests, which would prevent the start in production."""
SIGN_IN = "https://staff.example.com/moderate"
MESSAGES = "{ viewer { notifications { nodes { message } } } }"


@pytest_asyncio.fixture
async def production(tmp_path: Path, database_url: str, redis_url: str) -> AsyncIterator[Deployment]:
    """Runs an API and a worker in production, in lockdown. Its users' apps may send three operations."""
    app = manifest(tmp_path, publish=PUBLISH, report=REPORT, messages=MESSAGES)
    settings: dict[str, Any] = {"env": "production", "partitions": PARTITIONS, "accepted_findings": RELAXED}
    settings |= {"persisted_only": True, "persisted_manifests": (app,), "moderation_console": True}
    settings["moderation"] = ModerationSettings(new_account=0, sign_in_url=SIGN_IN)
    settings |= {"request_timeout": 10.0, "pending_seconds": 15.0, "drain_seconds": 0}
    with deployed(tmp_path, database_url, redis_url, **settings) as deployment:
        deployment.start_api()
        deployment.start_worker()
        await deployment.ready()
        yield deployment


async def notified(person: Person, message: str) -> None:
    """Returns when a person has this notification and no other."""
    async with asyncio.timeout(20):
        while not (nodes := (await person.ask(MESSAGES))["viewer"]["notifications"]["nodes"]):
            await asyncio.sleep(0.1)
    assert [node["message"] for node in nodes] == [message]


async def test_a_moderator_signs_in_rejects_a_reported_post_and_reads_the_log(production: Deployment) -> None:
    settings, url = production.settings, production.url
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=20) as http:
        api = Api(http, settings)
        alice, bob = api.person("alice"), api.person("bob")
        (post,) = await published(bob, "Cheap watches, write to me")
        async with asyncio.timeout(20):
            while not (await report(alice, post, "SPAM", "He posts this every day"))["target"]:
                await asyncio.sleep(0.1)  # she cannot see the post until the worker has approved it

        async with launched() as browser, page_on(browser, LAPTOP, expected="Failed to load resource") as page:
            texts: list[str] = []
            page.on("request", lambda request: texts.append(request.post_data or ""))
            await page.goto(f"{url}/moderation")
            await expect(page.get_by_role("link", name="Sign in")).to_have_attribute("href", SIGN_IN)
            await page.get_by_label("Paste a token").fill(auth.mint(settings, "mia"))
            await page.get_by_role("button", name="Use this token").click()
            await expect(page.get_by_role("alert")).to_contain_text("mia may not moderate: this account has no")

            await signed_in(page, url, moderator_token(settings))
            assert page.url == f"{url}/moderation"
            await expect(case(page)).to_contain_text("Cheap watches", timeout=30_000)
            await expect(case(page)).to_contain_text("He posts this every day")
            await page.keyboard.press("1")
            await page.keyboard.press("r")
            await expect(page.get_by_role("status").filter(has_text="Rejected: “Cheap watches")).to_be_visible()
            await expect(page.get_by_text("The queue is empty.")).to_be_visible()
            await has_sent(page)
            await notified(bob, "Your post was rejected: Spam or advertising")
            await page.get_by_role("link", name="Log").click()
            for action in ("Rejected", "Reports accepted"):
                line = page.get_by_role("article").filter(has_text=action)
                await expect(line).to_contain_text("Spam or advertising")
        sent = [json.loads(text) for text in texts if text]
        assert not [body for body in sent if body.get("query")], "an operation was sent as text"
