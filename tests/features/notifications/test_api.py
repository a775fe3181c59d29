"""What people are told, and how it is grouped."""

from tests.support.follows import follow_people, id_of
from tests.support.notifications import everything, messages, only, page, people, post_of, unread
from tests.support.posts import decide, delete, edit, published
from tests.support.system import System


async def test_a_like_is_told_to_the_owner(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    post = await post_of(system, alice)
    await bob.like(post)
    await system.drain()

    node = await only(alice)

    assert node == node | {
        "kind": "LIKE",
        "message": "bob liked your post.",
        "actors": [{"handle": "bob"}],
        "actorCount": 1,
        "subject": {"id": post},
        "read": False,
    }
    assert node["createdAt"] == node["updatedAt"]
    assert await unread(alice) == 1
    assert await messages(bob) == []


async def test_likes_of_one_thing_are_one_notification_of_its_newest_few(system: System) -> None:
    alice, *fans = await people(system, "alice", *(f"fan{n}" for n in range(7)))
    post = await post_of(system, alice)
    for fan in fans[:3]:
        await fan.like(post)
    await system.drain()
    assert await messages(alice) == ["fan2 and 2 others liked your post."]
    for fan in fans[3:]:
        await fan.like(post)
        await system.drain()

    node = await only(alice)

    assert node["message"] == "fan6 and 6 others liked your post."
    assert node["actorCount"] == 7
    assert [actor["handle"] for actor in node["actors"]] == ["fan6", "fan5", "fan4", "fan3", "fan2"]
    assert node["createdAt"] < node["updatedAt"]


async def test_a_like_taken_back_and_given_again_is_no_news(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    first, second = await post_of(system, alice, "first"), await post_of(system, alice, "second")
    await bob.like(first)
    await system.drain()
    await carol.like(second)
    await system.drain()
    for _ in range(2):
        await bob.unlike(first)
        await system.drain()
        await bob.like(first)
        await system.drain()
    await bob.react("dislike", first)
    await bob.like(first)
    await system.drain()

    assert await messages(alice) == ["carol liked your post.", "bob liked your post."]


async def test_a_like_that_was_never_there_is_not_told(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    post = await post_of(system, alice)
    await bob.like(post)
    await bob.unlike(post)
    await carol.react("dislike", post)
    await system.drain()
    assert await messages(alice) == []

    await bob.like(post)
    await carol.like(post)
    await system.drain()

    assert await messages(alice) == ["carol and 1 other liked your post."]


async def test_nobody_is_told_what_they_did_themselves(system: System) -> None:
    (alice,) = await people(system, "alice")
    mia = system.person("mia", "moderate")
    post = await post_of(system, alice, "it is me, @alice")
    await alice.like(post)
    await system.drain()
    own = await post_of(system, mia)
    await decide(mia, own, "REJECT")
    await system.drain()

    assert await messages(alice) == []
    assert await messages(mia) == []


async def test_what_nobody_owns_tells_nobody_and_what_somebody_owns_is_called_by_its_business(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    (nobodys,) = await system.videos("v1")
    (hers,) = await system.videos("v2", owner="alice")
    await bob.like(nobodys)
    await bob.like(hers)
    await system.drain()

    node = await only(alice)

    assert (node["message"], node["subject"]) == ("bob liked your video.", {"id": hers})
    assert await system.rows("SELECT count(*) FROM notifications") == [(1,)]


async def test_follows_are_told_together_and_once(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    await follow_people(bob, alice)
    await system.drain()
    await follow_people(carol, alice)
    await system.drain()
    await follow_people(bob, alice, verb="unfollow")
    await system.drain()
    await follow_people(bob, alice)
    await system.drain()

    node = await only(alice)

    assert node["kind"] == "FOLLOW"
    assert node["message"] == "carol and 1 other followed you."
    assert node["subject"] == {"id": await id_of(alice)}


async def test_two_who_follow_each_other_at_once_are_both_told(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await follow_people(alice, bob)
    await follow_people(bob, alice)
    await system.drain()

    assert await messages(alice) == ["bob followed you."]
    assert await messages(bob) == ["alice followed you."]


async def test_a_mention_is_told_once_whatever_becomes_of_the_post(system: System) -> None:
    alice, bob, carol, dave = await people(system, "alice", "bob", "carol", "dave")
    mia = system.person("mia", "moderate")
    post = await post_of(system, alice, "@Bob, look! mail@carol.org @nobody @bob")
    assert await messages(bob) == ["alice mentioned you in a post."]
    assert (await only(bob))["subject"] == {"id": post}
    assert await messages(carol) == []

    await edit(alice, post, text="@bob and @dave, look!")
    await system.drain()
    await decide(mia, post, "REJECT")
    await system.drain()
    await decide(mia, post, "APPROVE")
    await system.drain()

    assert await messages(bob) == await messages(dave) == ["alice mentioned you in a post."]
    assert (await only(bob))["actorCount"] == 1


async def test_nobody_is_mentioned_by_what_they_may_not_see(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    mia = system.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await system.drain()
    await decide(mia, post, "REJECT")
    await system.drain()
    await edit(alice, post, text="hello")
    (gone,) = await published(alice, "@bob!")
    await delete(alice, gone)
    await system.drain()

    assert await messages(bob) == []


async def test_authors_are_told_what_was_rejected_and_why(system: System) -> None:
    (alice,) = await people(system, "alice")
    mia = system.person("mia", "moderate")
    first, second = await post_of(system, alice, "one"), await post_of(system, alice, "two")
    for post in (first, second):
        await decide(mia, post, "REJECT", f"off topic: {post}")
        await system.drain()

    nodes = (await page(alice)).nodes

    assert [node["message"] for node in nodes] == [f"Your post was rejected: off topic: {p}" for p in (second, first)]
    assert all((node["kind"], node["actors"], node["actorCount"]) == ("MODERATION", [], 0) for node in nodes)
    assert [node["subject"] for node in nodes] == [{"id": second}, {"id": first}]


async def test_what_has_more_to_tell_moves_up(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    posts = [await post_of(system, alice, f"post {n}") for n in range(5)]
    for post in posts:
        await bob.like(post)
        await system.drain()
    ids = [node["id"] for node in await everything(alice)]

    await carol.like(posts[1])
    await system.drain()

    nodes = await everything(alice)
    assert [node["id"] for node in nodes] == [ids[3], *ids[:3], ids[4]]
    assert [node["updatedAt"] for node in nodes] == sorted((node["updatedAt"] for node in nodes), reverse=True)
    assert await unread(alice) == len(nodes) == 5


async def test_a_page_is_not_torn_by_what_moves_up(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    posts = [await post_of(system, alice, f"post {n}") for n in range(6)]
    for post in posts:
        await bob.like(post)
        await system.drain()
    first = await page(alice, 3)
    await carol.like(posts[5])
    await carol.like(posts[0])
    await system.drain()

    second = await page(alice, 3, first.end)

    assert [node["subject"]["id"] for node in (*first.nodes, *second.nodes)] == posts[:0:-1]
    assert not second.more
