"""Whatever a process keeps near, viewers see their own changes at once."""

from store.cache.heavy_hitters import PANE_S
from tests.loaders.hot_reads import CARD, READS, SECONDS, VIDEO, card, heat, star
from tests.support.clocks import ManualClock
from tests.support.costs import cost
from tests.support.follows import follow, unfollow
from tests.support.journal_entries import someone
from tests.support.posts import MODERATE, published
from tests.support.posts import seen as post_seen
from tests.support.system import System

RELATION = "query ($id: ID!) { node(id: $id) { ... on User { viewerRelation followerCount } } }"
BIO = "mutation ($bio: String) { updateProfile(input: {bio: $bio}) { user { bio } userErrors { code } } }"


async def test_a_viewers_reaction_is_never_a_copy_and_counts_in_one_at_once(system: System, clock: ManualClock) -> None:
    (video,) = await system.videos("v1")
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    for one in (alice, bob, nobody):
        await heat(clock, one, VIDEO)

    async def views() -> list[tuple[int, str | None]]:
        shown = [(await one.ask(VIDEO))["entity"] for one in (alice, bob, nobody)]
        return [(one["likeCount"], one["viewerReaction"]) for one in shown]

    await alice.like(video)
    assert await views() == [(1, "LIKE"), (0, None), (0, None)]
    await bob.react("dislike", video)
    await alice.unlike(video)
    assert await views() == [(0, None), (0, "DISLIKE"), (0, None)]
    assert await cost(alice, VIDEO) == (1, 0)


async def test_a_copy_from_before_and_one_from_after_show_ones_like_once(system: System, clock: ManualClock) -> None:
    """What is settled waits for longer than any copy lives: the old copy, and what is pending."""
    (video,) = await system.videos("v1")
    alice, nobody = system.person("alice"), system.person(None)
    await heat(clock, alice, VIDEO)
    await alice.like(video)
    worker = system.worker()
    await worker.ownership.renew()
    while await worker.step():
        pass

    assert (await alice.ask(VIDEO))["entity"]["likeCount"] == 1
    assert (await nobody.ask(VIDEO))["entity"]["likeCount"] == 0
    clock.now += SECONDS
    assert [(await one.ask(VIDEO))["entity"]["likeCount"] for one in (alice, nobody)] == [1, 1]


async def test_a_copy_shows_the_viewers_own_follow_at_once_and_to_nobody_else(
    system: System, clock: ManualClock
) -> None:
    one = await star(system)
    id_ = f"User:{one.user_id}"
    alice, bob, nobody = system.person("alice"), system.person("bob"), system.person(None)
    for reader in (alice, bob, nobody):
        await heat(clock, reader, RELATION, id=id_)

    async def views() -> list[tuple[str | None, int]]:
        nodes = [(await reader.ask(RELATION, id=id_))["node"] for reader in (alice, bob, nobody)]
        return [(node["viewerRelation"], node["followerCount"]) for node in nodes]

    await follow(alice, id_)
    assert await views() == [("FOLLOWING", 4), ("NONE", 3), (None, 3)]
    await follow(bob, id_)
    await unfollow(alice, id_)
    assert await views() == [("NONE", 3), ("FOLLOWING", 4), (None, 3)]


async def test_ones_own_profile_and_counters_are_never_a_copy(system: System, clock: ManualClock) -> None:
    one, fan = await star(system), await someone(system, "fan0")
    for reader in (one.person, system.person(None)):
        await heat(clock, reader, CARD, id=f"User:{one.user_id}")

    await one.person.ask(BIO, bio="new")
    await follow(one.person, f"User:{fan.user_id}")

    own = await card(one.person, one)
    assert (own["bio"], own["followingCount"], own["friendCount"]) == ("new", 1, 1)


async def test_an_author_sees_their_own_deletion_of_what_is_hot_at_once(system: System, clock: ManualClock) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post_id,) = await published(alice, "hello")
    await system.drain()
    for reader in (alice, bob) * READS:
        await post_seen(reader, post_id)
    clock.now += PANE_S
    assert [(await post_seen(one, post_id))["text"] for one in (bob, alice)] == ["hello"] * 2

    await alice.ask("mutation ($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code } } }", id=post_id)

    assert await post_seen(alice, post_id) is None


async def test_a_rejected_post_is_gone_for_moderators_at_once_and_for_others_within_a_copys_life(
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
