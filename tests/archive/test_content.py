"""Posts and comments of an archive."""

from pathlib import Path
from typing import Any

from tests.archive.archives import at, comment, entity, follow, load, post, reaction, shown, users, video
from tests.support.comments import add
from tests.support.posts import HOME, TOPIC, on_square, publish
from tests.support.reconciliation import drift
from tests.support.removing import remove
from tests.support.system import System

POSTS = """query ($h: String!) { user(handle: $h) { createdAt postCount pinnedPosts { text } posts(first: 50) { nodes {
  id text createdAt editedAt custom auditStatus topics { name } commentCount likeCount } } } }"""
FACTS = "{ square { nodes { facets { user { handle } } attachments { kind alt width durationSeconds } } } }"
COLLECTIONS = "{ viewer { collections(first: 50) { nodes { name createdAt } } } }"
IMAGE = {"url": "https://images.example.com/a.png", "alt": "a cat"}


async def posts_of(system: System, handle: str, viewer: str = "reader") -> Any:
    return (await system.person(viewer).ask(POSTS, h=handle))["user"]


async def test_a_post_is_imported_with_times_topics_and_custom_data(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        post("p1", "ann", topics=["Cats", "pets"], createdAt=at(1), editedAt=at(9), custom={"a": 1}, images=[IMAGE]),
        post("p2", "ann", topics=["cats"], createdAt=at(2), pinnedAt=at(3)),
        *users("ann"),
    )

    assert imported.rejects == []
    ann = await posts_of(system, "ann")
    assert [one["text"] for one in ann["posts"]["nodes"]] == ["text of p2", "text of p1"]
    assert ann["postCount"] == 2
    first = ann["posts"]["nodes"][1]
    assert (first["createdAt"], first["editedAt"], first["custom"]) == (at(1), at(9), {"a": 1})
    assert [topic["name"] for topic in first["topics"]] == ["cats", "pets"]
    assert [one["text"] for one in ann["pinnedPosts"]] == ["text of p2"]
    topic = (await system.person("reader").ask(TOPIC, name="cats", first=9))["topic"]
    assert (topic["postCount"], len(topic["posts"]["nodes"])) == (2, 2)
    assert await on_square(system.person("reader")) == ["text of p2", "text of p1"]
    assert await drift(system) == {}


async def test_imported_texts_mention_users_and_show_attachments(system: System, tmp_path: Path) -> None:
    film = {"kind": "VIDEO", "url": "https://images.example.com/a.mp4", "durationMs": 1500, "width": 9}
    imported = await load(
        system,
        tmp_path,
        *users("ann", "bob"),
        post("p1", "ann", text="hello @Bob", images=[IMAGE, film]),
        post("p2", "ann", images=[{**film, "width": 0}]),
    )

    assert imported.reasons == ["width: A width or height is 1 to 100000 pixels."]
    (node,) = (await system.person("reader").ask(FACTS))["square"]["nodes"]
    assert [facet["user"] for facet in node["facets"]] == [{"handle": "bob"}]
    assert node["attachments"] == [
        {"kind": "IMAGE", "alt": "a cat", "width": None, "durationSeconds": None},
        {"kind": "VIDEO", "alt": None, "width": 9, "durationSeconds": 1.5},
    ]
    ((mentioned,),) = await system.rows("SELECT mentioned::text FROM posts")
    assert '"bob"' in mentioned


async def test_all_records_from_the_year_2000_on_keep_their_times(system: System, tmp_path: Path) -> None:
    times = [f"{year}-01-05T06:07:08.901Z" for year in range(2000, 2020)]
    people = [user for time in times for user in users(f"u{time[:4]}", createdAt=time)]
    posts = [post(f"p{time[:4]}", "u2000", createdAt=time) for time in times]
    comments = [comment(f"c{time[:4]}", "u2000", {"post": "p2000"}, createdAt=time) for time in times]
    named = [
        {"kind": "collection", "id": f"k{time[:4]}", "user": "u2000", "name": time, "createdAt": time} for time in times
    ]

    imported = await load(system, tmp_path, *people, *posts, *comments, *named)

    assert imported.rejects == []
    assert [(await posts_of(system, f"u{time[:4]}"))["createdAt"] for time in times] == times
    nodes = (await posts_of(system, "u2000"))["posts"]["nodes"]
    assert [one["createdAt"] for one in nodes] == times[::-1]
    first = nodes[-1]["id"]
    assert [one["createdAt"] for one in await shown(system.person("reader"), first, "OLDEST")] == times
    own = (await system.person("u2000").ask(COLLECTIONS))["viewer"]["collections"]["nodes"]
    assert sorted(one["createdAt"] for one in own) == sorted(one["name"] for one in own) == times


async def test_records_before_the_year_2000_are_rejected(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *users("ann", createdAt="1999-12-31T23:59:59.999Z"),
        *users("bob"),
        post("p1", "bob", createdAt="1999-12-31T23:59:59.999Z"),
        comment("c1", "bob", {"post": "p1"}, createdAt="1999-12-31T23:59:59.999Z"),
    )

    assert imported.reasons == ["createdAt: The time is before the year 2000."] * 3


