"""Images of the seed: signed URLs of the API itself, which browsers show without a network."""

from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
import pytest_asyncio
from pydantic import SecretStr

from runner.ports import free_port
from seed.community import Community
from seed.pictures import avatar_url, photo, photos, picture_at
from seed.scenes import LIGHTS, SCENES
from settings import Settings
from settings.images import ImageSettings
from tests.support.browser import LAPTOP, launched, needs_chromium, page_on
from tests.support.stores import standalone
from tests.support.subscriptions import Live, serving

PUBLISH = """mutation ($avatar: String!, $url: String!, $key: String!) {
  updateProfile(input: {avatarUrl: $avatar}) { user { avatarUrl } }
  publishPost(input: {text: "", images: [{url: $url, alt: "Hills"}], topics: [], idempotencyKey: $key}) {
    post { images { url alt } } userErrors { code } } }"""
PHOTOS = [f"/photo/{scene}-{light}-7.svg" for scene in SCENES for light in LIGHTS]
AVATARS = [f"/avatar/{handle}.svg" for handle in ("alice", "bob", "mei")]
BYTES = "0fd185e8ecfeb017a3deb461e2392555b67aac94a1f3fa8677355c4ea7881962"
"""The SHA-256 digest of all these pictures."""
HILLS = "https://demo.plaudit.invalid/photo/dusk-7.svg"


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    async with serving(make_settings(port=free_port())) as live:
        yield live


async def pictures(live: Live, url: str = HILLS) -> list[str]:
    """Returns the URLs of an avatar and of a post's image from the API."""
    data = await live.person("mei").ask(PUBLISH, avatar=avatar_url("mei"), url=url, key=url[:30])
    assert data["publishPost"]["userErrors"] == []
    return [data["updateProfile"]["user"]["avatarUrl"], data["publishPost"]["post"]["images"][0]["url"]]


@pytest.mark.prove
@standalone
@needs_chromium
async def test_chromium_shows_the_images(live: Live) -> None:
    urls = await pictures(live)
    async with launched() as browser, page_on(browser, LAPTOP) as page:
        await page.set_content("".join(f'<img src="{url.replace("&", "&amp;")}" width="200">' for url in urls))
        await page.wait_for_load_state("networkidle")

        shown = await page.evaluate("[...document.images].map(image => [image.complete, image.naturalWidth > 0])")

    assert shown == [[True, True], [True, True]]


@standalone
async def test_a_signed_url_returns_an_svg(live: Live) -> None:
    urls = await pictures(live)
    assert await pictures(live, urls[1]) == urls, "URLs from the API may be posted again"
    async with httpx.AsyncClient() as browser:
        for url in urls:
            answer = await browser.get(url)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "sandbox" in answer.headers["content-security-policy"]
            for bad in (url[:-1] + "~", url.partition("?")[0], url.replace("/demo/", "/demo/x")):
                refused = await browser.get(bad)
                assert (refused.status_code, refused.headers["x-content-type-options"]) == (403, "nosniff")


def test_a_picture_has_the_same_bytes_in_every_run() -> None:
    """The number differs if a picture was changed. Look at the pictures, and then write the new number here."""
    drawn = "".join(picture_at(path) or "nothing" for path in PHOTOS + AVATARS)

    assert sha256(drawn.encode()).hexdigest() == BYTES


@pytest.mark.parametrize("path", PHOTOS + AVATARS)
def test_a_picture_is_small_and_an_xml_document_without_scripts(path: str) -> None:
    svg = picture_at(path)
    assert svg
    assert len(svg) < 6_000
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg).iter()}  # noqa: S314 - our own
    assert tags <= {"svg", "linearGradient", "stop", "rect", "circle", "ellipse", "path"}


def test_a_photo_has_the_size_that_its_post_says_and_a_text_in_the_language_of_the_post() -> None:
    for scene in SCENES:
        for language in ("en", "zh"):
            image = photo(Random(scene), scene, language)
            svg = picture_at(image.url.removeprefix("https://demo.plaudit.invalid"))
            assert svg
            assert f'width="{image.width}" height="{image.height}"' in svg
            assert image.alt
            assert image.alt.isascii() == (language == "en")


def test_the_photos_of_a_post_show_different_things() -> None:
    for interest in Community().people[0].interests:
        for number in range(50):
            found = photos(Random(number), interest.name, interest.language)
            assert 1 <= len({image.url.split("-")[0] for image in found}) == len(found) <= 4


@pytest.mark.parametrize(
    "path", ["/avatar/UPPER.svg", "/photo/moon-dusk-7.svg", "/photo/hills-noon.svg", "/photo/hills"]
)
def test_there_is_no_picture_at_another_path(path: str) -> None:
    assert picture_at(path) is None


@pytest.mark.parametrize(
    ("env", "hosts", "url"),
    [
        ("development", (), "http://127.0.0.1:8000/demo"),
        ("development", ("a.example",), None),
        ("production", (), None),
    ],
)
def test_only_development_without_image_hosts_serves_the_images(
    env: Any, hosts: tuple[str, ...], url: str | None
) -> None:
    settings = Settings(env=env, jwt_secret=SecretStr("s" * 32), images=ImageSettings(hosts=hosts))

    assert settings.demo_url == url
