"""Notifications through the API: contents and grouping."""

from tests.support.follows import follow_people, id_of
from tests.support.notifications import everything, messages, only, page, people, post_of, unread
from tests.support.posts import decide, delete, edit, published
from tests.support.system import System


async def test_a_like_notifies_the_owner(system: System) -> None:
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


async def test_likes_of_one_post_are_one_notification_with_the_newest_actors(system: System) -> None:
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


async def test_a_mention_notifies_and_a_word_or_an_address_does_not(system: System) -> None:
    alice, jos = await people(system, "alice", "jos")
    texts = [
        "@josé",
        "a@jos.com",
        "имя@jos.com",
        "niñ@jos",
        "x.com/~@jos",
        "@jos.bsky.social",
        "@jose\u0301",
        "\uff20jos",
    ]
    posts = [await post_of(system, alice, text) for text in texts]
    await system.drain()

    assert [node["subject"]["id"] for node in await everything(jos)] == posts[-1:]


async def test_a_mention_notifies_only_the_user_with_the_whole_handle(system: System) -> None:
    service = system.person("service", "users:write")
    handles = ["ann", "ann.lee", "ann-lee", "ann_lee", "ann.lee.x"]
    await service.ask(
        "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }",
        u=[{"externalId": one, "handle": one} for one in handles],
    )
    (alice,) = await people(system, "alice")
    posts = {one: await post_of(system, alice, f"with @{one}.") for one in handles}
    await system.drain()

    for one in handles:
        assert [node["subject"]["id"] for node in await everything(system.person(one))] == [posts[one]]


async def test_a_repeated_like_sends_no_second_notification(system: System) -> None:
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


async def test_a_like_that_was_removed_before_the_commit_sends_no_notification(system: System) -> None:
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


async def test_own_actions_send_no_notifications(system: System) -> None:
    (alice,) = await people(system, "alice")
    post = await post_of(system, alice, "it is me, @alice")
    await alice.like(post)
    await system.drain()

    assert await messages(alice) == []


async def test_a_like_of_an_entity_notifies_its_owner_and_names_its_business(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    (ownerless,) = await system.videos("v1")
    (hers,) = await system.videos("v2", owner="alice")
    await bob.like(ownerless)
    await bob.like(hers)
    await system.drain()

    node = await only(alice)

    assert (node["message"], node["subject"]) == ("bob liked your video.", {"id": hers})
    assert await system.rows("SELECT count(*) FROM notifications") == [(1,)]


async def test_follows_are_one_notification_that_counts_each_follower_once(system: System) -> None:
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


async def test_concurrent_mutual_follows_notify_both_users(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await follow_people(alice, bob)
    await follow_people(bob, alice)
    await system.drain()

    assert await messages(alice) == ["bob followed you."]
    assert await messages(bob) == ["alice followed you."]


async def test_a_mention_sends_one_notification_whatever_happens_to_the_post(system: System) -> None:
    alice, bob, carol, dave = await people(system, "alice", "bob", "carol", "dave")
    mia = system.person("mia", "moderate")
    post = await post_of(system, alice, "@Bob, look! mail@carol.org @unknown @bob")
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


async def test_a_mention_in_a_hidden_post_sends_no_notification(system: System) -> None:
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


async def test_a_rejection_notifies_the_author_of_the_reason(system: System) -> None:
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


async def test_a_notification_with_a_new_actor_moves_to_the_top(system: System) -> None:
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


async def test_pages_stay_consistent_while_notifications_move_to_the_top(system: System) -> None:
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
