"""registerEntities: all users read the registered fields at once."""

import asyncio
from typing import Any

import pytest

from tests.support.registration import REGISTER, read, register, registrar
from tests.support.stored_state import unchanged
from tests.support.system import System

KNOWN = {"business": "video", "key": "v1", "title": "Old", "url": "https://example.com/v1", "commentsClosed": True}


async def test_a_new_entity_has_the_given_fields_and_defaults_for_the_others(system: System) -> None:
    answer = await register(registrar(system), KNOWN, {"business": "video", "key": "v2"})

    assert answer["userErrors"] == []
    assert answer["entities"] == [
        {**KNOWN, "id": "Entity:video:v1", "owner": None},
        {
            "id": "Entity:video:v2",
            "business": "video",
            "key": "v2",
            "title": None,
            "url": None,
            "commentsClosed": False,
            "owner": None,
        },
    ]


async def test_absent_fields_are_unchanged_null_clears_and_values_replace(system: System) -> None:
    anna = registrar(system)
    await system.videos("v0", owner="owen")
    await register(anna, {**KNOWN, "owner": {"externalId": "owen"}})
    identity = {"business": "video", "key": "v1"}
    before = {"title": "Old", "url": "https://example.com/v1", "commentsClosed": True, "owner": {"handle": "owen"}}
    assert await read(anna, "v1") == [before]

    await register(anna, identity)
    assert await read(anna, "v1") == [before]
    await register(anna, {**identity, "title": "New \n one", "commentsClosed": None})
    assert await read(anna, "v1") == [{**before, "title": "New one"}]
    await register(anna, {**identity, "url": None, "commentsClosed": False})
    assert await read(anna, "v1") == [{**before, "title": "New one", "url": None, "commentsClosed": False}]
    await register(anna, {**identity, "title": None, "owner": None})
    assert await read(anna, "v1") == [{"title": None, "url": None, "commentsClosed": False, "owner": None}]


async def test_an_owner_is_named_by_id_or_by_external_id(system: System) -> None:
    anna = registrar(system)
    data = await anna.ask('mutation { registerUsers(users: [{externalId: "ext|7", handle: "owen"}]) { users { id } } }')
    (owen,) = data["registerUsers"]["users"]

    for owner in ({"id": owen["id"]}, {"externalId": "ext|7"}, {"id": owen["id"], "externalId": None}):
        answer = await register(anna, {"business": "video", "key": "v1", "owner": owner})
        assert answer["entities"][0]["owner"] == {"handle": "owen"}
        await register(anna, {"business": "video", "key": "v1", "owner": None})


@pytest.mark.parametrize(
    "owner",
    [{"id": "User:7"}, {"externalId": "unknown"}, {"id": "Entity:video:v1"}, {"id": "Viewer:7"}],
    ids=["unknown id", "unknown external id", "an entity", "a viewer"],
)
async def test_an_unknown_owner_refuses_the_whole_registration(system: System, owner: dict[str, str]) -> None:
    anna = registrar(system)
    await register(anna, KNOWN)

    async with unchanged(system):
        answer = await register(anna, {**KNOWN, "title": "New"}, {"business": "video", "key": "v2", "owner": owner})

    assert answer == {
        "entities": None,
        "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["entities", "1", "owner"]}],
    }


@pytest.mark.parametrize("owner", [{}, {"id": None, "externalId": None}, {"id": "User:7", "externalId": "7"}], ids=repr)
async def test_an_owner_is_named_in_exactly_one_way(system: System, owner: dict[str, Any]) -> None:
    anna = registrar(system)
    await anna.ask("{ viewer { id } }")

    async with unchanged(system):
        errors = await anna.errors(REGISTER, e=[{"business": "video", "key": "v1", "owner": owner}])

    assert errors == [("BAD_INPUT", ["registerEntities"])]


@pytest.mark.parametrize(
    ("bad", "code", "field"),
    [
        ({"title": "a" * 501}, "TEXT_TOO_LONG", ["entities", "1", "title"]),
        ({"url": "javascript:alert(1)"}, "INVALID", ["entities", "1", "url"]),
        ({"key": "v1"}, "INVALID", ["entities"]),
    ],
    ids=["a long title", "a bad url", "named twice"],
)
async def test_an_invalid_entity_refuses_the_whole_registration(
    system: System, bad: dict[str, str], code: str, field: list[str]
) -> None:
    anna = registrar(system)
    await register(anna, KNOWN)

    async with unchanged(system):
        answer = await register(anna, {**KNOWN, "title": "New"}, {"business": "video", "key": "v2"} | bad)

    assert answer == {"entities": None, "userErrors": [{"code": code, "field": field}]}
    assert (await read(anna, "v1", "v2"))[0]["title"] == "Old"