async def test_posts_that_wait_were_rejected_or_deleted_are_not_public(system: System, tmp_path: Path) -> None:
    await load(
        system,
        tmp_path,
        *users("ann"),
        post("p1", "ann", status="PENDING", reason="a link"),
        post("p2", "ann", status="REJECTED", reason="spam"),
        post("p3", "ann", deletedAt=at(5), text=""),
        post("p4", "ann"),
    )

    assert [one["text"] for one in (await posts_of(system, "ann"))["posts"]["nodes"]] == ["text of p4"]
    own = (await posts_of(system, "ann", "ann"))["posts"]["nodes"]
    assert sorted(one["auditStatus"] for one in own) == ["APPROVED", "PENDING", "REJECTED"]
    queue = "{ moderationQueue(first: 9) { nodes { ... on Post { text } } } }"
    waiting = (await system.person("mia", "moderate").ask(queue))["moderationQueue"]["nodes"]
    assert waiting == [{"text": "text of p1"}]
    assert await drift(system) == {}


async def test_an_edit_in_a_later_archive_is_imported_and_one_by_the_author_stays(
    system: System, tmp_path: Path
) -> None:
    await load(system, tmp_path, *users("ann"), post("p1", "ann"), post("p2", "ann"))
    ids = {one["text"]: one["id"] for one in (await posts_of(system, "ann"))["posts"]["nodes"]}
    edit = "mutation ($i: EditPostInput!) { editPost(input: $i) { userErrors { code } } }"
    await system.person("ann").ask(edit, i={"postId": ids["text of p2"], "text": "edited by ann"})
    await system.drain()

    await load(
        system,
        tmp_path,
        post("p1", "ann", text="edited there", editedAt=at(5)),
        post("p2", "ann", text="edited there", editedAt=at(5)),
    )

    shown = {one["text"] for one in (await posts_of(system, "ann"))["posts"]["nodes"]}
    assert shown == {"edited there", "edited by ann"}
    assert await drift(system) == {}


