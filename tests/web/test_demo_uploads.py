"""Pictures of the disk that the demo app uploads, in a real Chromium."""

from base64 import b64encode
from collections.abc import Callable

import pytest
from playwright.async_api import Browser, FilePayload, expect

from runner.ports import free_port
from settings import ContentSettings, ImageSettings, Settings
from tests.support.browser import LAPTOP, needs_chromium, page_on
from tests.support.demo import community, opened, post
from tests.support.file_store import FileStore, needs_file_store
from tests.support.uploads import red

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(180),
    needs_chromium,
    needs_file_store,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

MOST = ContentSettings().post_images
PASTE = """(field, pictures) => {
    for (const picture of pictures) {
        const transfer = new DataTransfer();
        for (let number = 0; number < 6; number++) {
            const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
            transfer.items.add(new File([bytes], `${number}.png`, { type: "image/png" }));
        }
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
    }
}"""
"""Pastes six copies of each picture, one picture directly after the other."""


async def test_a_picture_of_the_disk_is_shown_to_others(
    make_settings: Callable[..., Settings], browser: Browser, file_store: FileStore
) -> None:
    images = ImageSettings(hosts=("images.example.com",), uploads=file_store.settings())
    picture = FilePayload(name="red.png", mimeType="image/png", buffer=red(60, 30))
    settings = {"images": images, "port": free_port()}
    async with community(make_settings, **settings) as live, page_on(browser, LAPTOP) as page:
        await opened(live, page)
        form = page.get_by_role("form", name="New post")
        await expect(form.locator("input[type=url]")).to_have_count(0)
        await form.locator("input[type=file]").set_input_files(picture)
        await form.get_by_role("textbox", name="Description").fill("A red field")
        await form.get_by_role("textbox", name="Text of the post").fill("My picture")
        await form.get_by_role("button", name="Publish").click()
        await expect(form.get_by_role("status")).to_have_text("Published.")
        await live.drain()
        async with page_on(browser, LAPTOP) as other:
            await opened(live, other, "/square", "bob")
            image = post(other, "My picture").get_by_role("img", name="A red field")
            await image.scroll_into_view_if_needed()
            await expect(image).to_have_js_property("complete", value=True)
            assert await image.evaluate("image => [image.naturalWidth, image.width > 0]") == [60, True]
            assert await image.get_attribute("height") == "30"


async def test_a_file_of_another_type_is_refused_with_a_reason(
    make_settings: Callable[..., Settings], browser: Browser, file_store: FileStore
) -> None:
    images = ImageSettings(hosts=("images.example.com",), uploads=file_store.settings())
    page_file = FilePayload(name="a.html", mimeType="text/html", buffer=b"<html>")
    async with community(make_settings, images=images) as live, page_on(browser, LAPTOP) as page:
        await opened(live, page)
        form = page.get_by_role("form", name="New post")
        await form.locator("input[type=file]").set_input_files(page_file)
        await expect(form.get_by_role("status")).to_contain_text("one of these types")
        await expect(form.get_by_role("textbox", name="Description")).to_have_count(0)


async def test_two_quick_pastes_add_no_more_files_than_a_post_may_have(
    make_settings: Callable[..., Settings], browser: Browser, file_store: FileStore
) -> None:
    images = ImageSettings(hosts=("images.example.com",), uploads=file_store.settings())
    picture = b64encode(red(6, 6)).decode()
    async with community(make_settings, images=images, port=free_port()) as live, page_on(browser, LAPTOP) as page:
        await opened(live, page)
        form = page.get_by_role("form", name="New post")
        await expect(form.locator("input[type=file]")).to_have_count(1)
        await form.get_by_role("textbox", name="Text of the post").evaluate(PASTE, [picture, picture])
        removers = form.get_by_role("button", name="Remove")
        await expect(removers).to_have_count(MOST)
        await expect(form.get_by_role("textbox", name="Description")).to_have_count(MOST)  # all are uploaded
        await expect(form.locator("input[type=file]")).to_have_count(0)
        await removers.first.click()
        await expect(form.locator("input[type=file]")).to_have_count(1)
        await form.get_by_role("textbox", name="Text of the post").evaluate(PASTE, [picture])
        await expect(removers).to_have_count(MOST)
