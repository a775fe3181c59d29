"""New posts in the demo app in a real Chromium: their files, and the limit of their text."""

import base64
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FilePayload, Locator, Page, expect

from runner.file_store import storing
from settings import ImageSettings, Settings
from tests.support.browser import LAPTOP, PHONE, needs_chromium, page_on
from tests.support.demo import community, opened, post
from tests.support.screens import faults_of
from tests.support.subscriptions import Live
from tests.support.uploads import red

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

GIVE = """([form, type, content]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], "given.png", { type: "image/png" }));
    const event = type === "paste"
        ? new ClipboardEvent(type, { clipboardData: transfer, bubbles: true, cancelable: true })
        : new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
    form.querySelector("textarea").dispatchEvent(event);
}"""
"""Drops a picture on a form, or pastes it."""


@pytest_asyncio.fixture
async def storing_live(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[Live]:
    """Serves the demo app with the store of files of `plaudit dev`."""
    with storing(tmp_path) as images:
        async with community(make_settings, images=ImageSettings(**json.loads(images))) as live:
            yield live


def form_of(page: Page) -> Locator:
    return page.get_by_role("form", name="New post")


def text_of(form: Locator) -> Locator:
    return form.get_by_role("textbox", name="Text of the post")


def descriptions(form: Locator) -> Locator:
    return form.get_by_role("textbox", name="Description")


def picture(name: str, width: int = 60, height: int = 30) -> FilePayload:
    return FilePayload(name=name, mimeType="image/png", buffer=red(width, height))


async def test_others_see_the_pictures_of_a_post_with_their_descriptions(storing_live: Live, browser: Browser) -> None:
    live = storing_live
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        form = form_of(page)
        await form.locator("input[type=file]").set_input_files(
            [picture("hills.png"), picture("sea.png", 40, 40), picture("same.png")]
        )
        for number, alt in enumerate(("The hills", "The sea", "Hills again")):
            await descriptions(form).nth(number).fill(alt)
        assert await faults_of(page, "composer-laptop-light") == []
        await text_of(form).fill("For you")
        await form.get_by_role("button", name="Publish").click()
        await expect(form.get_by_role("status")).to_have_text("Published.")
        await expect(text_of(form)).to_have_value("")
        await expect(descriptions(form)).to_have_count(0)
        await live.drain()
        async with page_on(browser, PHONE) as other:
            await opened(live, other, "/square", "bob")
            for alt, size in (("The hills", [60, 30]), ("The sea", [40, 40]), ("Hills again", [60, 30])):
                image = post(other, "For you").get_by_role("img", name=alt)
                await image.scroll_into_view_if_needed()
                await expect(image).to_have_js_property("complete", value=True)
                assert await image.evaluate("image => [image.naturalWidth, image.naturalHeight]") == size
                assert [int(await image.get_attribute(side) or 0) for side in ("width", "height")] == size


@pytest.mark.parametrize("way", ["drop", "paste"])
async def test_a_picture_can_be_dropped_or_pasted_and_removed(storing_live: Live, browser: Browser, way: str) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(storing_live, page)
        form = form_of(page)
        await expect(form.locator("input[type=file]")).to_be_attached()
        await page.evaluate(GIVE, [await form.element_handle(), way, base64.b64encode(red(20, 20)).decode()])
        await expect(descriptions(form)).to_have_count(1)
        await expect(form.locator("img[src^=blob]")).to_have_js_property("naturalWidth", 20)
        await expect(form.get_by_role("button", name="Publish")).to_be_enabled()
        await form.get_by_role("button", name="Remove given.png").click()
        await expect(descriptions(form)).to_have_count(0)
        await expect(form.get_by_role("button", name="Publish")).to_be_disabled()


async def test_a_file_that_cannot_be_read_is_named_and_the_text_stays(storing_live: Live, browser: Browser) -> None:
    broken = FilePayload(name="broken.png", mimeType="image/png", buffer=b"not a picture")
    async with page_on(browser, LAPTOP) as page:
        await opened(storing_live, page)
        form = form_of(page)
        await text_of(form).fill("With a picture")
        await form.locator("input[type=file]").set_input_files(broken)
        await expect(form.get_by_role("status")).to_have_text("This file cannot be read.")
        await expect(text_of(form)).to_have_value("With a picture")
        await expect(form.get_by_role("listitem")).to_have_count(0)
        await expect(form.get_by_role("button", name="Publish")).to_be_enabled()


async def test_without_a_store_there_is_no_field_for_files(live: Live, browser: Browser) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        await text_of(form_of(page)).fill("Only text")
        await expect(form_of(page).locator("input[type=file], input[type=url]")).to_have_count(0)
        await form_of(page).get_by_role("button", name="Publish").click()
        await expect(post(page, "Only text")).to_be_visible()


async def test_the_form_counts_characters_as_the_api_does_and_says_why_it_cannot_be_sent(
    live: Live, browser: Browser
) -> None:
    async with page_on(browser, LAPTOP) as page:
        await opened(live, page)
        form = form_of(page)
        button = form.get_by_role("button", name="Publish")
        await expect(button).to_have_accessible_description("Write a text or add a file.")
        await expect(button).to_be_disabled()

        await text_of(form).fill("  🍵" + "a" * 4999 + "\n")
        await expect(form).to_contain_text("Characters left: 0")
        await expect(button).to_be_enabled()
        await text_of(form).fill("🍵" + "a" * 5001)
        await expect(form).to_contain_text("Characters left: -2")
        await expect(button).to_have_accessible_description("2 characters too many")
        await expect(button).to_be_disabled()

        await text_of(form).fill("🍵" * 5000)
        await button.click()
        await expect(form.get_by_role("status")).to_have_text("Published.")