async def test_home_has_imported_posts_although_it_was_cached(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann", "bob"), follow("ann", "bob"))
    ann, bob = system.person("ann"), system.person("bob")
    await publish(bob, "new")
    await system.drain()
    assert [one["text"] for one in (await ann.ask(HOME, first=9))["viewer"]["home"]["nodes"]] == ["new"]

    await load(system, tmp_path, post("p1", "bob"))

    shown = (await ann.ask(HOME, first=9))["viewer"]["home"]["nodes"]
    assert [one["text"] for one in shown] == ["new", "text of p1"]
    assert await system.rows("SELECT count(*) FROM fanouts") == [(0,)]
    assert await system.rows("SELECT count(*) FROM outboxes WHERE NOT pushed AND state = 1") == [(0,)]


async def test_nobody_is_notified_and_no_event_is_stored(system: System, tmp_path: Path) -> None:
    await load(
        system,
        tmp_path,
        *users("ann", "bob"),
        follow("ann", "bob"),
        post("p1", "bob", text="hello @ann"),
        comment("c1", "ann", {"post": "p1"}),
        reaction("ann", {"post": "p1"}),
    )

    for table in ("untold", "notifications", "outgoing_events", "moderation_log"):
        assert await system.stored(table) == []


async def test_threads_are_imported_in_any_order_with_floors_in_order_of_time(system: System, tmp_path: Path) -> None:
    subject = video("v1")
    imported = await load(
        system,
        tmp_path,
        comment("c5", "bob", subject, parent="c4", createdAt=at(5)),
        comment("c4", "ann", subject, parent="c1", createdAt=at(4)),
        comment("c3", "bob", subject, createdAt=at(3)),
        comment("c1", "ann", subject, createdAt=at(1), pinnedAt=at(9)),
        comment("c2", "bob", subject, createdAt=at(2)),
        comment("early", "bob", subject, parent="late", createdAt=at(6)),
        comment("late", "bob", subject, createdAt=at(7)),
        entity("v1", owner="ann"),
        *users("ann", "bob"),
    )

    assert imported.rejects == []
    reader = system.person("reader")
    roots = await shown(reader, "Entity:video:v1", "OLDEST")
    assert [(one["text"], one["floor"]) for one in roots] == [
        ("text of c1", 1),
        ("text of c2", 2),
        ("text of c3", 3),
        ("text of late", 4),
    ]
    replies = await shown(reader, roots[0]["id"], None)
    assert [(one["text"], one["parent"]["id"]) for one in replies] == [
        ("text of c4", roots[0]["id"]),
        ("text of c5", replies[0]["id"]),
    ]
    (early,) = await shown(reader, roots[3]["id"], None)
    assert (early["text"], early["createdAt"]) == ("text of early", at(6))
    assert await drift(system) == {}


async def test_a_deleted_comment_with_replies_keeps_its_place(system: System, tmp_path: Path) -> None:
    subject = video("v1")
    await load(
        system,
        tmp_path,
        *users("ann", "bob"),
        entity("v1"),
        comment("c1", "ann", subject, deletedAt=at(9), deletedAs="author"),
        comment("c2", "bob", subject, parent="c1", createdAt=at(2)),
        comment("c3", "bob", subject, deletedAt=at(9)),
    )

    roots = await shown(system.person("reader"), "Entity:video:v1", "OLDEST")
    assert [(one["deleted"], one["text"], one["replyCount"]) for one in roots] == [(True, None, 1)]
    assert await drift(system) == {}


async def test_a_new_comment_follows_the_imported_ones(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann"), entity("v1"), comment("c1", "ann", video("v1")))
    ann = system.person("ann")
    (root,) = [one["id"] for one in await shown(ann, "Entity:video:v1", "OLDEST")]

    await add(ann, "Entity:video:v1", "second")
    await add(ann, "Entity:video:v1", "reply", root)
    await system.drain()

    roots = await shown(ann, "Entity:video:v1", "OLDEST")
    assert [(one["floor"], one["replyCount"]) for one in roots] == [(1, 1), (2, 0)]
    assert await drift(system) == {}


async def test_replies_without_their_parent_are_rejected(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *users("ann"),
        entity("v1"),
        entity("v2"),
        comment("c1", "ann", video("v1")),
        comment("c2", "ann", video("v2"), parent="c1"),
        comment("c3", "ann", video("v1"), parent="c9"),
        comment("c4", "ann", video("v1"), parent="c3"),
        comment("c5", "nobody", video("v1")),
        comment("c6", "ann", video("v1"), parent="c5"),
    )

    assert imported.rejects == [
        (5, "The comment c1 is on another post or entity.", False),
        (6, "There is no comment c9.", False),
        (7, "There is no comment c3.", False),
        (8, "There is no user nobody of the issuer https://plaudit.local.", False),
        (9, "There is no comment c5.", False),
    ]


async def test_texts_that_are_too_long_and_foreign_images_are_rejected(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *users("ann"),
        post("p1", "ann", text="x" * 5001),
        post("p2", "ann", text=""),
        post("p3", "ann", images=[{"url": "https://elsewhere.example/a.png"}]),
        post("p4", "ann", topics=["a b"]),
    )

    assert [line for line, _, _ in imported.rejects] == [2, 3, 4, 5]
    assert imported.reasons[:2] == ["text: At most 5000 characters.", "The record has neither text nor images."]


async def test_who_may_comment_is_imported(system: System, tmp_path: Path) -> None:
    await load(
        system,
        tmp_path,
        *users("ann", "bob"),
        post("p1", "ann", commentPolicy="NOBODY"),
        entity("v1", owner="ann", commentPolicy="NOBODY"),
    )
    (post_id,) = [one["id"] for one in (await posts_of(system, "ann"))["posts"]["nodes"]]

    for subject in (post_id, "Entity:video:v1"):
        payload = await add(system.person("bob"), subject, f"on {subject}")
        assert [error["code"] for error in payload["userErrors"]] == ["COMMENTS_RESTRICTED"]


async def test_a_post_named_by_a_global_id_is_the_stored_one_or_keeps_this_id(system: System, tmp_path: Path) -> None:
    stored = (await publish(system.person("ann"), "hello"))["post"]["id"]
    await system.drain()
    absent = "Post:700000000000000000"

    imported = await load(
        system,
        tmp_path,
        post(stored, "ann"),
        post(absent, "ann"),
        comment("Comment:2.700000000000000001", "ann", {"post": stored}),
        reaction("ann", {"comment": "Comment:2.700000000000000001"}),
    )

    assert imported.rejects == []
    assert {one["id"]: one["text"] for one in (await posts_of(system, "ann"))["posts"]["nodes"]} == {
        stored: "hello",
        absent: f"text of {absent}",
    }
    (only,) = await shown(system.person("reader"), stored, "OLDEST")
    assert only["id"] == "Comment:2.700000000000000001"
    assert await drift(system) == {}


async def test_posts_that_refer_to_entities_and_announce_them_are_imported(system: System, tmp_path: Path) -> None:
    imported = await load(
        system,
        tmp_path,
        *users("ann"),
        entity("v1", owner="ann", title="v1"),
        post("p1", "ann", entity=video("v1")),
        post("p2", "ann", entity=video("v1"), announces=True),
        post("p3", "ann", entity=video("v1"), announces=True, deletedAt=at(5)),
        post("p4", "ann", entity=video("missing")),
    )

    assert imported.reasons == ["There is no entity video:missing."]
    rows = "SELECT text, about_business, announces FROM posts ORDER BY text"
    assert await system.rows(rows) == [("text of p1", 100, None), ("text of p2", 100, True), ("text of p3", 100, True)]
    announced = "SELECT p.text, a.withdrawn FROM announcements a JOIN posts p USING (post_id)"
    assert await system.rows(announced) == [("text of p2", False)]
    await remove(system.person("service", "entities:write"), "Entity:video:v1")
    assert await system.rows(announced) == [("text of p2", True)]
