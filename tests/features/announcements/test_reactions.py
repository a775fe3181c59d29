"""Reactions, comments, saves and views of a post that announces an entity are those of the entity."""

import pytest

from store.content.hot import standings
from tests.features.announcements.recipes import NODE, posts_of, register, service
from tests.support.boundaries import mute_thread
from tests.support.comment_policies import set_policy
from tests.support.comments import add
from tests.support.follows import follow
from tests.support.quotes import quote
from tests.support.reactions import counts, react, unreact
from tests.support.reactions import shown as shown_reactions
from tests.support.reconciliation import drift
from tests.support.removing import remove
from tests.support.reposts import change, entries, repost, seen
from tests.support.saves import save, saved
from tests.support.search import COMMENTS, found
from tests.support.search import stored as indexed
from tests.support.system import System

OFFERED = "query ($id: ID!) { node(id: $id) { ... on Reactable { reactionKinds { kind } } } }"
COOK = (
    """mutation ($ids: [ID!]!) { recordActions(input: {targetIds: $ids, action: "cooked"}) { userErrors { code } } }"""
)


async def test_reactions_and_comments_of_an_announcement_are_those_of_its_entity(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    id_, fay = post["id"], system.person("fay")

    liked = (await fay.like(id_))["target"]
    assert (liked["id"], liked["likeCount"], liked["viewerReaction"]) == (id_, 1, "LIKE")
    await system.person("gus").like(recipe)
    for target in (id_, recipe):
        assert (await add(fay, target, f"tasty {target}"))["comment"]["subject"] == {"id": recipe}
    await save(fay, id_)
    ids = "mutation ($ids: [ID!]!) { %s(input: {targetIds: $ids}) { userErrors { code } } }"
    for mutation in ("recordViews", "recordShares"):
        await fay.ask(ids % mutation, ids=[id_, recipe])
    assert (await fay.ask(COOK, ids=[id_]))["recordActions"]["userErrors"] == []
    await system.drain()

    shown = (await fay.ask(NODE, id=id_))["node"]
    assert (shown["likeCount"], shown["viewerReaction"], shown["commentCount"]) == (2, "LIKE", 2)
    assert (shown["viewCount"], shown["shareCount"], shown["cooked"]) == (1, 1, 1)
    assert shown["entity"] == {"id": recipe, "likeCount": 2, "commentCount": 2}
    assert (shown["saveCount"], shown["viewerSaved"], await saved(fay)) == (1, True, [recipe])
    assert {one["handle"] for one in shown["likers"]["nodes"]} == {"fay", "gus"}
    assert [one["text"] for one in shown["comments"]["nodes"]] == [f"tasty {recipe}", f"tasty {id_}"]
    await indexed(system)
    assert await found(fay, "tasty", document=COMMENTS, subject=id_) == [f"tasty {recipe}", f"tasty {id_}"]
    assert (await fay.unlike(id_))["target"]["likeCount"] == 1
    await system.drain()
    assert (await posts_of(system))[0]["likeCount"] == 1
    assert {row[0] for row in await system.rows("SELECT business_id FROM counters WHERE kind IN (1, 2, 3)")} <= {104, 1}
    assert await drift(system) == {}


async def test_policies_and_mutes_of_an_announcement_are_those_of_the_entity(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    olga, fay = system.person("olga"), system.person("fay")
    assert (await set_policy(olga, post["id"], "NOBODY"))["userErrors"] == []
    await mute_thread(olga, post["id"])
    await system.drain()
    shown = (await fay.ask(NODE, id=post["id"]))["node"]
    assert (shown["commentPolicy"], shown["viewerCanComment"]) == ("NOBODY", False)
    assert (await add(fay, recipe, "no"))["userErrors"][0]["code"] == "COMMENTS_RESTRICTED"
    assert (await olga.ask(NODE, id=post["id"]))["node"]["viewerMutesThread"] is True
    muted = "query ($id: ID!) { node(id: $id) { ... on Reactable { viewerMutesThread } } }"
    assert (await olga.ask(muted, id=recipe))["node"]["viewerMutesThread"] is True


@pytest.mark.parametrize(
    ("mutes", "kinds"),
    # A quote is a post of its own, with a thread of its own. So later mutes do not hide notifications about it.
    [(None, {"REPOST", "QUOTE"}), ("before", set()), ("afterwards", {"QUOTE"})],
)
async def test_an_author_who_mutes_the_thread_sees_no_reposts_and_quotes(
    system: System, mutes: str | None, kinds: set[str]
) -> None:
    await register(system, "soup")
    (post,) = await posts_of(system)
    olga, fay = system.person("olga"), system.person("fay")
    if mutes == "before":
        await mute_thread(olga, post["id"])
        await system.drain()

    await repost(fay, post["id"])
    assert (await quote(fay, post["id"], "tasty"))["userErrors"] == []
    await system.drain()

    if mutes == "before":
        assert await system.rows("SELECT kind FROM notifications") == []
    if mutes == "afterwards":
        await mute_thread(olga, post["id"])
    told = (await olga.ask("{ viewer { notifications { nodes { kind } } } }"))["viewer"]["notifications"]["nodes"]
    assert {one["kind"] for one in told} == kinds


async def test_an_announcement_has_the_kinds_of_reactions_of_its_entity(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    fay, gus = system.person("fay"), system.person("gus")
    assert (await react(fay, post["id"], "😂"))["target"]["viewerReactions"] == ["😂"]
    assert (await react(gus, recipe, "❤️"))["userErrors"] == []
    assert (await react(gus, post["id"], "😮"))["userErrors"][0]["code"] == "REACTION_UNKNOWN"
    await system.drain()
    for target in (post["id"], recipe):
        found = await shown_reactions(fay, target)
        assert counts(found) == {"❤️": 1, "😂": 1}
        assert (found["likeCount"], found["viewerReactions"]) == (1, ["😂"])
        kinds = (await fay.ask(OFFERED, id=target))["node"]["reactionKinds"]
        assert [one["kind"] for one in kinds] == ["like", "dislike", "❤️", "😂"]
    assert (await unreact(fay, post["id"]))["target"]["viewerReactions"] == []
    await system.drain()
    assert counts(await shown_reactions(fay, recipe)) == {"❤️": 1}
    assert await drift(system) == {}


async def test_reposts_and_quotes_of_an_announcement_are_those_of_the_post(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    fay, gus, reader = system.person("fay"), system.person("gus"), system.person("reader")
    await follow(reader, await fay.id())
    await repost(fay, post["id"])
    await gus.like(recipe)
    await quote(gus, post["id"], "look")
    await system.drain()
    assert await entries(reader) == [("soup", ["fay"], 1)]
    assert await seen(fay, post["id"]) == (1, True, ["fay"])
    assert (await change(fay, recipe))["userErrors"][0]["code"] == "TARGET_NOT_FOUND"
    (standing,) = await standings(system.state.postgres, [int(post["id"].split(":")[1])])
    assert (standing.likes, standing.dislikes) == (2, 0)
    assert await drift(system) == {}


async def test_an_announcement_without_its_entity_takes_no_reactions(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    await remove(service(system), recipe)  # no worker has deleted the post yet
    fay = system.person("fay")
    assert (await fay.like(post["id"]))["userErrors"] == [
        {
            "code": "TARGET_NOT_FOUND",
            "message": "There is no entity that this post announces any more.",
            "field": ["targetId"],
        }
    ]
    assert (await fay.ask(NODE, id=post["id"]))["node"]["entity"] is None
