"""The pictures of posts in the demo app: the grid, the dialog with one picture, covers of entities, and motion."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from runner.ports import free_port
from settings import DEMO_HOST, Settings
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import community, likes, opened, post
from tests.support.deployment import ROOT
from tests.support.screens import faults_of
from tests.support.subscriptions import Live

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

PUBLISH = """mutation ($text: String!, $files: [AttachmentInput!]!) {
  publishPost(input: {text: $text, attachments: $files, idempotencyKey: $text}) { userErrors { code } } }"""
SCENES = ("hills", "peaks", "sea", "road", "city", "stars")
BOXES = (
    "links => links.map(link => { const { width, height } = link.getBoundingClientRect(); return [width, height]; })"
)


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Serves the demo app on a port that the URLs of pictures contain, and entities with several reactions."""
    async with community(make_settings, port=free_port(), businesses_file=ROOT / "businesses.toml") as live:
        yield live


async def publish(live: Live, text: str, count: int) -> None:
    """Publishes a post of bob with this number of pictures."""
    files: list[dict[str, Any]] = [
        {"kind": "IMAGE", "url": f"https://{DEMO_HOST}/photo/{scene}-dusk-7.svg", "alt": f"The {scene}", "width": 1200}
        | {"height": {"sea": 900, "road": 675}.get(scene, 800)}
        for scene in SCENES[:count]
    ]
    data = await live.person("bob").ask(PUBLISH, text=text, files=files)
    assert data["publishPost"]["userErrors"] == []


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
async def test_a_grid_has_up_to_four_pictures_and_its_height_before_they_are_loaded(
    live: Live, browser: Browser, count: int
) -> None:
    await publish(live, "Look at these", count)
    await live.drain()
    async with page_on(browser, PHONE, expected="ERR_FAILED") as page:
        await page.route("**/demo/photo/**", lambda route: route.abort())
        await opened(live, page, "/square")
        card = post(page, "Look at these")
        await expect(card.get_by_role("link").get_by_role("img")).to_have_count(min(count, 4))
        before = await card.locator(".images a").evaluate_all(BOXES)
        await page.unroute("**/demo/photo/**")
        await page.reload()
        for scene in SCENES[: min(count, 4)]:
            await expect(card.get_by_role("img", name=f"The {scene}")).to_have_js_property("naturalWidth", 1200)
        after = await card.locator(".images a").evaluate_all(BOXES)
        assert after == before
        assert all(width > 100 and height > 60 for width, height in after)
        if count == 1:
            assert abs(after[0][0] / after[0][1] - 1.5) < 0.02
        await expect(card.get_by_text("+2")).to_have_count(int(count == 6))
        assert await faults_of(page, f"grid-{count}-phone-light") == []


async def test_the_dialog_with_a_picture_is_used_by_keyboard(live: Live, browser: Browser) -> None:
    await publish(live, "Look at these", 6)
    await live.drain()
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page, "/square")
        link = post(page, "Look at these").get_by_role("link", name="The peaks")
        await link.focus()
        await page.keyboard.press("Enter")
        await shows(page, 2, "peaks")
        assert await faults_of(page, "lightbox-laptop-light") == []
        for key, number, scene in (("ArrowRight", 3, "sea"), ("ArrowLeft", 2, "peaks"), ("ArrowLeft", 1, "hills")):
            await page.keyboard.press(key)
            await shows(page, number, scene)
        await page.keyboard.press("ArrowLeft")
        await shows(page, 6, "stars")
        await page.get_by_role("button", name="Next picture").click()
        await shows(page, 1, "hills")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(link).to_be_focused()


async def shows(page: Page, number: int, scene: str) -> None:
    """Checks that the dialog shows the picture with this number."""
    dialog = page.get_by_role("dialog", name=f"Picture {number} of 6")
    await expect(dialog.get_by_role("img", name=f"The {scene}")).to_be_visible()
    await expect(dialog).to_contain_text(f"{number} / 6")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
async def test_hearts_and_reactions_move_unless_the_user_prefers_reduced_motion(
    live: Live, browser: Browser, motion: str
) -> None:
    (article,) = await live.videos("a1", business="article")
    moves = motion == "no-preference"
    async with page_on(browser, {**LAPTOP, "reduced_motion": motion}) as page:
        await opened(live, page, "/square")
        heart = likes(post(page, "Tea number 24"))
        await heart.click()
        await expect(heart).to_have_attribute("aria-pressed", "true")
        await expect(heart.locator(".icon")).to_have_css("animation-name", "pop" if moves else "none")
        await opened(live, page, f"/entities/{article}")
        laugh = page.get_by_role("region", name="Reactions").get_by_role("button", name="React 😂")
        await laugh.click()
        await expect(laugh).to_have_attribute("aria-pressed", "true")
        picture = laugh.get_by_text("😂")
        await expect(picture).to_have_css("animation-name", "plaudit-jump" if moves else "none")


async def test_an_entity_has_a_picture_and_its_title(live: Live, browser: Browser) -> None:
    video, other = await live.videos("v1", "v2")
    shapes = []
    async with page_on(browser, PHONE) as page:
        for entity in (video, other, video):
            await opened(live, page, f"/entities/{entity}")
            card = page.get_by_role("article").first
            await expect(card.locator(".cover > svg")).to_be_visible()
            await expect(card.get_by_role("link", name="v" + entity[-1], exact=True)).to_be_visible()
            shapes.append(await card.locator(".cover path").first.get_attribute("d"))
    assert shapes[0] == shapes[2] != shapes[1]
