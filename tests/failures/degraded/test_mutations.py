"""Mutations while Postgres is down: acknowledged writes stay acknowledged, and refused writes return an error."""

import pytest

from tests.support.degraded_answers import StoppableSystem, a_video, ask
from tests.support.outages import Away, both_ways
from tests.support.stores import standalone

pytestmark = [standalone, both_ways, pytest.mark.parametrize("plans", [True])]

DOWN = "POSTGRES_DOWN"
LIKE = """mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } target { id likeCount viewerReaction
  ... on Entity { title owner { handle } } likers { nodes { handle } } } } }"""
PUBLISH = """mutation ($text: String!) { publishPost(input: {text: $text, idempotencyKey: "k"}) {
  post { text likeCount author { handle } } userErrors { code } } }"""
EDIT = """mutation ($id: ID!) { editPost(input: {postId: $id, text: "edited"}) {
  post { text } userErrors { code } } }"""
PROFILE = "{ viewer { user { handle } } }"
"""Reads the profile of the viewer into the cache. Without it, no write is accepted while Postgres is down."""
ADD = """mutation ($id: ID!) { addComment(input: {subjectId: $id, text: "hello", idempotencyKey: "k"}) {
  comment { text } userErrors { code } } }"""


async def test_a_like_is_acknowledged_whether_or_not_its_target_can_be_read(
    stoppable: StoppableSystem, away: Away
) -> None:
    video = await a_video(stoppable.system, "v1")
    alice, anonymous = stoppable.system.person("alice"), stoppable.system.person(None)
    await alice.like(video)
    await alice.unlike(video)
    await stoppable.system.drain()
    stoppable.forget_all()
    await alice.ask(PROFILE)
    await anonymous.ask("query ($id: ID!) { node(id: $id) { id } }", id=video)
    await anonymous.ask('{ entity(business: "video", key: "v1") { id } }')

    async with stoppable.without_postgres(away):
        liked = await ask(alice, LIKE, id=video)
    await stoppable.system.drain()

    lost = dict.fromkeys(["likeCount", "owner", "likers"])
    assert liked.errors == []
    assert liked.data["like"] == {
        "userErrors": [],
        "target": {"id": video, "title": "v1", "viewerReaction": "LIKE", **lost},
    }
    assert liked.missing == [
        ("like.target.likeCount", "Entity.likeCount", 1, DOWN),
        ("like.target.likers", "Entity.likers", 1, DOWN),
        ("like.target.owner", "Entity.owner", 1, DOWN),
    ]
    assert (await alice.ask(LIKE, id=video))["like"]["target"]["likeCount"] == 2


async def test_a_new_user_can_like_without_the_cache(stoppable: StoppableSystem, away: Away) -> None:
    video = await a_video(stoppable.system, "v1")
    alice = stoppable.system.person("alice")

    async with stoppable.without_cache(away):
        assert (await alice.like(video))["target"]["viewerReaction"] == "LIKE"
    await stoppable.system.drain()

    assert await stoppable.system.rows("SELECT handle FROM users WHERE handle = 'alice'") == [("alice",)]
    assert (await alice.unlike(video))["target"]["likeCount"] == 1  # bob's like


async def test_a_repeated_write_is_acknowledged_when_its_target_cannot_be_read(
    stoppable: StoppableSystem, away: Away
) -> None:
    video = await a_video(stoppable.system, "v1")
    alice, anonymous = stoppable.system.person("alice"), stoppable.system.person(None)
    first = await ask(alice, PUBLISH, text="hello")
    await alice.ask(ADD, id=video)
    await stoppable.system.drain()
    stoppable.forget_all()
    await alice.ask(PROFILE)
    await anonymous.ask('{ entity(business: "video", key: "v1") { id } }')

    async with stoppable.without_postgres(away):
        again = await ask(alice, PUBLISH, text="hello")
        comment = await ask(alice, ADD, id=video)
        other = await ask(alice, PUBLISH, text="something else")

    assert (first.missing, first.incomplete) == ([], [])
    assert again.errors == comment.errors == other.errors == []
    assert again.data["publishPost"] == {"post": None, "userErrors": []}
    assert again.missing == [("publishPost.post", "PostPayload.post", 1, DOWN)]
    assert again.incomplete == [("Mutation.publishPost", DOWN)]
    assert comment.data["addComment"] == {"comment": None, "userErrors": []}
    assert comment.missing == [("addComment.comment", "CommentPayload.comment", 1, DOWN)]
    assert other.data["publishPost"] == {"post": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH"}]}
    assert other.missing == []
    assert (await alice.ask("{ square { nodes { text } } }"))["square"]["nodes"] == [{"text": "hello"}]


async def test_a_write_that_must_read_its_target_first_is_refused(stoppable: StoppableSystem, away: Away) -> None:
    alice = stoppable.system.person("alice")
    await alice.ask(PUBLISH, text="hello")
    await stoppable.system.drain()
    (post,) = (await alice.ask("{ square { nodes { id } } }"))["square"]["nodes"]
    stoppable.forget_all()

    async with stoppable.without_postgres(away):
        edited = await ask(alice, EDIT, id=post["id"])
    text = (await alice.ask("query ($id: ID!) { node(id: $id) { ... on Post { text } } }", id=post["id"]))["node"]

    assert (edited.data, edited.errors) == ({"editPost": None}, [("UNAVAILABLE", ["editPost"])])
    assert (edited.missing, text) == ([], {"text": "hello"})
