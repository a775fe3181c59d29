"""Viewers see their own changes at once, also while older values are in the local cache."""

from store.cache.local import PANE_S
from tests.loaders.hot_reads import CARD, READS, SECONDS, VIDEO, card, heat, star
from tests.support.clocks import ManualClock
from tests.support.costs import cost
from tests.support.follows import follow, unfollow
from tests.support.journal_entries import someone
from tests.support.posts import MODERATE, published
from tests.support.posts import seen as post_seen
from tests.support.system import System, running

RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation followerCount } } }"
BIO = "mutation ($bio: String) { updateProfile(input: {bio: $bio}) { user { bio } userErrors { code } } }"


async def test_a_viewers_reaction_is_added_to_a_local_copy_at_once(system: System, clock: ManualClock) -> None:
    (video,) = await system.videos("v1")
    alice, bob, anonymous = system.person("alice"), system.person("bob"), system.person(None)
    for reader in (alice, bob, anonymous):
        await heat(clock, reader, VIDEO)

    async def views() -> list[tuple[int, str | None]]:
        shown = [(await reader.ask(VIDEO))["entity"] for reader in (alice, bob, anonymous)]
        return [(entity["likeCount"], entity["viewerReaction"]) for entity in shown]

    await alice.like(video)
    assert await views() == [(1, "LIKE"), (0, None), (0, None)]
    await bob.react("dislike", video)
    await alice.unlike(video)
    assert await views() == [(0, None), (0, "DISLIKE"), (0, None)]
    assert await cost(alice, VIDEO) == (1, 0)


async def test_a_like_counts_once_on_a_local_copy_read_before_or_after_its_commit(
    system: System, clock: ManualClock
) -> None:
    """A committed change stays pending for longer than a local copy lives, so that it is added to an older copy."""
    (video,) = await system.videos("v1")
    alice, anonymous = system.person("alice"), system.person(None)
    await heat(clock, alice, VIDEO)
    await alice.like(video)
    worker = system.worker()
    await worker.ownership.renew()
    while await worker.step():
        pass

    assert (await alice.ask(VIDEO))["entity"]["likeCount"] == 1
    assert (await anonymous.ask(VIDEO))["entity"]["likeCount"] == 0
    clock.now += SECONDS
    assert [(await reader.ask(VIDEO))["entity"]["likeCount"] for reader in (alice, anonymous)] == [1, 1]


async def test_a_follow_is_added_to_a_local_copy_at_once_for_the_follower_alone(
    system: System, clock: ManualClock
) -> None:
    user = await star(system)
    id_ = f"User:{user.user_id}"
    alice, bob, anonymous = system.person("alice"), system.person("bob"), system.person(None)
    for reader in (alice, bob, anonymous):
        await heat(clock, reader, RELATION, id=id_)

    async def views() -> list[tuple[str | None, int]]:
        nodes = [(await reader.ask(RELATION, id=id_))["node"] for reader in (alice, bob, anonymous)]
        return [(node["viewerRelation"], node["followerCount"]) for node in nodes]

    await follow(alice, id_)
    assert await views() == [("FOLLOWING", 4), ("NONE", 3), (None, 3)]
    await follow(bob, id_)
    await unfollow(alice, id_)
    assert await views() == [("NONE", 3), ("FOLLOWING", 4), (None, 3)]


async def test_viewers_never_read_their_own_profile_and_counters_from_the_local_cache(
    system: System, clock: ManualClock
) -> None:
    user, fan = await star(system), await someone(system, "fan0")
    for reader in (user.person, system.person(None)):
        await heat(clock, reader, CARD, id=f"User:{user.user_id}")

    await user.person.ask(BIO, bio="new")
    await follow(user.person, f"User:{fan.user_id}")

    own = await card(user.person, user)
    assert (own["bio"], own["followingCount"], own["friendCount"]) == ("new", 1, 1)


async def test_an_author_sees_the_deletion_of_a_hot_post_at_once(system: System, clock: ManualClock) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    for reader in (alice, bob) * READS:
        await post_seen(reader, post_id)
    clock.now += PANE_S
    assert [(await post_seen(reader, post_id))["text"] for reader in (bob, alice)] == ["hello"] * 2

    await alice.ask("mutation ($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code } } }", id=post_id)

    assert await post_seen(alice, post_id) is None


async def test_a_rejected_hot_post_disappears_for_moderators_at_once_and_for_others_when_the_local_copy_expires(
    system: System, clock: ManualClock
) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    for _ in range(READS):
        await post_seen(bob, post_id)
    clock.now += PANE_S
    await post_seen(bob, post_id)

    await mia.ask(MODERATE, id=post_id, decision="REJECT", reason="rude")
    await system.drain()

    assert (await post_seen(mia, post_id))["auditStatus"] == "REJECTED"
    assert (await post_seen(bob, post_id))["text"] == "hello"
    clock.now += SECONDS
    assert await post_seen(bob, post_id) is None


async def test_a_new_handle_is_found_at_once_although_it_was_often_looked_up_before(
    system: System, clock: ManualClock
) -> None:
    alice, by_handle = system.person("alice"), '{ user(handle: "alicia") { handle } }'
    await alice.id()
    assert await heat(clock, alice, by_handle) == {"user": None}

    async with running(system.settings) as other:
        renamed = await other.person("alice").ask(
            'mutation { updateProfile(input: {handle: "alicia"}) { user { handle } } }'
        )

    assert renamed["updateProfile"] == await alice.ask(by_handle) == {"user": {"handle": "alicia"}}
