"""The cost of comments: round trips to Redis, each with all its commands, and queries to Postgres."""

from tests.support.comments import COUNTS, added
from tests.support.costs import cost
from tests.support.stores import standalone
from tests.support.system import System

ADD = """mutation ($subject: ID!, $to: ID, $text: String!, $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: $text, idempotencyKey: $key}) {
    comment { id text floor createdAt author { handle } } userErrors { code } } }"""
COMMENTS = """query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Comment {
  id text floor author { handle displayName } repliedTo { handle } root { id text } parent { id } replyCount likeCount
  viewerReaction deleted auditStatus createdAt subject { id commentCount } } } }"""


@standalone
async def test_a_comment_or_reply_costs_four_round_trips_and_one_query(system: System) -> None:
    """The trips read subject, parent, key and pending changes; run the script; read the comment; read its author. The
    query reads the idempotency key, which Redis keeps for one day only.
    """
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    root = await added(alice, video, "root")
    await system.drain()
    variables = {"subject": video, "key": "k1", "text": "warm"}
    await alice.ask(ADD, **variables, to=root)

    assert await cost(alice, ADD, **(variables | {"key": "k2"}), to=None) == (4, 1)
    assert await cost(alice, ADD, **(variables | {"key": "k3"}), to=root) == (4, 1)


@standalone
async def test_any_number_of_warm_comments_costs_two_round_trips_and_no_query(system: System) -> None:
    """The trips read the comments with their authors and entity; counters, reactions and other users."""
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await added(alice, video, "root")
    await system.drain()
    ids = [root, *[await added(bob, video, f"reply {n}", to=root) for n in range(20)]]
    await system.drain()
    await bob.ask(COMMENTS, ids=ids)

    assert await cost(bob, COMMENTS, ids=ids[:2]) == (2, 0)
    assert await cost(bob, COMMENTS, ids=ids) == (2, 0)
    await added(bob, video, "pending")
    assert await cost(bob, COMMENTS, ids=ids) == (2, 0)


@standalone
async def test_the_counts_of_a_warm_subject_cost_two_round_trips(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    await alice.ask(COUNTS, id=video)

    assert await cost(alice, COUNTS, id=video) == (2, 0)
