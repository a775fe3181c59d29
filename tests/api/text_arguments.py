"""Arguments of type text, and requests that use them."""

import json

from tests.support.system import Person, System

Answer = tuple[int, list[str], list[str]]
"""Status, codes of errors, and codes of user errors."""


BAD_INPUT: Answer = (200, ["BAD_INPUT"], [])


PLACES: dict[str, tuple[str, Answer]] = {
    "an id": ("{ node(id: %s) { id } }", BAD_INPUT),
    "a handle": ("{ user(handle: %s) { id } }", BAD_INPUT),
    "an external id": ("{ users(externalIds: [%s]) { id } }", BAD_INPUT),
    "a key": ('{ entity(business: "video", key: %s) { id } }', BAD_INPUT),
    "a business": ('{ entity(business: %s, key: "v1") { id } }', BAD_INPUT),
    "a target": ("mutation { like(input: {targetId: %s}) { userErrors { code } } }", BAD_INPUT),
    "a source": (
        'mutation { like(input: {targetId: "Entity:video:v1", source: %s}) { userErrors { code } } }',
        BAD_INPUT,
    ),
    "an idempotency key": (
        'mutation { like(input: {targetId: "Entity:video:v1", idempotencyKey: %s}) { userErrors { code } } }',
        BAD_INPUT,
    ),
    "a viewed target": ("mutation { recordViews(input: {targetIds: [%s]}) { userErrors { code } } }", BAD_INPUT),
    "a new handle": ("mutation { updateProfile(input: {handle: %s}) { userErrors { code } } }", (200, [], ["INVALID"])),
    "a display name": (
        "mutation { updateProfile(input: {displayName: %s}) { userErrors { code } } }",
        (200, [], ["TEXT_INVALID"]),
    ),
    "a bio": ("mutation { updateProfile(input: {bio: %s}) { userErrors { code } } }", (200, [], ["TEXT_INVALID"])),
    "an avatar": (
        "mutation { updateProfile(input: {avatarUrl: %s}) { userErrors { code } } }",
        (200, [], ["IMAGE_NOT_ALLOWED"]),
    ),
    "a title": (
        'mutation { registerEntities(entities: [{business: "video", key: "v1", title: %s}]) { userErrors { code } } }',
        (200, [], ["TEXT_INVALID"]),
    ),
    "an address": (
        'mutation { registerEntities(entities: [{business: "video", key: "v1", url: %s}]) { userErrors { code } } }',
        (200, [], ["INVALID"]),
    ),
    "an owner's external id": (
        """mutation { registerEntities(entities: [{business: "video", key: "v1", owner: {externalId: %s}}]) {
             userErrors { code } } }""",
        BAD_INPUT,
    ),
    "an owner's id": (
        """mutation { registerEntities(entities: [{business: "video", key: "v1", owner: {id: %s}}]) {
             userErrors { code } } }""",
        BAD_INPUT,
    ),
    "a registered external id": (
        "mutation { registerUsers(users: [{externalId: %s}]) { userErrors { code } } }",
        BAD_INPUT,
    ),
    "a registered name": (
        'mutation { registerUsers(users: [{externalId: "n", displayName: %s}]) { userErrors { code } } }',
        (200, [], ["TEXT_INVALID"]),
    ),
    "a registered handle": (
        'mutation { registerUsers(users: [{externalId: "n", handle: %s}]) { userErrors { code } } }',
        (200, [], ["INVALID"]),
    ),
}


TYPES = {"an id": "ID!", "a target": "ID!", "a viewed target": "ID!", "an owner's id": "ID!"}


def alice(system: System) -> Person:
    return system.person("alice", "entities:write", "users:write")


async def outcome(person: Person, body: bytes) -> Answer:
    headers = {**person.headers, "content-type": "application/json"}
    response = await person.http.post("/graphql", content=body, headers=headers)
    answer = response.json()
    payloads = [value for value in (answer.get("data") or {}).values() if isinstance(value, dict)]
    refused = [error["code"] for payload in payloads for error in payload.get("userErrors", [])]
    return response.status_code, [error["extensions"]["code"] for error in answer.get("errors", [])], refused


def as_variable(place: str, query: str, text: str) -> bytes:
    """Returns a request with `text` as a variable in JSON."""
    kind = TYPES.get(place, "String!")
    operation, _, rest = query.partition("{") if not query.startswith("mutation") else ("mutation ", "", query[9:])
    declared = f"{operation.strip() or 'query'} ($text: {kind}) {{{rest.removeprefix('{') % '$text'}"
    return b'{"query": %s, "variables": {"text": %s}}' % (json.dumps(declared).encode(), text.encode())
