"""Saves, collections, pins, policies, custom data and comments, as a part of the seeded data."""

from collections.abc import Mapping, Sequence

from tests.support.collections import created, save_into
from tests.support.comment_policies import set_policy
from tests.support.comments import added, delete, edit
from tests.support.pinned_comments import pin
from tests.support.pinned_posts import pin_all
from tests.support.saves import save
from tests.support.system import Person, System

CUSTOM = {"plan": "pro", "scores": [1, 2.5, None, True], "nested": {"é": {"b": [{}]}}}
UPSERT = "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }"
REGISTER = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { code } } }"
EDIT_POST = "mutation ($input: EditPostInput!) { editPost(input: $input) { userErrors { code } } }"


async def add_favourites(
    system: System, people: Mapping[str, Person], things: Mapping[str, str], posts: Sequence[str]
) -> list[str]:
    """Adds the data and stores it. `things` are the ids of the entities by key, `posts` those of the posts, the first
    two of which alice wrote. Returns the ids of the comments and collections.
    """
    alice, bob = people["alice"], people["bob"]
    comments = await _comments(system, people, things, posts)
    await pin_all(alice, *posts[:2])
    for commented in (comments[0], comments[4]):
        assert (await pin(alice, commented))["userErrors"] == []
    policies = {things["v0"]: "FOLLOWED", things["v2"]: "NOBODY", posts[0]: "FOLLOWED", posts[1]: "MENTIONED"}
    for subject, policy in policies.items():
        assert (await set_policy(alice, subject, policy))["userErrors"] == []
    collections = [await created(alice, "later"), await created(alice, "shown", public=True)]
    collections.append(await created(bob, "empty", public=True))
    await save(alice, things["v0"], things["a0"], posts[2], comments[1])
    await save_into(alice, collections[0], things["v1"], posts[0])
    await save_into(alice, collections[1], things["v2"], posts[3], comments[0], comments[2])
    await save(bob, things["v0"], posts[0])
    await _set_custom(system, people, posts[1], comments[1])
    await system.drain()
    assert (await delete(people["carol"], comments[2]))["userErrors"] == []  # alice's save and dan's reply stay
    await system.drain()
    return [*comments, *collections]


async def _comments(
    system: System, people: Mapping[str, Person], things: Mapping[str, str], posts: Sequence[str]
) -> list[str]:
    """Returns three comments and two replies on the first post, the last reply to carol's comment, and one comment on a
    video.
    """
    bob, carol, dan = people["bob"], people["carol"], people["dan"]
    roots = [
        await added(bob, posts[0], "Nice"),
        await added(dan, posts[0], "Where?"),
        await added(carol, posts[0], "早"),
    ]
    await system.drain()
    more = [await added(carol, posts[0], "There", roots[1])]
    more += [await added(bob, things["v0"], "Zero"), await added(dan, posts[0], "Good", roots[2])]
    await system.drain()
    return [*roots, *more]


async def _set_custom(system: System, people: Mapping[str, Person], post: str, comment: str) -> None:
    """Sets the custom data of alice, of a video, of alice's post and of dan's comment."""
    service = system.person("registrar", "users:write", "entities:write")
    users = await service.ask(UPSERT, u=[{"externalId": "alice", "custom": CUSTOM}])
    entities = await service.ask(REGISTER, e=[{"business": "video", "key": "v1", "custom": CUSTOM}])
    edited = await people["alice"].ask(EDIT_POST, input={"postId": post, "custom": CUSTOM})
    assert not any(payload["userErrors"] for one in (users, entities, edited) for payload in one.values())
    assert (await edit(people["dan"], comment, custom=CUSTOM))["userErrors"] == []
