"""Characters that the stores cannot hold: in variables, literals and headers."""

import json
from typing import Any

import pytest

from tests.api.text_arguments import PLACES, alice, as_variable, outcome
from tests.support.stored_state import unchanged
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


def as_literal(query: str, text: str) -> bytes:
    """Returns a request with `text` as a literal, written with GraphQL's escapes."""
    return json.dumps({"query": query % text}).encode()


@pytest.mark.parametrize("text", [r'"a\u0000b"', r'"\u001b[31mred"', r'"https://a.b/\u0007"'])
async def test_control_characters_are_refused_in_every_text(system: System, text: str) -> None:
    await system.videos("v1")
    person = alice(system)
    expected = {place: answer for place, (_, answer) in PLACES.items()}

    async with unchanged(system):
        variables = {p: await outcome(person, as_variable(p, query, text)) for p, (query, _) in PLACES.items()}
        literals = {p: await outcome(person, as_literal(query, text)) for p, (query, _) in PLACES.items()}

    assert variables == expected
    assert literals == expected


@pytest.mark.parametrize("text", [r'"\ud800"', r'"a\udfffb"', r'"\udc00\ud800"'])
async def test_unpaired_surrogates_are_refused_in_every_text(system: System, text: str) -> None:
    await system.videos("v1")
    person = alice(system)

    async with unchanged(system):
        variables = {p: await outcome(person, as_variable(p, query, text)) for p, (query, _) in PLACES.items()}
        literals = {p: await outcome(person, as_literal(query, text)) for p, (query, _) in PLACES.items()}

    assert variables == dict.fromkeys(PLACES, (400, ["BAD_INPUT"], []))
    assert literals == dict.fromkeys(PLACES, (400, ["GRAPHQL_PARSE_FAILED"], []))


async def test_a_raw_nul_in_a_query_is_refused(system: System) -> None:
    await system.videos("v1")
    person = alice(system)

    async with unchanged(system):
        answers = {place: await outcome(person, as_literal(query, '"a\0b"')) for place, (query, _) in PLACES.items()}

    assert answers == {place: answer for place, (_, answer) in PLACES.items()}


@pytest.mark.parametrize("header", ["x-device-id", "x-client-kind"])
@pytest.mark.parametrize("value", [b"a\0b", b"\x7f", b"\x85", b"a" * 129, b" a\x1f", b"\xa0"])
async def test_headers_without_a_valid_name_are_refused(system: System, header: str, value: bytes) -> None:
    (video,) = await system.videos("v1")
    person = alice(system)
    query = {"query": "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"}
    headers: list[tuple[bytes, bytes]] = [(name.encode(), sent.encode()) for name, sent in person.headers.items()]

    async with unchanged(system):
        response = await system.http.post(
            "/graphql", json={**query, "variables": {"id": video}}, headers=[*headers, (header.encode(), value)]
        )

    assert response.status_code == 400
    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["BAD_INPUT"]


async def test_text_of_every_script_is_returned_unchanged(system: System) -> None:
    person = alice(system)
    names = ["李梅", "Ünïcödé", "👩‍👩‍👧", "\U0010ffff", "بالعربية", "a\u0301", "'; DROP TABLE users; --", "%s %(x)s {}"]

    for name in names:
        payload: Any = await person.ask(
            "mutation ($n: String) { updateProfile(input: {displayName: $n, bio: $n}) { user { displayName bio } } }",
            n=name,
        )
        assert payload["updateProfile"]["user"] == {"displayName": name, "bio": name}
    profile = await system.person("bob").ask('{ user(handle: "alice") { displayName bio } }')
    assert profile["user"] == {"displayName": names[-1], "bio": names[-1]}


@pytest.mark.parametrize(("field", "longest"), [("displayName", 64), ("bio", 500)])
async def test_each_text_has_its_maximum_length(system: System, field: str, longest: int) -> None:
    person = alice(system)
    query = "mutation ($t: String) { updateProfile(input: {%s: $t}) { user { %s } userErrors { code field } } }"

    fits = await person.ask(query % (field, field), t="é" * longest)
    async with unchanged(system):
        refused = await person.ask(query % (field, field), t="é" * (longest + 1))

    assert fits["updateProfile"] == {"user": {field: "é" * longest}, "userErrors": []}
    assert refused["updateProfile"] == {"user": None, "userErrors": [{"code": "TEXT_TOO_LONG", "field": [field]}]}


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//a.b", "ftp://a.b", "http://", "https://a b", "https://a/<b>", "x"]
)
async def test_urls_must_be_http_or_https(system: System, address: str) -> None:
    person = alice(system)
    await system.videos("v1")

    async with unchanged(system):
        profile = await person.ask(
            "mutation ($a: String) { updateProfile(input: {avatarUrl: $a}) { userErrors { code field } } }", a=address
        )
        entity = await person.ask(
            """mutation ($a: String) { registerEntities(entities: [{business: "video", key: "v1", url: $a}]) {
                 userErrors { code field } } }""",
            a=address,
        )

    assert profile["updateProfile"]["userErrors"] == [{"code": "IMAGE_NOT_ALLOWED", "field": ["avatarUrl"]}]
    assert entity["registerEntities"]["userErrors"] == [{"code": "INVALID", "field": ["entities", "0", "url"]}]
