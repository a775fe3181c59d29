"""Workers remove personal data that is older than its retention period, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import text

from state import State
from store import old_rows
from store.old_rows import BATCH
from tests.support import comments, notices, notifications, posts, reports
from tests.support.actions import share
from tests.support.aging import DAY_MS, later, sweep
from tests.support.appeals import appeal
from tests.support.appeals import decide as refusal
from tests.support.citus import one_server
from tests.support.deletions import hold
from tests.support.locks import locked, waiting_for_locks
from tests.support.plans import LARGE, reads
from tests.support.reconciliation import drift, execute
from tests.support.system import System
from workers import retention

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

CLIENTS = """SELECT ip IS NULL AND device IS NULL AND client IS NULL FROM posts
             UNION ALL SELECT ip IS NULL AND device IS NULL AND client IS NULL FROM comment_contents"""
SAYS = {
    "post": "SELECT text, images::text, topics, custom FROM posts WHERE post_id = :id",
    "comment": "SELECT text, images::text, custom FROM comment_contents WHERE comment_id = :id",
}
EMPTY = {"post": [("", "[]", [], None)], "comment": [("", "[]", None)]}
CLAIMS = "SELECT count(*) FROM claims"
BIG = """INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                            audit_version, version, ip)
         SELECT i, 1, 0, 'old', '[]', '{}', 1, false, 1, 1, 1, '192.0.2.1' FROM generate_series(1, :rows) AS i"""
MANY = """INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted, content_version,
                             audit_version, version, ip)
         SELECT i + age, 1, 0, 'text', '[]', '{}', 1, age > 0, i + age, 1, 1, CASE WHEN age > 0 THEN inet '::1' END
         FROM generate_series(1, :rows) AS i, unnest(ARRAY[0, CAST(:before AS bigint)]) AS age"""


class Scene:
    """alice, whose post and comment a moderator can reject; mia and noa are moderators."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.alice, self.bob = system.person("alice", device_id="alices-phone"), system.person("bob")
        self.mia, self.noa = system.person("mia", "moderate"), system.person("noa", "moderate")
        self.post = self.comment = ""

    async def made(self) -> "Scene":
        self.post = (await posts.publish(self.alice, "a secret thought", "music"))["post"]["id"]
        await self.system.drain()
        self.comment = await comments.added(self.alice, self.post, "a secret remark")
        await self.system.drain()
        return self

    async def rejected(self) -> "Scene":
        await self.made()
        for target in (self.comment, self.post):
            assert await refusal(self.mia, target, "REJECT") == []
        await self.system.drain()
        return self

    async def says(self) -> dict[str, list[tuple[Any, ...]]]:
        """Returns the stored content of the post and of the comment."""
        ids = {"post": int(self.post.removeprefix("Post:")), "comment": comments.number(self.comment)}
        return {kind: await self.system.rows(SAYS[kind], id=id_) for kind, id_ in ids.items()}


async def delete(scene: Scene) -> None:
    await comments.delete(scene.alice, scene.comment)
    await posts.delete(scene.alice, scene.post)
    await scene.system.drain()


async def reject(scene: Scene) -> None:
    for target in (scene.comment, scene.post):
        assert await refusal(scene.mia, target, "REJECT") == []
    await scene.system.drain()


async def test_addresses_and_devices_are_removed_from_posts_and_comments(system: System) -> None:
    scene = await Scene(system).made()
    assert await system.rows(CLIENTS) == [(False,), (False,)]

    assert await sweep(later(system.state, 89)) == {}
    assert await sweep(later(system.state, 91, client_days=0, idempotency_days=0)) == {}
    assert await sweep(later(system.state, 91, idempotency_days=0)) == {"post_clients": 1, "comment_clients": 1}

    assert await system.rows(CLIENTS) == [(True,), (True,)]
    assert (await posts.seen(scene.bob, scene.post))["text"] == "a secret thought"
    assert await drift(system) == {}
    await posts.edit(scene.alice, scene.post, text="another thought")
    await system.drain()
    assert await system.rows(CLIENTS) == [(True,), (True,)]


