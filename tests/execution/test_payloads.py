"""Payloads of mutations: plans return the same bytes as graphql-core, and the mutation runs once."""

from typing import Any

import pytest

from loaders.request.own import Own
from tests.execution.compared_executors import ComparedExecutors
from tests.support.costs import counted_plans
from tests.support.logs import capture_logs

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

USER = "id handle displayName followerCount followingCount viewerRelation"
TARGET = "id likeCount dislikeCount viewerReaction likers(first: 3) { nodes { handle viewerRelation } }"
DETAILS = f"""... on Post {{ text commentCount author {{ {USER} }} }}
  ... on Entity {{ key commentCount owner {{ {USER} likesReceivedCount }} }}"""
ERRORS = "userErrors { code field message }"
LIKE = f"""mutation ($e: ID!, $x: Boolean = true) {{
  first: like(input: {{targetId: $e}}) {{ target {{ __typename {TARGET} {DETAILS} }} ...E @include(if: $x) }}
  unlike(input: {{targetId: $e}}) {{ target {{ {TARGET} }} {ERRORS} }}
  second: like(input: {{targetId: $e}}) {{ target {{ ...T }} target {{ viewerReaction }} ...E }} }}
  fragment E on ReactPayload {{ {ERRORS} }} fragment T on Reactable {{ {TARGET} {DETAILS} }}"""
DISLIKE = """mutation ($e: ID!) {
  dislike(input: {targetId: $e}) { target { id viewerReaction } userErrors { code } } }"""
FOLLOW = f"""mutation ($u: ID!) {{ follow(input: {{userId: $u}}) {{
  user {{ {USER} followers(first: 2) {{ edges {{ cursor }} }} }} {ERRORS} }} }}"""
PUBLISH = f"""mutation ($text: String!, $key: String!) {{
  publishPost(input: {{text: $text, topics: ["cats"], idempotencyKey: $key}}) {{
    post {{ id text topics {{ name }} author {{ {USER} }} likeCount viewerReaction auditStatus }} {ERRORS} }} }}"""
COMMENT = f"""mutation ($e: ID!) {{ addComment(input: {{subjectId: $e, text: "Nice", idempotencyKey: "c"}}) {{
  comment {{ id text author {{ {USER} }} likeCount replyCount subject {{ __typename }} }} {ERRORS} }} }}"""
VIEW = "mutation ($e: ID!) { recordViews(input: {targetIds: [$e]}) { targets { id viewCount } userErrors { code } } }"
MUTATIONS: list[tuple[str, dict[str, Any]]] = [
    (LIKE, {"e": "Entity:video:v0"}),
    (LIKE, {"e": "Entity:video:v2", "x": False}),
    (LIKE, {"e": "Entity:video:unknown"}),
    (DISLIKE, {"e": "Entity:video:v1"}),
    (FOLLOW, {"u": "carol"}),
    (FOLLOW, {"u": "alice"}),
    (FOLLOW.replace("follow(", "unfollow(", 1), {"u": "bob"}),
    (PUBLISH, {"text": "A new one, @bob", "key": "p1"}),
    (PUBLISH, {"text": "", "key": "p2"}),
    (COMMENT, {"e": "Entity:video:v0"}),
    (VIEW, {"e": "Entity:video:v0"}),
]


async def ids_of(own_executors: ComparedExecutors) -> dict[str, str]:
    """Returns the ids of users by handle."""
    query = "query ($h: String!) { user(handle: $h) { id } }"
    alice = own_executors.plain.person("alice")
    return {handle: (await alice.ask(query, h=handle))["user"]["id"] for handle in ("alice", "bob", "carol")}


async def test_payloads_of_plans_are_equal_to_those_of_graphql_core(own_executors: ComparedExecutors) -> None:
    ids = await ids_of(own_executors)
    for query, variables in MUTATIONS:
        before = counted_plans()
        given = {name: ids.get(value, value) for name, value in variables.items()}
        with capture_logs():
            await own_executors.plain.person("alice").send(query, **given)  # now the mutation changes nothing for both
            compared = await own_executors.compare(query, "alice", **given)

        assert "data" in compared.planned.json(), str(compared)
        assert not compared.differs, str(compared)
        done = {what for what, now in counted_plans().items() if now > before.get(what, 0)}
        assert ("planned", "") in done, query
        assert done <= {("planned", ""), ("fallback", "off")}, query


async def test_a_mutation_runs_once_if_the_plan_of_its_payload_fails(
    own_executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, like = own_executors.planned.person("alice"), LIKE.replace("unlike", "dislike")
    before, logged = counted_plans(), "SELECT count(*) FROM like_log"
    ((rows,),) = await own_executors.planned.rows(logged)

    async def fail(*_: Any) -> Any:
        raise RuntimeError("broken")

    with capture_logs(), monkeypatch.context() as patch:
        patch.setattr(Own, "_seen", fail)
        body = (await alice.send(like, e="Entity:video:v3")).json()
    await own_executors.planned.drain()

    assert {error["path"][0] for error in body["errors"]} == {"first", "dislike", "second"}
    assert all(error["extensions"]["code"] == "INTERNAL" for error in body["errors"])
    done = {what for what, now in counted_plans().items() if now > before.get(what, 0)}
    assert done == {("rerun", "exception")}
    assert await own_executors.planned.rows(logged) == [(rows + 3,)]
