"""createUpload: users upload files to an S3-compatible store, and posts and comments show only what was uploaded."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.comments import add
from tests.support.file_store import FileStore, needs_file_store
from tests.support.posts import edit, seen
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System
from tests.support.uploads import CREATE, PNG, PUBLISH, create, publish, send, uploaded

pytestmark = needs_file_store


def refused(field: str = "url", at: str = "0") -> list[Any]:
    return [{"code": "IMAGE_NOT_ALLOWED", "field": ["attachments", at, field]}]


@standalone
async def test_a_post_shows_an_uploaded_file(uploading: System) -> None:
    alice, bob = uploading.person("alice"), uploading.person("bob")
    url = await uploaded(alice)

    payload = await publish(alice, url)
    await uploading.drain()

    assert payload["userErrors"] == []
    (image,) = (await seen(bob, payload["post"]["id"]))["images"]
    async with httpx.AsyncClient() as client:
        answer = await client.get(image["url"])
    assert (answer.content, answer.headers["content-type"]) == (PNG, "image/png")


@standalone
async def test_the_store_takes_only_the_file_of_the_upload_and_only_once(uploading: System) -> None:
    alice = uploading.person("alice")
    upload = (await create(alice))["upload"]

    assert await send(upload, PNG + b"x") == 403
    assert await send(upload, PNG, **{"content-type": "text/html"}) == 403
    assert await send({**upload, "url": upload["url"].replace(".png?", ".html?")}, PNG) == 403
    assert (await publish(alice, upload["fileUrl"]))["userErrors"] == refused()
    assert await send(upload, PNG) == 200
    assert await send(upload, PNG) == 412


@standalone
async def test_a_file_that_is_not_of_its_type_is_refused(uploading: System) -> None:
    alice = uploading.person("alice")
    page = b"<script>alert(1)</script>"
    url = await uploaded(alice, page)

    assert (await publish(alice, url))["userErrors"] == refused()
    await uploading.drain()
    assert await uploading.rows("SELECT post_id FROM posts") == []
    good = await uploaded(alice)
    assert (await publish(alice, good, kind="AUDIO", key="sound"))["userErrors"] == refused()
    assert (await publish(alice, good, url, key="other"))["userErrors"] == refused(at="1")


@standalone
async def test_a_poster_is_checked_too(uploading: System) -> None:
    alice = uploading.person("alice")
    page, film = await uploaded(alice, b"<html>"), "https://images.example.com/a.mp4"

    assert (await publish(alice, film, kind="VIDEO", posterUrl=page))["userErrors"] == refused("posterUrl")
    good = await uploaded(alice)
    assert (await publish(alice, film, kind="VIDEO", posterUrl=good, key="other"))["userErrors"] == []


@standalone
async def test_nobody_shows_the_upload_of_another_user(uploading: System) -> None:
    alice, bob = uploading.person("alice"), uploading.person("bob")
    url = await uploaded(alice)

    assert (await publish(bob, url))["userErrors"] == refused()
    elsewhere = url.rpartition("/")[0] + "/../1/x.png"
    assert (await publish(alice, elsewhere))["userErrors"] == refused()
    assert (await publish(alice, url.replace(".png", ".svg"), key="other"))["userErrors"] == refused()


@standalone
async def test_edits_and_comments_are_checked_and_known_files_are_not(uploading: System, file_store: FileStore) -> None:
    alice = uploading.person("alice")
    url, page = await uploaded(alice), await uploaded(alice, b"<html>")
    post = (await publish(alice, url))["post"]["id"]
    await uploading.drain()

    assert (await edit(alice, post, images=[{"url": page}]))["userErrors"][0]["code"] == "IMAGE_NOT_ALLOWED"
    assert (await add(alice, post, "look", images=[{"url": page}]))["userErrors"][0]["code"] == "IMAGE_NOT_ALLOWED"
    assert (await add(alice, post, "see", images=[{"url": url}]))["userErrors"] == []
    file_store.stop()
    try:
        assert (await edit(alice, post, text="again", images=[{"url": url}]))["userErrors"] == []
        assert (await publish(alice, url))["post"]["id"] == post
        other = await alice.send(PUBLISH, files=[{"url": url, "kind": "IMAGE"}], key="new")
        assert [error["extensions"]["code"] for error in other.json()["errors"]] == ["UNAVAILABLE"]
    finally:
        file_store.start()
    while "errors" in (await alice.send(PUBLISH, files=[{"url": url, "kind": "IMAGE"}], key="new")).json():
        await asyncio.sleep(0.2)  # the store loads its files
    assert (await publish(alice, url, key="new"))["userErrors"] == []


@standalone
@pytest.mark.parametrize(
    ("mime_type", "size", "field"),
    [
        ("image/svg+xml", 9, "mimeType"),
        ("video/mp4", 9, "mimeType"),
        ("image/png", 0, "byteSize"),
        ("image/png", 5001, "byteSize"),
    ],
)
async def test_a_file_that_is_not_allowed_gets_no_upload(
    uploading: System, mime_type: str, size: int, field: str
) -> None:
    payload = await create(uploading.person("alice"), mime_type, size)

    assert payload == {"upload": None, "userErrors": [{"code": "INVALID", "field": [field]}]}


@standalone
async def test_only_active_users_upload(uploading: System) -> None:
    alice = uploading.person("alice")
    rules = "{ uploadRules { maxBytes mimeTypes } }"
    anonymous = uploading.person(None)
    assert (await anonymous.ask(rules))["uploadRules"]["maxBytes"] == 5000

    assert await anonymous.errors(CREATE, type="image/png", size=1) == [("UNAUTHENTICATED", ["createUpload"])]
    await suspend(moderator(uploading), await alice.id(), "READ_ONLY")
    assert (await create(alice))["userErrors"] == [{"code": "SUSPENDED", "field": None}]


async def test_without_a_store_nobody_uploads(system: System) -> None:
    alice = system.person("alice")

    assert (await create(alice))["userErrors"] == [{"code": "NOT_ALLOWED", "field": None}]
    assert (await alice.ask("{ uploadRules { maxBytes } }"))["uploadRules"] is None
