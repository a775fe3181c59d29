"""The demo app shows authors what moderation decides, without a reload."""

import re
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from settings import PremoderationSettings, Settings
from tests.support import comments as comment_support
from tests.support import posts as post_support
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import comment, comments, community, opened, post
from tests.support.subscriptions import Live
from tests.support.system import LENIENT

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

TEXT = "I sell coffee"
RULES = LENIENT.model_copy(update={"premoderate": PremoderationSettings(topics=("coffee",), businesses=("video",))})
STATUS = re.compile("Publishing|In review|Rejected")


async def newest(live: Live, kind: str) -> str:
    """Returns the id of the newest post or comment."""
    if kind == "post":
        ((id_,),) = await live.rows("SELECT max(post_id) FROM posts")
        return f"Post:{id_}"
    queue = (await live.person("mia", "moderate").ask("{ moderationQueue { nodes { id } } }"))["moderationQueue"]
    return str(queue["nodes"][0]["id"])


async def write(live: Live, page: Page, kind: str) -> Locator:
    """Lets alice publish a post on the home page or comment on a video. Returns what the page shows of it."""
    if kind == "post":
        await opened(live, page)
        await page.get_by_role("textbox", name="Text of the post").fill(f"{TEXT} #coffee")
        await page.get_by_role("button", name="Publish").click()
        return post(page, TEXT)
    (video,) = await live.videos("v1")
    await opened(live, page, f"/entities/{video}")
    await comment(page, TEXT)
    return comments(page).filter(has_text=TEXT)


@pytest.mark.parametrize("kind", ["post", "comment"])
@pytest.mark.parametrize(("decision", "label"), [("APPROVE", None), ("REJECT", "Rejected")])
async def test_the_label_follows_the_moderation(
    make_settings: Callable[..., Settings], browser: Browser, kind: str, decision: str, label: str | None
) -> None:
    async with community(make_settings, moderation=RULES) as live, page_on(browser, LAPTOP) as page:
        shown = await write(live, page, kind)
        await expect(shown.get_by_text(STATUS)).to_have_text("Publishing…")
        await live.drain()
        await expect(shown.get_by_text(STATUS)).to_have_text("In review")
        await page.evaluate("window.isTheSamePage = true")

        decide = post_support.decide if kind == "post" else comment_support.decide
        await decide(live.person("mia", "moderate"), await newest(live, kind), decision)
        await live.drain()

        await expect(shown.get_by_text(STATUS)).to_have_text([label] if label else [])
        assert await page.evaluate("window.isTheSamePage") is True


async def test_the_label_of_a_post_that_the_rules_approve_disappears(
    make_settings: Callable[..., Settings], browser: Browser
) -> None:
    async with community(make_settings, moderation=LENIENT) as live, page_on(browser, LAPTOP) as page:
        shown = await write(live, page, "post")
        await expect(shown.get_by_text(STATUS)).to_have_text("Publishing…")
        await live.drain()
        await expect(shown.get_by_text(STATUS)).to_have_count(0)
