"""setCommentPolicy: who may comment on a post or entity, who may change that, and what it costs."""

from typing import Any

import pytest

from tests.support.comment_policies import POLICY, SET_POLICY, policy_of, set_policy
from tests.support.comments import add, added, edit, text_of
from tests.support.costs import cost
from tests.support.follows import follow_people
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

RESTRICTED = [{"code": "COMMENTS_RESTRICTED", "field": ["subjectId"]}]
PAGE = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { text likeCount author { handle } %s } } }"
PERMITTED = {
    "EVERYONE": {"alice", "bob", "carol", "dave"},
    "FOLLOWED": {"alice", "bob"},
    "MENTIONED": {"alice", "carol"},
    "NOBODY": {"alice"},
}
"""Who may comment on the post of alice, who follows bob and mentions carol."""


async def scene(system: System) -> tuple[dict[str, Person], str]:
    """Returns people and the post of alice, who follows bob and mentions carol. dave follows alice."""
    people = {handle: system.person(handle) for handle in ("alice", "bob", "carol", "dave")}
    for person in people.values():
        await person.id()
    await follow_people(people["alice"], people["bob"])
    await follow_people(people["dave"], people["alice"])
    (post,) = await published(people["alice"], "hello @Carol")
    await system.drain()
    return people, post


async def comment(author: Person, subject: str, key: str) -> Any:
    return (await add(author, subject, "hello", key=key))["userErrors"]


@standalone
@pytest.mark.parametrize("policy", PERMITTED)
async def test_the_policy_of_a_post_decides_who_may_comment(system: System, policy: str) -> None:
    people, post = await scene(system)
    early = await added(people["dave"], post, "early")
    assert (await set_policy(people["alice"], post, policy))["userErrors"] == []
    await system.drain()

    for handle, person in people.items():
        permitted = handle in PERMITTED[policy]
        assert await policy_of(person, post) == (policy, permitted)
        assert await comment(person, post, policy) == ([] if permitted else RESTRICTED)
        reply = await add(person, post, "a reply", to=early, key=f"reply {policy}")
        assert reply["userErrors"] == ([] if permitted else RESTRICTED)
    assert await policy_of(system.person(None), post) == (policy, None)
    assert await text_of(people["carol"], early) == "early"
    assert (await edit(people["dave"], early, text="late"))["userErrors"] == []


@pytest.mark.parametrize(
    "text", ["only for @carolé", "ask carol@carol.com", "ask josé@carol.com", "https://x.y/?@carol"]
)
async def test_a_word_or_an_address_that_contains_a_handle_permits_no_comment(system: System, text: str) -> None:
    alice, carol = system.person("alice"), system.person("carol")
    await carol.id()
    (post,) = await published(alice, text)
    await set_policy(alice, post, "MENTIONED")
    await system.drain()

    assert await policy_of(carol, post) == ("MENTIONED", False)
    assert await comment(carol, post, "k") == RESTRICTED


async def test_the_author_sees_a_new_policy_at_once_and_others_after_the_commit(system: System) -> None:
    people, post = await scene(system)
    alice, bob = people["alice"], people["bob"]
    await policy_of(bob, post)

    payload = await set_policy(alice, post, "NOBODY")
    assert payload["subject"] == {"id": post, "commentPolicy": "NOBODY", "viewerCanComment": True}
    assert await policy_of(alice, post) == ("NOBODY", True)
    assert await policy_of(bob, post) == ("EVERYONE", True)
    await system.drain()
    assert await policy_of(bob, post) == ("NOBODY", False)

    for policy in ("FOLLOWED", "MENTIONED", "EVERYONE"):
        await set_policy(alice, post, policy)
    assert await policy_of(alice, post) == ("EVERYONE", True)
    await system.drain()
    assert [await policy_of(person, post) for person in (alice, bob)] == [("EVERYONE", True)] * 2


