"""Subscriptions that are invalid, too expensive, or to missing objects are refused, and the connection stays open."""

from typing import Any

import pytest

from tests.support.subscriptions import WATCH, Live

UNKNOWN: dict[str, list[str]] = {
    "no id": ["v1"],
    "an unknown id": ["Entity:video:unknown"],
    "an unknown business": ["Entity:nothing:v1"],
    "a person": ["User:7"],
    "none": [],
    "too many": ["Entity:video:v1"] * 101,
    "a valid id and an unknown id": ["Entity:video:v1", "Entity:video:unknown"],
}


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_ids_of_missing_objects_are_refused(live: Live) -> None:
    await live.videos("v1")

    async with live.socket() as watcher:
        errors = {}
        for name, ids in UNKNOWN.items():
            await watcher.subscribe(ids, id_=name)
            message = await watcher.receive()
            errors[name] = message["id"], message["type"], *codes(message["payload"])

    assert errors == {name: (name, "error", "BAD_INPUT") for name in UNKNOWN}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a query": ({"query": "{ viewer { id } }"}, "BAD_INPUT"),
    "a mutation": ({"query": 'mutation { unlike(input: {targetId: "x"}) { userErrors { code } } }'}, "BAD_INPUT"),
    "no query": ({}, "BAD_INPUT"),
    "a typing error": ({"query": "subscription {"}, "GRAPHQL_PARSE_FAILED"),
    "an unknown field": ({"query": "subscription { nothing { id } }"}, "GRAPHQL_VALIDATION_FAILED"),
    "two fields": (
        {"query": "subscription { a: reactableChanged(ids: []) { id } b: reactableChanged(ids: []) { id } }"},
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "introspection": ({"query": "subscription { __schema { description } }"}, "GRAPHQL_VALIDATION_FAILED"),
    "a variable missing": (
        {"query": "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id } }"},
        "BAD_INPUT",
    ),
    "an unknown name": ({"query": WATCH, "operationName": "B"}, "BAD_INPUT"),
    "too expensive": (
        {"query": "subscription { reactableChanged(ids: []) { likers(first: 100) { nodes {"
                  " followers(first: 100) { nodes { followers(first: 100) { nodes { id } } } } } } } }"},
        "QUERY_TOO_EXPENSIVE",
    ),
    "variables that are too large": ({"query": WATCH, "variables": {"ids": ["x" * 17_000]}}, "QUERY_TOO_EXPENSIVE"),
    "too many aliases": (
        {"query": f"subscription {{ reactableChanged(ids: []) {{ {' '.join(f'a{n}: id' for n in range(300))} }} }}"},
        "QUERY_TOO_EXPENSIVE",
    ),
}  # fmt: skip


def codes(errors: list[dict[str, Any]]) -> list[str]:
    return [error["extensions"]["code"] for error in errors]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_an_invalid_or_expensive_subscription_is_refused_and_the_connection_stays_open(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.socket("alice") as watcher:
        errors = {}
        for name, (payload, _) in REFUSED.items():
            await watcher.send(id=name, type="subscribe", payload=payload)
            message = await watcher.receive()
            errors[name] = message["id"], message["type"], *codes(message["payload"])
        await watcher.subscribe([video])
        assert (await watcher.value())["id"] == video

    assert errors == {name: (name, "error", code) for name, (_, code) in REFUSED.items()}
