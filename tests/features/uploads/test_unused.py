"""Uploaded files that nothing shows are deleted after a day."""

import httpx
import pytest

from commands import uploads as commands
from runner.postgres import Postgres
from tests.support import comments, deletions, posts
from tests.support.aging import sweep
from tests.support.file_store import FileStore, needs_file_store
from tests.support.outages import stopped
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.uploads import CREATE, PNG, publish, uploaded
from workers import retention

pytestmark = [needs_file_store, standalone]

DAY_MS = 86_400_000
ROWS = "SELECT key FROM uploads ORDER BY since_ms"


async def left(*urls: str) -> list[bool]:
    """Returns for each URL whether the store has the file."""
    async with httpx.AsyncClient() as client:
        return [(await client.get(url)).status_code == 200 for url in urls]


async def age(system: System, days: float = 2) -> None:
    """Lets days pass since uploads have expired and edits have removed files."""
    await execute(system, "UPDATE uploads SET since_ms = since_ms - :ms", ms=int(days * DAY_MS))


async def test_only_files_that_nothing_shows_are_deleted(uploading: System) -> None:
    alice, bob = uploading.person("alice"), uploading.person("bob")
    unused, other, image, poster, said = [await uploaded(one) for one in (alice, bob, alice, alice, alice)]
    post = (await publish(alice, image))["post"]["id"]
    film = "https://images.example.com/a.mp4"
    assert (await publish(alice, film, kind="VIDEO", posterUrl=poster, key="film"))["userErrors"] == []
    await uploading.drain()
    await comments.added(alice, post, "look", images=[{"url": said}])
    await uploading.drain()

    await age(uploading, 1)
    assert await sweep(uploading.state) == {}
    assert await left(unused) == [True]
    await age(uploading, 0.1)
    assert await sweep(uploading.state) == {"uploads": 5}

    assert await left(unused, other, image, poster, said) == [False, False, True, True, True]
    assert await uploading.rows(ROWS) == []


async def test_a_file_that_an_edit_removes_is_deleted(uploading: System) -> None:
    alice = uploading.person("alice")
    kept, gone, shared, said = [await uploaded(alice) for _ in range(4)]
    post = (await publish(alice, kept, gone, shared))["post"]["id"]
    assert (await publish(alice, shared, key="other"))["userErrors"] == []
    await uploading.drain()
    comment = await comments.added(alice, post, "look", images=[{"url": said}])
    await uploading.drain()
    await age(uploading)
    assert await sweep(uploading.state) == {"uploads": 4}

    assert (await posts.edit(alice, post, images=[{"url": kept}]))["userErrors"] == []
    assert (await comments.edit(alice, comment, images=[]))["userErrors"] == []
    await uploading.drain()

    assert len(await uploading.rows(ROWS)) == 3
    assert await sweep(uploading.state) == {}
    await age(uploading)
    assert await sweep(uploading.state) == {"uploads": 3}
    assert await left(kept, gone, shared, said) == [True, True, True, True], "the earlier versions show them"

    await execute(uploading, "DELETE FROM edits")
    await age(uploading)
    assert await sweep(uploading.state) == {"uploads": 3}
    assert await left(kept, gone, shared, said) == [True, False, True, False]


async def test_the_file_of_an_avatar_is_deleted_after_the_avatar_was_replaced(uploading: System) -> None:
    alice = uploading.person("alice")
    url = await uploaded(alice)
    await execute(uploading, "UPDATE users SET avatar_url = :url WHERE handle = 'alice'", url=url)
    await age(uploading)
    assert await sweep(uploading.state) == {"uploads": 1}
    assert await left(url) == [True]

    await execute(uploading, "UPDATE users SET avatar_url = NULL WHERE handle = 'alice'")
    await age(uploading)
    assert await sweep(uploading.state) == {"uploads": 1}

    assert await left(url) == [False]


async def test_a_store_that_is_down_delays_the_deletion(uploading: System, file_store: FileStore) -> None:
    url = await uploaded(uploading.person("alice"))
    await age(uploading)
    file_store.stop()
    try:
        assert await sweep(uploading.state) == {}
        assert len(await uploading.rows(ROWS)) == 1
    finally:
        file_store.start()
    while await left(url) != [True]:
        pass  # the store loads its files

    assert await sweep(uploading.state) == {"uploads": 1}
    assert await left(url) == [False]


async def test_files_stay_while_the_post_that_shows_them_waits_in_a_journal(
    uploading: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = uploading.person("alice")
    url = await uploaded(alice)
    assert (await publish(alice, url))["userErrors"] == []
    await age(uploading)
    monkeypatch.setattr(retention, "STORED_WITHIN_MS", 0)
    assert await sweep(uploading.state) == {}
    await uploading.drain()
    monkeypatch.setattr(retention, "STORED_WITHIN_MS", 60_000)

    assert await sweep(uploading.state) == {"uploads": 1}

    assert await left(url) == [True]


async def test_an_old_file_is_accepted_only_if_it_is_not_about_to_be_deleted(
    uploading: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = uploading.person("alice")
    fresh, due, shown = [await uploaded(alice) for _ in range(3)]
    post = (await publish(alice, shown))["post"]["id"]
    await uploading.drain()
    monkeypatch.setattr(commands, "STORED_WITHIN_MS", DAY_MS)  # so that files are old at once
    refused = [{"code": "IMAGE_NOT_ALLOWED", "field": ["attachments", "0", "url"]}]
    assert (await publish(alice, fresh, key="fresh"))["userErrors"] == []
    await age(uploading, 0.5)

    assert (await publish(alice, due, key="due"))["userErrors"] == refused
    again = await publish(alice, shown, key="again")
    assert again["userErrors"] == []
    await uploading.drain()
    for one in (again["post"]["id"], post):
        await posts.delete(alice, one)
    await uploading.drain()
    assert (await publish(alice, shown, key="removed"))["userErrors"] == refused


async def test_an_erased_account_leaves_no_row_of_an_upload(uploading: System) -> None:
    alice = uploading.person("alice")
    await uploaded(alice)

    await deletions.delete(alice, "ERASE")
    await deletions.finish(uploading)

    assert await uploading.rows(ROWS) == []


async def test_while_postgres_is_down_nobody_gets_an_upload(uploading: System, postgres: Postgres) -> None:
    alice = uploading.person("alice")
    await alice.id()

    async with stopped(postgres, uploading.state.postgres):
        errors = await alice.errors(CREATE, type="image/png", size=len(PNG))

    assert errors == [("UNAVAILABLE", ["createUpload"])]
