"""Uploaded files are deleted with the account of their user, and with the posts and comments that showed them."""

from typing import Any

import httpx
import pytest

from store import uploads
from store.content import uploaded_files
from tests.support import deletions, erasing, posts
from tests.support.aging import sweep
from tests.support.citus import one_server
from tests.support.comments import added
from tests.support.comments import delete as delete_comment
from tests.support.file_store import FileStore, needs_file_store, put
from tests.support.plans import LARGE, reads
from tests.support.reconciliation import execute
from tests.support.registration import registrar
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.uploads import PNG, create, publish, send, uploaded
from workers.deletions.run import delete_accounts

pytestmark = [needs_file_store, standalone]

FILM = "https://images.example.com/a.mp4"
CONTENT = "SELECT images::text FROM posts UNION ALL SELECT images::text FROM comment_contents"

MANY = """INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                             audit_version, version)
          SELECT i, 1, 0, 'text', jsonb_build_array(jsonb_build_array('https://images.example.com/' || i, null)), '{}',
                 1, false, i, 1, 1 FROM generate_series(1, 3000) AS i"""


async def left(*urls: str) -> list[bool]:
    """Returns for each URL whether the store has the file."""
    async with httpx.AsyncClient() as client:
        return [(await client.get(url)).status_code == 200 for url in urls]


async def age(system: System) -> None:
    """Lets a year pass since posts and comments have changed."""
    await execute(system, "UPDATE posts SET content_version = 1, audit_version = 1")
    await execute(system, "UPDATE comment_contents SET content_version = 1, audit_version = 1")


async def test_an_erased_account_leaves_no_file(uploading: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "PAGE", 2)
    alice, bob = uploading.person("alice"), uploading.person("bob")
    files, other = [await uploaded(alice) for _ in range(4)], await uploaded(bob)
    note = f"{files[0].rpartition('/')[0]}/notes.txt"
    put(note)
    await publish(alice, *files[:2])
    await uploading.drain()

    await deletions.delete(alice, "ERASE")
    await deletions.finish(uploading)

    assert await left(*files, other, note) == [False] * 4 + [True, True]


async def test_an_upload_that_is_still_valid_delays_the_deletion(uploading: System) -> None:
    alice = uploading.person("alice")
    late = (await create(alice))["upload"]
    await deletions.delete(alice, "ERASE")
    for _ in range(4):
        await deletions.step(uploading)
    await execute(uploading, "UPDATE deletions SET started_ms = started_ms - 590000")
    begun: dict[int, Any] = {}
    for _ in range(4):
        await delete_accounts(uploading.state, lambda: True, begun)
    assert await uploading.rows("SELECT finished_ms FROM deletions") == [(None,)]
    assert await send(late, PNG) == 200

    await deletions.finish(uploading)

    assert await left(late["fileUrl"]) == [False]


@pytest.mark.prove
async def test_a_store_that_is_down_delays_deletions_and_retention(uploading: System, file_store: FileStore) -> None:
    alice, bob = uploading.person("alice"), uploading.person("bob")
    files = [await uploaded(alice), await uploaded(bob)]
    post = (await publish(bob, files[1]))["post"]["id"]
    await uploading.drain()
    await posts.delete(bob, post)
    await uploading.drain()
    await age(uploading)
    await deletions.delete(alice, "ERASE")
    file_store.stop()
    try:
        for _ in range(6):
            await deletions.step(uploading)
            await execute(uploading, "UPDATE deletions SET started_ms = started_ms - 3600000")
        assert await uploading.rows("SELECT finished_ms FROM deletions") == [(None,)]
        assert await sweep(uploading.state) == {}
        assert await uploading.rows(CONTENT) != [("[]",)]
    finally:
        file_store.start()
    while await left(*files) != [True, True]:
        pass  # the store loads its files

    await deletions.finish(uploading)
    assert (await sweep(uploading.state))["post_texts"] == 1

    assert await left(*files) == [False, False]


async def test_anonymized_content_keeps_its_files_and_others_are_deleted(uploading: System) -> None:
    alice = uploading.person("alice")
    image, poster, comments, unused = [await uploaded(alice) for _ in range(4)]
    post = (await publish(alice, image))["post"]["id"]
    assert (await publish(alice, FILM, kind="VIDEO", posterUrl=poster, key="film"))["userErrors"] == []
    await uploading.drain()
    await added(alice, post, "look", images=[{"url": comments}])
    await uploading.drain()

    await deletions.delete(alice, "ANONYMIZE")
    await deletions.finish(uploading)

    assert await left(image, poster, comments, unused) == [True, True, True, False]


async def test_content_that_is_emptied_loses_the_files_that_nothing_else_shows(uploading: System) -> None:
    alice = uploading.person("alice")
    own, shared, avatar = [await uploaded(alice) for _ in range(3)]
    post = (await publish(alice, own, shared, avatar))["post"]["id"]
    other = (await publish(alice, FILM, kind="VIDEO", posterUrl=shared, key="film"))["post"]["id"]
    await uploading.drain()
    comment = await added(alice, other, "look", images=[{"url": shared}])
    await uploading.drain()
    await execute(uploading, "UPDATE users SET avatar_url = :url WHERE handle = 'alice'", url=avatar)

    await posts.delete(alice, post)
    await uploading.drain()
    assert await sweep(uploading.state) == {}
    await age(uploading)
    assert await sweep(uploading.state) == {"post_texts": 1}
    assert await left(own, shared, avatar) == [False, True, True]

    await delete_comment(alice, comment)
    await uploading.drain()
    await age(uploading)
    assert await sweep(uploading.state) == {"comment_texts": 1}
    assert await left(shared) == [True]
    await posts.delete(alice, other)
    await uploading.drain()
    await age(uploading)
    assert await sweep(uploading.state) == {"post_texts": 1}
    assert await left(shared) == [False]


async def test_an_erased_entity_takes_the_files_of_its_comments_along(uploading: System) -> None:
    alice, service = uploading.person("alice"), registrar(uploading)
    (video,) = await uploading.videos("v1")
    shown, shared = await uploaded(alice), await uploaded(alice)
    assert (await publish(alice, shared))["userErrors"] == []
    await added(alice, video, "look", images=[{"url": shown}, {"url": shared}])
    await uploading.drain()

    assert (await erasing.erase(service, video))["userErrors"] == []
    await erasing.finish(uploading)

    assert await left(shown, shared) == [False, True]


@one_server
async def test_posts_that_do_not_show_a_file_are_not_read(system: System) -> None:
    await execute(system, MANY)
    forms = ['[["https://images.example.com/7"]]', '[["https://images.example.com/8"]]']

    found = await reads(system, uploaded_files._SHOWN[0], "posts", without=LARGE, forms=forms)

    assert found.rows == 2