async def test_addresses_are_removed_in_batches(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_PAUSE", 0.0)
    await execute(system, BIG, rows=2 * BATCH + 1)

    assert await sweep(system.state) == {"post_clients": 2 * BATCH + 1}
    assert await system.rows("SELECT removed FROM removals") == [(2 * BATCH + 1,)]


@one_server
async def test_locked_posts_are_left_to_the_next_batch(system: System) -> None:
    await execute(system, BIG, rows=3)

    async with locked(system, "SELECT 1 FROM posts WHERE post_id = 2"):
        assert await sweep(system.state) == {"post_clients": 2}
    assert await sweep(system.state) == {"post_clients": 1}


@one_server
@pytest.mark.parametrize("kind", ["post_clients", "post_texts"])
async def test_posts_that_are_not_too_old_are_not_read(system: System, kind: str) -> None:
    # Half of the posts are old, with nothing to remove; the others are new, with an address and removed text.
    await execute(system, MANY, before=1 << 60, rows=5000)

    found = await reads(system, old_rows._OLDEST[kind], "posts", without=LARGE, before=1 << 60)

    assert found.rows <= 1


@pytest.mark.parametrize("hide", [delete, reject])
async def test_deleted_and_rejected_content_is_emptied(
    system: System, hide: Callable[[Scene], Awaitable[None]]
) -> None:
    scene = await Scene(system).made()
    kept = (await posts.publish(scene.alice, "a public thought"))["post"]["id"]
    await hide(scene)
    before = await scene.says()

    assert await sweep(later(system.state, 179, client_days=0, idempotency_days=0)) == {}
    assert await scene.says() == before
    assert await sweep(later(system.state, 181, removed_text_days=0, client_days=0, idempotency_days=0)) == {}
    removed = await sweep(later(system.state, 181, client_days=0, idempotency_days=0))

    assert removed == {"post_texts": 1, "comment_texts": 1}
    assert await scene.says() == EMPTY
    assert (await posts.seen(scene.bob, kept))["text"] == "a public thought"
    assert await drift(system) == {}


async def test_authors_and_moderators_see_no_copy_of_emptied_content(system: System) -> None:
    scene = await Scene(system).rejected()
    for viewer in (scene.alice, scene.mia):
        assert (await posts.seen(viewer, scene.post))["text"] == "a secret thought"
        assert (await comments.seen(viewer, scene.comment))["text"] == "a secret remark"

    await sweep(later(system.state, 181))

    for viewer in (scene.alice, scene.mia):
        assert (await posts.seen(viewer, scene.post))["text"] == ""
        assert (await comments.seen(viewer, scene.comment))["text"] == ""
    assert await drift(system) == {}


async def test_emptied_content_can_be_edited_but_neither_approved_nor_appealed(system: System) -> None:
    scene = await Scene(system).rejected()
    await sweep(later(system.state, 181))

    for target in (scene.post, scene.comment):
        assert await refusal(scene.noa, target, "APPROVE") == [{"code": "NOT_ALLOWED", "field": ["targetId"]}]
        assert (await appeal(scene.alice, target))["userErrors"][0]["code"] == "NOT_ALLOWED"
        assert await refusal(scene.noa, target, "REJECT") == []
    assert (await posts.edit(scene.alice, scene.post, topics=["cats"]))["userErrors"][0]["code"] == "TEXT_EMPTY"

    assert (await posts.edit(scene.alice, scene.post, text="a better thought"))["userErrors"] == []
    await system.drain()
    assert (await posts.seen(scene.bob, scene.post))["text"] == "a better thought"
    assert await drift(system) == {}


@pytest.mark.parametrize("late", ["approval", "edit of topics"])
async def test_a_change_that_arrives_after_the_content_was_removed_does_not_publish_it(
    system: System, late: str
) -> None:
    scene = await Scene(system).rejected()
    if late == "approval":
        assert await refusal(scene.noa, scene.post, "APPROVE") == []
    else:
        assert (await posts.edit(scene.alice, scene.post, topics=["cats"]))["userErrors"] == []

    await sweep(later(system.state, 181))
    await system.drain()

    assert await posts.seen(scene.bob, scene.post) is None
    assert (await scene.says())["post"] == EMPTY["post"]
    assert await system.rows("SELECT status FROM posts") == [(2,)]
    assert await drift(system) == {}


async def test_an_approval_that_arrives_before_keeps_the_content(system: System) -> None:
    scene = await Scene(system).rejected()
    for target in (scene.post, scene.comment):
        assert await refusal(scene.noa, target, "APPROVE") == []
    await system.drain()

    await sweep(later(system.state, 181))

    assert (await posts.seen(scene.bob, scene.post))["text"] == "a secret thought"
    assert (await comments.seen(scene.bob, scene.comment))["text"] == "a secret remark"


@pytest.mark.parametrize(("table", "key"), [("posts", "post_id"), ("comment_contents", "comment_id")])
async def test_content_that_is_approved_meanwhile_is_kept(system: System, table: str, key: str) -> None:
    scene = await Scene(system).rejected()
    before = await scene.says()
    (rows,) = await system.rows(f"SELECT {key} FROM {table}")  # noqa: S608 - constants

    async with locked(system, f"SELECT 1 FROM {table} WHERE {key} = :id", id=rows[0]) as moderator:  # noqa: S608
        sweeping = asyncio.create_task(sweep(later(system.state, 181, client_days=0, idempotency_days=0)))
        await waiting_for_locks(system, 1)
        await moderator.execute(text(f"UPDATE {table} SET status = 1 WHERE {key} = :id"), id=rows[0])  # noqa: S608

    kind = "post" if table == "posts" else "comment"
    assert f"{kind}_texts" not in await sweeping
    assert (await scene.says())[kind] == before[kind]


async def test_content_with_an_open_appeal_keeps_its_text(system: System) -> None:
    scene = await Scene(system).rejected()
    before = await scene.says()
    for target in (scene.post, scene.comment):
        assert (await appeal(scene.alice, target))["userErrors"] == []
    await system.drain()

    assert "post_texts" not in await sweep(later(system.state, 181))
    assert await scene.says() == before

    for target in (scene.post, scene.comment):
        assert await refusal(scene.noa, target, "REJECT") == []
    await system.drain()
    removed = await sweep(later(system.state, 181))
    assert (removed["post_texts"], removed["comment_texts"]) == (1, 1)


async def test_texts_of_decided_appeals_are_removed(system: System) -> None:
    scene = await Scene(system).rejected()
    for target in (scene.post, scene.comment):
        await appeal(scene.alice, target, "my reasons")
    await system.drain()
    assert await refusal(scene.noa, scene.post, "REJECT") == []
    await system.drain()

    assert "appeal_texts" not in await sweep(later(system.state, 364))
    removed = await sweep(later(system.state, 366))
    assert (removed["appeal_texts"], removed["statement_appeal_texts"]) == (1, 1)
    texts = "SELECT appeal_text FROM statements WHERE appeal_status IS NOT NULL ORDER BY appeal_status"
    assert await system.rows(texts) == [("my reasons",), ("",)]
    assert sorted(await system.rows("SELECT status, text FROM appeals")) == [(0, "my reasons"), (2, "")]
    assert await drift(system) == {}


async def test_the_old_data_of_a_user_under_a_legal_hold_stays(system: System) -> None:
    scene = await Scene(system).made()
    post = (await posts.publish(scene.bob, "report me"))["post"]["id"]
    await system.drain()
    await comments.added(scene.alice, post, "a remark for bob")
    await comments.added(scene.bob, scene.post, "a remark for alice")
    await share(scene.alice, scene.post)
    await reports.reported(scene.alice, post)
    await system.drain()
    await delete(scene)
    user_id = int((await scene.alice.id()).removeprefix("User:"))
    await hold(system, user_id)
    before = await scene.says()
    late = later(system.state, 400)

    removed = await sweep(late)

    assert await scene.says() == before
    due = retention.due(late)
    overdue = [kind for kind in due if (await old_rows.overdue(late.postgres, kind, **due[kind])).rows]
    assert overdue == []
    await hold(system, user_id, lifts=True)
    afterwards = await sweep(late)
    of_both = {"post_clients", "comment_clients", "claims", "notifications"}
    assert set(removed) - {"traces"} == of_both
    assert set(afterwards) - {"traces"} == of_both | {"post_texts", "comment_texts", "records"}
    assert await drift(system) == {}


async def test_old_notifications_are_removed_also_from_the_cache(system: System) -> None:
    scene = await Scene(system).made()
    await comments.added(scene.bob, scene.post, "hello")
    await scene.bob.like(scene.post)
    await system.drain()
    await execute(system, "UPDATE notifications SET updated_ms = updated_ms - :days WHERE kind = 1", days=366 * DAY_MS)
    assert [len((await notifications.page(scene.alice)).nodes), await notifications.unread(scene.alice)] == [2, 2]

    assert await sweep(later(system.state, 0, notification_days=0)) == {}
    assert await sweep(system.state) == {"notifications": 1}

    page = await notifications.page(scene.alice)
    assert ([node["kind"] for node in page.nodes], page.unread) == (["COMMENT"], 1)
    assert await system.rows("SELECT count(*) FROM notification_actors") == [(1,)]
    assert (await sweep(later(system.state, 366)))["notifications"] == 1
    assert await system.rows("SELECT count(*) FROM notification_actors") == [(0,)]
    assert ((await notifications.page(scene.alice)).nodes, await notifications.unread(scene.alice)) == ([], 0)
    assert await drift(system) == {}


async def test_idempotency_keys_of_posts_and_comments_are_removed(system: System) -> None:
    scene = await Scene(system).made()
    assert await system.rows(CLAIMS) == [(2,)]

    assert "claims" not in await sweep(later(system.state, 89))
    assert "claims" not in await sweep(later(system.state, 91, idempotency_days=0))
    assert (await sweep(later(system.state, 91)))["claims"] == 2

    assert await system.rows(CLAIMS) == [(0,)]
    again = await posts.publish(scene.alice, "a secret thought", "music")
    assert again["post"]["id"] == scene.post  # by the record in Redis
    await system.empty_redis()
    again = await posts.publish(scene.alice, "a secret thought", "music")
    assert again["post"]["id"] != scene.post


async def test_decided_reports_are_removed(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post, note="look at this")
    await reports.reported(scene.bob, scene.comment)
    await system.drain()
    await reports.resolve(scene.mia, scene.post, "DISMISS")
    await system.drain()

    assert "reports" not in await sweep(later(system.state, 364))
    assert "reports" not in await sweep(later(system.state, 366, report_days=0))
    assert (await sweep(later(system.state, 366)))["reports"] == 1

    assert await system.rows("SELECT status, note FROM reports") == [(0, None)]
    assert await drift(system) == {}


async def test_an_old_report_is_kept_after_a_new_decision(system: System) -> None:
    scene = await Scene(system).made()
    await reports.reported(scene.bob, scene.post)
    await system.drain()
    await execute(system, "UPDATE reports SET version = version - (CAST(:ms AS bigint) << 20)", ms=400 * DAY_MS)
    await reports.resolve(scene.mia, scene.post, "ACCEPT")
    await system.drain()

    assert "reports" not in await sweep(system.state)
    assert "reports" not in await sweep(later(system.state, 364))
    assert (await sweep(later(system.state, 366)))["reports"] == 1


async def test_texts_and_names_of_decided_notices_are_removed(system: System) -> None:
    scene = await Scene(system).made()
    numbers = [await notices.sent(system.person(None), target) for target in (scene.post, scene.comment)]
    await system.drain()
    await reports.resolve(scene.mia, scene.post, "DISMISS")
    await system.drain()

    assert "notice_texts" not in await sweep(later(system.state, 364))
    assert "notice_texts" not in await sweep(later(system.state, 366, notice_days=0))
    assert (await sweep(later(system.state, 366)))["notice_texts"] == 1
    assert "notice_texts" not in await sweep(later(system.state, 366))

    rows = await system.rows("SELECT status, explanation, name, email, law FROM notices ORDER BY status")
    law = "Criminal Code, section 275"
    assert rows == [(0, "It sells forged passports.", "Nora", "nora@example.org", law), (2, "", None, None, law)]
    assert [(await notices.status(scene.bob, number))["state"] for number in numbers] == ["DISMISSED", "OPEN"]


async def test_the_longest_periods_remove_nothing(system: System) -> None:
    await Scene(system).rejected()
    periods = (
        "client_days",
        "removed_text_days",
        "report_days",
        "notice_days",
        "notification_days",
        "idempotency_days",
    )
    longest: State = later(system.state, 10_000, **dict.fromkeys(periods, 2**31 - 1))

    assert set(await sweep(longest)) <= {"traces", "records", "daily_likes"}