async def test_the_owner_of_an_entity_sets_its_policy(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, alice, bob = system.person("olga"), system.person("alice"), system.person("bob")
    await follow_people(olga, alice)

    assert (await set_policy(olga, video, "FOLLOWED"))["userErrors"] == []
    await system.drain()

    assert [await policy_of(one, video) for one in (olga, alice, bob)] == [
        ("FOLLOWED", True),
        ("FOLLOWED", True),
        ("FOLLOWED", False),
    ]
    assert [await comment(one, video, "k") for one in (olga, alice, bob)] == [[], [], RESTRICTED]
    refused = {"subject": None, "userErrors": [{"code": "INVALID", "field": ["policy"]}]}
    assert await set_policy(olga, video, "MENTIONED") == refused


@standalone
async def test_an_entity_without_owner_accepts_comments_of_everyone_and_no_policy(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, bob = system.person("olga"), system.person("bob")
    await set_policy(olga, video, "NOBODY")
    await system.drain()
    await system.person("registrar", "entities:write").ask(
        'mutation { registerEntities(entities: [{business: "video", key: "v1", owner: null}]) { userErrors { code } } }'
    )

    assert await policy_of(bob, video) == ("EVERYONE", True)
    assert await comment(bob, video, "k") == []
    assert (await set_policy(olga, video, "NOBODY"))["userErrors"] == [{"code": "NOT_ALLOWED", "field": ["subjectId"]}]


@standalone
async def test_only_the_author_or_owner_sets_the_policy(system: System) -> None:
    people, post = await scene(system)
    (video,) = await system.videos("v1", owner="alice")
    mia = system.person("mia", "moderate")

    for person in (people["bob"], mia):
        for subject in (post, video):
            payload = await set_policy(person, subject, "NOBODY")
            assert payload == {"subject": None, "userErrors": [{"code": "NOT_ALLOWED", "field": ["subjectId"]}]}
    for subject in ("Post:1", "Entity:video:none", await people["bob"].id()):
        payload = await set_policy(people["alice"], subject, "NOBODY")
        assert payload["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["subjectId"]}]
    variables = {"id": post, "policy": "NOBODY"}
    assert await system.person(None).errors(SET_POLICY, **variables) == [("UNAUTHENTICATED", ["setCommentPolicy"])]
    assert await people["alice"].errors(SET_POLICY, id="nonsense", policy="NOBODY") == [
        ("BAD_INPUT", ["setCommentPolicy"])
    ]
    await system.drain()
    assert await system.rows("SELECT * FROM comment_settings") == []


@standalone
async def test_a_repeated_change_does_not_undo_a_newer_one(system: System) -> None:
    people, post = await scene(system)
    alice = people["alice"]
    await set_policy(alice, post, "NOBODY", key="k")
    await system.drain()
    await set_policy(alice, post, "FOLLOWED")
    await system.drain()

    assert (await set_policy(alice, post, "NOBODY", key="k"))["subject"]["commentPolicy"] == "FOLLOWED"
    mismatch = await set_policy(alice, post, "EVERYONE", key="k")
    await system.drain()

    assert mismatch["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]
    assert await policy_of(alice, post) == ("FOLLOWED", True)


@standalone
async def test_a_comment_that_was_accepted_is_repeated_after_the_policy_forbids_it(system: System) -> None:
    people, post = await scene(system)
    first = await add(people["dave"], post, "hello", key="k")
    await system.drain()
    await set_policy(people["alice"], post, "NOBODY")
    await system.drain()

    again = await add(people["dave"], post, "hello", key="k")
    assert (again["comment"]["id"], again["userErrors"]) == (first["comment"]["id"], [])


@standalone
async def test_blocked_and_suspended_users_cannot_comment(system: System) -> None:
    (video,) = await system.videos("v1", owner="olga")
    olga, alice, bob = system.person("olga"), system.person("alice"), system.person("bob")
    block = "mutation ($id: ID!) { block(input: {userId: $id}) { userErrors { code } } }"
    await olga.ask(block, id=await alice.id())
    await suspend(moderator(system), await bob.id(), "READ_ONLY")

    assert [await policy_of(one, video) for one in (alice, bob)] == [("EVERYONE", False)] * 2
    assert (await set_policy(bob, (await published(system.person("olga"), "mine"))[0], "NOBODY"))["userErrors"]


@standalone
async def test_a_comment_under_a_policy_costs_no_more_round_trips(system: System) -> None:
    """Whether the author follows the viewer is read with the settings, if the process remembers the policy."""
    people, post = await scene(system)
    adding = """mutation ($id: ID!, $key: String!) {
      addComment(input: {subjectId: $id, text: "x", idempotencyKey: $key}) { comment { id } userErrors { code } } }"""
    trips = {}
    for policy in PERMITTED:
        await set_policy(people["alice"], post, policy)
        await system.drain()
        await policy_of(people["bob"], post)
        await people["bob"].ask(adding, id=post, key=f"warm {policy}")
        trips[policy], _ = await cost(people["bob"], adding, id=post, key=policy)

    assert trips == {"EVERYONE": 3, "FOLLOWED": 3, "MENTIONED": 2, "NOBODY": 2}


@standalone
async def test_a_page_that_shows_policies_costs_no_more_round_trips(system: System) -> None:
    people, _ = await scene(system)
    posts = await published(people["alice"], *(f"post {n}" for n in range(20)))
    await system.drain()
    for post, policy in zip(posts, [*PERMITTED] * 5, strict=True):
        await set_policy(people["alice"], post, policy)
    await system.drain()
    bob, plain, both = people["bob"], PAGE % "", PAGE % "commentPolicy viewerCanComment"
    nodes = (await bob.ask(both, ids=posts))["nodes"]
    assert [node["viewerCanComment"] for node in nodes[:4]] == [True, True, False, False]
    await bob.ask(plain, ids=posts)

    assert await cost(bob, plain, ids=posts) == (2, 0)
    assert await cost(bob, PAGE % "commentPolicy", ids=posts) == (2, 0)
    assert await cost(bob, both, ids=posts) == (2, 0)
    assert (await bob.ask(POLICY, id=posts[2]))["node"] == {"commentPolicy": "MENTIONED", "viewerCanComment": False}
