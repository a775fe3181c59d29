"""Payloads of mutations: plans return the same bytes as graphql-core, and the mutation runs once."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from loaders.request import Loaders
from tests.execution.compared_executors import ComparedExecutors
from tests.support.costs import counted_plans

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

USER = "id handle displayName followerCount followingCount viewerRelation"
TARGET = "id likeCount dislikeCount viewerReaction likers(first: 3) { nodes { handle viewerRelation } }"
LISTS = f"... on Post {{ text commentCount author {{ {USER} }} }} ... on Entity {{ key commentCount owner {{ {USER} likesReceivedCount }} }}"
ERRORS = "userErrors { code field message }"
LIKE = f"""mutation ($e: ID!, $x: Boolean = true) {{
  first: like(input: {{targetId: $e}}) {{ target {{ __typename {TARGET} {LISTS} }} ...E @include(if: $x) }}
  unlike(input: {{targetId: $e}}) {{ target {{ {TARGET} }} {ERRORS} }}
  second: like(input: {{targetId: $e}}) {{ target {{ ...T }} target {{ viewerReaction }} ...E }} }}
  fragment E on ReactPayload {{ {ERRORS} }} fragment T on Reactable {{ {TARGET} {LISTS} }}"""
MUTATIONS: list[tuple[str, dict[str, Any]]] = [
    (LIKE, {"e": "Entity:video:v0"}),
    (LIKE, {"e": "Entity:video:v2", "x": False}),
    (LIKE, {"e": "Entity:video:zz"}),
    ("mutation { dislike(input: {targetId: \"Entity:video:v1\"}) { target { id viewerReaction } userErrors { code } } }", {}),
    (f"mutation ($u: ID!) {{ follow(input: {{userId: $u}}) {{ user {{ {USER} followers(first: 2) {{ edges {{ cursor }} }} }} {ERRORS} }} }}", {"u": "carol"}),
    (f"mutation ($u: ID!) {{ unfollow(input: {{userId: $u}}) {{ user {{ {USER} }} {ERRORS} }} }}", {"u": "bob"}),
    (f"mutation ($u: ID!) {{ follow(input: {{userId: $u}}) {{ user {{ {USER} }} {ERRORS} }} }}", {"u": "alice"}),
    (f"""mutation {{ publishPost(input: {{text: "A new one #cats @bob", topics: ["cats"], idempotencyKey: "p1"}}) {{
      post {{ id text topics {{ name }} author {{ {USER} }} likeCount viewerReaction auditStatus }} {ERRORS} }} }}""", {}),
    (f"""mutation {{ publishPost(input: {{text: "", idempotencyKey: "p2"}}) {{ post {{ id }} {ERRORS} }} }}""", {}),
    (f"""mutation ($e: ID!) {{ addComment(input: {{subjectId: $e, text: "Nice", idempotencyKey: "c1"}}) {{
      comment {{ id text author {{ {USER} }} likeCount replyCount subject {{ __typename }} }} {ERRORS} }} }}""", {"e": "Entity:video:v0"}),
    ('mutation { recordViews(input: {targetIds: ["Entity:video:v0"]}) { targets { id viewCount } userErrors { code } } }', {}),
]  # fmt: skip


async def ids_of(executors: ComparedExecutors) -> dict[str, str]:
    """Returns the ids of users by handle."""
    found = await executors.plain.person("alice").ask("{ bob: user(handle: \"bob\") { id } carol: user(handle: \"carol\") { id } alice: user(handle: \"alice\") { id } }")  # fmt: skip
    return {handle: user["id"] for handle, user in found.items()}


async def test_payloads_of_plans_are_equal_to_those_of_graphql_core(executors: ComparedExecutors) -> None:
    ids = await ids_of(executors)
    for query, variables in MUTATIONS:
        before = counted_plans()
        given = {name: ids.get(value, value) for name, value in variables.items()}
        with capture_logs():
            await executors.plain.person("alice").send(query, **given)  # now the mutation changes nothing for both
            compared = await executors.compare(query, "alice", **given)

        assert "data" in compared.planned.json(), str(compared)
        assert not compared.differs, str(compared)
        done = {what for what, now in counted_plans().items() if now > before.get(what, 0)}
        assert ("planned", "") in done, query
        assert done <= {("planned", ""), ("fallback", "off")}, query


async def test_a_mutation_runs_once_if_the_plan_of_its_payload_fails(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, like = executors.planned.person("alice"), LIKE.replace("unlike", "dislike")
    before, logged = counted_plans(), "SELECT count(*) FROM like_log"
    ((rows,),) = await executors.planned.rows(logged)

    async def fail(*_: Any) -> Any:
        raise RuntimeError("broken")

    with capture_logs(), monkeypatch.context() as patch:
        patch.setattr(Loaders, "_counts", fail)
        body = (await alice.send(like, e="Entity:video:v3")).json()
    await executors.planned.drain()

    assert {error["path"][0] for error in body["errors"]} == {"first", "dislike", "second"}
    assert all(error["extensions"]["code"] == "INTERNAL" for error in body["errors"])
    done = {what for what, now in counted_plans().items() if now > before.get(what, 0)}
    assert done == {("rerun", "exception")}
    assert await executors.planned.rows(logged) == [(rows + 3,)]
