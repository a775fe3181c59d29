"""A service acts for a user: the scope `act` and the header X-Plaudit-User."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from identity import auth
from settings import LimitSettings, Rate, RoleSettings, Settings
from settings.limits import AddressSettings
from tests.support.comments import added
from tests.support.costs import cost
from tests.support.follows import follow
from tests.support.posts import published
from tests.support.stored_state import unchanged
from tests.support.system import Person, System, running

ME = "{ viewer { user { handle } } }"
QUEUE = "{ moderationQueue { nodes { id } } }"
LIKE_LOG = "SELECT user_id, host(ip), device, client FROM like_log ORDER BY version"


def acting(system: System, external_id: str, *scopes: str, **headers: str) -> Person:
    """Returns a service with the scope `act`, and others, that acts for a user."""
    return system.person("backend", "act", *scopes, plaudit_user=external_id, **headers)


async def existing(system: System, *names: str) -> list[int]:
    """Makes people sign in. Returns their numbers."""
    return [int((await system.person(name).id()).removeprefix("User:")) for name in names]


async def refusal(person: Person, query: str = ME) -> tuple[int, str]:
    """Returns the HTTP status and the error code of a request that is refused."""
    response = await person.send(query)
    (error,) = response.json()["errors"]
    return response.status_code, error["extensions"]["code"]


async def test_a_service_acts_as_the_user(system: System) -> None:
    (video,) = await system.videos("v1")
    await existing(system, "alice", "backend")

    assert (await acting(system, "alice").ask(ME))["viewer"]["user"] == {"handle": "alice"}
    assert (await acting(system, "alice").like(video))["target"]["viewerReaction"] == "LIKE"

    seen = await system.person("alice").ask(
        "query ($id: ID!) { node(id: $id) { ... on Entity { viewerReaction } } }", id=video
    )
    assert seen["node"] == {"viewerReaction": "LIKE"}


async def test_every_log_names_the_service_and_has_none_of_its_addresses(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob, backend = await existing(system, "alice", "bob", "backend")
    service = acting(system, "alice", device_id="phone-1", client_kind="ios")

    await service.like(video)
    await follow(service, f"User:{bob}")
    await published(acting(system, "alice"), "hello")
    await added(acting(system, "alice"), video, "hi")
    await system.person("alice").unlike(video)
    await system.drain()

    origin = (None, "phone-1", f"act:{backend} ios")
    assert await system.rows(LIKE_LOG) == [(alice, *origin), (alice, "203.0.113.7", None, None)]
    assert await system.rows("SELECT user_id, host(ip), device, client FROM follow_log") == [(alice, *origin)]
    assert await system.rows("SELECT author_id, host(ip), device, client FROM posts") == [
        (alice, None, None, f"act:{backend}")
    ]
    assert await system.rows("SELECT author_id, host(ip), device, client FROM comment_contents") == [
        (alice, None, None, f"act:{backend}")
    ]


async def test_a_service_has_no_scopes_while_it_acts(system: System) -> None:
    await existing(system, "mia")
    service = acting(system, "mia", "moderate", "users:write", "users:read", "entities:write")

    for query in (
        QUEUE,
        'mutation { registerUsers(users: [{externalId: "x"}]) { userErrors { code } } }',
        'mutation { registerEntities(entities: [{business: "video", key: "v9"}]) { userErrors { code } } }',
        '{ users(externalIds: ["mia"]) { id } }',
    ):
        assert [code for code, _ in await service.errors(query)] == ["FORBIDDEN"]


async def test_a_restriction_to_businesses_holds_for_the_user(system: System) -> None:
    (video,) = await system.videos("v1")
    await existing(system, "alice", "backend")
    token = auth.mint(system.settings, "backend", scopes=["act"], businesses=["article"])
    service = Person(system.http, "", {"authorization": f"Bearer {token}", "x-plaudit-user": "alice"})

    assert await service.errors('mutation { updateProfile(input: {bio: "x"}) { userErrors { code } } }') == [
        ("FORBIDDEN", None)
    ]
    body = (
        await service.send("mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }", id=video)
    ).json()
    assert [error["extensions"]["code"] for error in body["errors"]] == ["FORBIDDEN"]


async def test_only_services_act_and_only_for_known_users_of_their_issuer(system: System) -> None:
    await existing(system, "alice", "backend", "mia")
    mia = system.person("mia", "moderate", "users:write", plaudit_user="alice")

    async with unchanged(system):
        assert await refusal(mia) == (403, "FORBIDDEN")
        assert await refusal(system.person("alice", plaudit_user="alice")) == (403, "FORBIDDEN")
        assert await refusal(system.person(None, plaudit_user="alice")) == (401, "UNAUTHENTICATED")
        for unknown in ("nobody", "alice ", "a" * 256, "%00", "%ff", "%ED%A0%80", ""):
            assert await refusal(acting(system, unknown)) == (400, "BAD_INPUT"), unknown


async def test_a_user_of_another_issuer_is_unknown(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(jwt_issuer=("https://plaudit.local", "https://other.example"))) as system:
        await existing(system, "alice")
        other = system.settings.model_copy(update={"jwt_issuer": ("https://other.example",)})
        headers = {"authorization": f"Bearer {auth.mint(other, 'backend', scopes=['act'])}", "x-plaudit-user": "alice"}

        assert await refusal(Person(system.http, "", headers)) == (400, "BAD_INPUT")


async def test_an_external_id_is_percent_encoded(system: System) -> None:
    name = "auth0|李 100%"
    service = system.person("backend", "users:write")
    await service.ask(
        "mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { userErrors { code } } }",
        u=[{"externalId": name, "handle": "limei"}],
    )

    for sent in ("auth0|%E6%9D%8E%20100%25", "auth0%7C%E6%9D%8E 100%25"):
        assert (await acting(system, sent).ask(ME))["viewer"]["user"] == {"handle": "limei"}


async def test_the_header_must_be_sent_once(system: System) -> None:
    await existing(system, "alice", "backend")
    token = acting(system, "alice").headers["authorization"]
    headers = httpx.Headers([("authorization", token), ("x-plaudit-user", "alice"), ("x-plaudit-user", "bob")])

    response = await system.http.post("/graphql", json={"query": ME}, headers=headers)

    assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (400, "BAD_INPUT")


async def test_a_client_kind_cannot_pretend_to_be_a_service(system: System) -> None:
    assert await refusal(system.person("alice", client_kind="act:7")) == (400, "BAD_INPUT")


async def test_no_cache_keeps_what_a_service_reads_for_a_user(system: System) -> None:
    await system.videos("v1")
    await existing(system, "alice", "backend")
    query = {"query": '{ entity(business: "video", key: "v1") { likeCount } }'}

    answer = await system.http.get("/graphql", params=query, headers=acting(system, "alice").headers)

    assert answer.json()["data"] == {"entity": {"likeCount": 0}}
    assert answer.headers["cache-control"] == "private, no-store"
    assert "X-Plaudit-User" in answer.headers["vary"].split(", ")
    assert "etag" not in answer.headers
    anonymous = await system.http.get("/graphql", params=query)
    assert anonymous.headers["cache-control"].startswith("public")
    assert "X-Plaudit-User" in anonymous.headers["vary"].split(", ")


async def test_pages_of_other_origins_may_not_send_the_header(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(cors_origins=["https://app.example"])) as system:
        asked = {
            "origin": "https://app.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization,x-plaudit-user",
        }
        assert (await system.http.options("/graphql", headers=asked)).status_code == 400
        asked["access-control-request-headers"] = "authorization"
        assert (await system.http.options("/graphql", headers=asked)).status_code == 200


async def test_a_suspended_user_cannot_write_through_a_service(system: System) -> None:
    (video,) = await system.videos("v1")
    (alice, _) = await existing(system, "alice", "backend")
    await system.person("mia", "moderate").ask(
        """mutation ($id: ID!) { suspendUser(input: {userId: $id, mode: READ_ONLY, reason: "no"}) {
             userErrors { code } } }""",
        id=f"User:{alice}",
    )

    assert [error["code"] for error in (await acting(system, "alice").like(video))["userErrors"]] == ["SUSPENDED"]


async def test_the_user_and_the_service_share_idempotency_keys(system: System) -> None:
    (video,) = await system.videos("v1")
    await existing(system, "alice", "backend")

    await acting(system, "alice").like(video, "k1")
    await system.person("alice").unlike(video)
    again = await system.person("alice").like(video, "k1")

    assert again["userErrors"] == []
    assert again["target"]["viewerReaction"] is None


async def test_two_services_that_act_for_one_user_at_once_count_once(system: System) -> None:
    (video,) = await system.videos("v1")
    await existing(system, "alice", "backend", "other")
    other = system.person("other", "act", plaudit_user="alice")

    await asyncio.gather(*[person.like(video) for person in (acting(system, "alice"), other) for _ in range(5)])
    await system.drain()

    assert (await acting(system, "alice").like(video))["target"]["likeCount"] == 1


async def test_writes_count_for_the_user_and_for_the_service(make_settings: Callable[..., Settings]) -> None:
    few, more = Rate(burst=2, per_minute=0.1), Rate(burst=3, per_minute=0.1)
    limits = LimitSettings(
        user=RoleSettings(writes={"reactions": few}), act=AddressSettings(writes={"reactions": more}), device=None
    )
    async with running(make_settings(limits=limits)) as system:
        videos = await system.videos("v1", "v2", "v3")
        await existing(system, "alice", "bob", "backend")

        async def like(person: Person, video: str) -> Any:
            query = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
            body = (await person.send(query, id=video)).json()
            return [error["extensions"]["code"] for error in body.get("errors", ())]

        alice, bob = acting(system, "alice"), acting(system, "bob")
        assert [await like(alice, video) for video in videos] == [[], [], ["RATE_LIMITED"]]
        assert await like(system.person("alice"), videos[2]) == ["RATE_LIMITED"]
        assert [await like(bob, video) for video in videos[:2]] == [[], ["RATE_LIMITED"]]
        assert await like(system.person("bob"), videos[1]) == []


async def test_acting_costs_no_round_trip_once_the_process_knows_the_user(system: System) -> None:
    await existing(system, "alice", "backend")
    service = acting(system, "alice")
    await service.ask(ME)

    assert await cost(service, ME) == await cost(system.person("alice"), ME)