async def test_a_repeated_registration_changes_and_creates_nothing(system: System) -> None:
    anna = registrar(system)
    first = await register(anna, KNOWN)
    ids = await system.rows("SELECT entity_id FROM entities")

    again = await register(anna, KNOWN)

    assert again == first
    assert await system.rows("SELECT entity_id FROM entities") == ids


async def test_a_hundred_entities_of_one_request_are_returned_in_order(system: System) -> None:
    inputs = [{"business": "video", "key": f"k{(i * 37) % 100}", "title": str(i)} for i in range(100)]

    answer = await register(registrar(system), *inputs)

    assert [(entity["key"], entity["title"]) for entity in answer["entities"]] == [
        (entity["key"], entity["title"]) for entity in inputs
    ]


async def test_concurrent_registrations_of_the_same_new_keys_create_one_entity_per_key(system: System) -> None:
    people = [system.person(name, "entities:write") for name in ("anna", "bert", "cleo", "dora")]
    await asyncio.gather(*[person.ask("{ viewer { id } }") for person in people])
    keys = [f"k{i}" for i in range(20)]

    answers = await asyncio.gather(
        *[
            register(person, *[{"business": "video", "key": key, "title": person.handle} for key in order])
            for person, order in zip(people, (keys, keys[::-1], keys, keys[::-1]), strict=True)
        ]
    )

    assert all(answer["userErrors"] == [] for answer in answers)
    assert await system.rows("SELECT count(*), count(DISTINCT entity_id) FROM entities") == [(20, 20)]
    registered, claimed = [
        sorted(await system.rows(f"SELECT business_id, entity_id, key FROM {table}"))  # noqa: S608 - constants
        for table in ("entities", "entity_keys")
    ]
    assert registered == claimed
    rows = dict(await system.rows("SELECT key, title FROM entities"))
    assert [entity["title"] for entity in await read(people[0], *keys)] == [rows[key] for key in keys]


async def test_an_entity_is_found_at_once_after_an_earlier_failed_lookup(system: System) -> None:
    anna, bob = registrar(system), system.person("bob")
    assert await read(bob, "v1") == [None]

    await register(anna, KNOWN)

    assert [entity["title"] for entity in await read(bob, "v1")] == ["Old"]
    assert (await bob.like("Entity:video:v1"))["userErrors"] == []


async def test_a_list_never_shows_an_entity_older_than_its_registration(system: System) -> None:
    anna, bob = registrar(system), system.person("bob")
    (video,) = await system.videos("v1")
    await bob.like(video)
    liked = '{ viewer { user { likes(business: "video") { nodes { ... on Entity { title } } } } } }'
    assert (await bob.ask(liked))["viewer"]["user"]["likes"]["nodes"] == [{"title": "v1"}]

    for title in ("New", "Newer"):
        await register(anna, {"business": "video", "key": "v1", "title": title})
        assert (await bob.ask(liked))["viewer"]["user"]["likes"]["nodes"] == [{"title": title}]


async def test_entities_of_two_businesses_with_the_same_key_are_independent(system: System) -> None:
    anna, bob = registrar(system), system.person("bob")
    await register(anna, KNOWN, {"business": "article", "key": "v1", "title": "An article"})

    await bob.like("Entity:article:v1")
    await bob.ask('mutation { recordViews(input: {targetIds: ["Entity:video:v1"]}) { userErrors { code } } }')
    await system.drain()

    counts = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Entity { title likeCount viewCount viewerReaction } } }"
    nodes = await bob.ask(counts, ids=["Entity:video:v1", "Entity:article:v1", "Entity:tiny:v1"])
    assert nodes["nodes"] == [
        {"title": "Old", "likeCount": 0, "viewCount": 1, "viewerReaction": None},
        {"title": "An article", "likeCount": 1, "viewCount": 0, "viewerReaction": "LIKE"},
        None,
    ]
    likes = '{ viewer { user { video: likes(business: "video") %s article: likes(business: "article") %s } } }'
    lists = (await bob.ask(likes % (("{ nodes { id } }",) * 2)))["viewer"]["user"]
    assert lists == {"video": {"nodes": []}, "article": {"nodes": [{"id": "Entity:article:v1"}]}}
