"""Rules of requests also hold for subscriptions, over WebSocket and SSE."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from settings import AnonymousSettings, LimitSettings, RoleSettings, Settings
from store.content.entities import Registration
from tests.support.persisted_operations import apollo, manifest, sha
from tests.support.subscriptions import WATCH, Live, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
Outcome = str | None
"""The error code of a refused subscription, or None."""

FEW = LimitSettings(
    user=RoleSettings(points=1000, points_per_second=0.001, cost=1000),
    anonymous=AnonymousSettings(points=1000, points_per_second=0.001, cost=1000),
)


async def over_socket(live: Live, handle: str | None, payload: dict[str, Any]) -> Outcome:
    async with live.socket(handle) as socket:
        await socket.send(id="1", type="subscribe", payload=payload)
        message = await socket.receive()
    if message["type"] == "error":
        return str(message["payload"][0]["extensions"]["code"])
    assert message["payload"]["data"]["reactableChanged"]["id"]
    return None


async def over_stream(live: Live, handle: str | None, payload: dict[str, Any]) -> Outcome:
    changes = {"query": None, "variables": None, **payload}
    async with live.stream([], handle, **changes) as stream:
        event = await stream.event()
    assert event
    if "errors" in event[1]:
        return str(event[1]["errors"][0]["extensions"]["code"])
    assert event[1]["data"]["reactableChanged"]["id"]
    return None


ROADS = pytest.mark.parametrize("road", [over_socket, over_stream])


@ROADS
async def test_a_subscription_runs_by_each_of_its_names(make_settings: Make, tmp_path: Path, road: Any) -> None:
    settings = make_settings(port=0, persisted_only=True, persisted_manifests=(manifest(tmp_path, watch=WATCH),))
    async with serving(settings) as live:
        variables = {"ids": await live_video(live)}
        ways: dict[str, dict[str, Any]] = {
            "documentId": {"documentId": f"sha256:{sha(WATCH)}"},
            "doc_id": {"doc_id": "watch"},
            "Apollo's": {"extensions": apollo(sha(WATCH))},
            "its own text": {"query": WATCH},
        }
        outcomes = {name: await road(live, None, {**way, "variables": variables}) for name, way in ways.items()}
        other = await road(live, None, {"query": WATCH.replace("likeCount", ""), "variables": variables})
        unknown = await road(live, None, {"documentId": f"sha256:{sha('')}", "variables": variables})

    assert outcomes == dict.fromkeys(ways)
    assert (other, unknown) == ("PERSISTED_QUERY_ONLY", "PERSISTED_QUERY_NOT_FOUND")


@ROADS
async def test_a_subscription_is_charged(make_settings: Make, road: Any) -> None:
    async with serving(make_settings(port=0, limits=FEW)) as live:
        payload = {"query": WATCH, "variables": {"ids": await live_video(live)}}
        outcomes = [await road(live, "alice", payload)]
        while outcomes[-1] != "RATE_LIMITED" and len(outcomes) < 100:
            outcomes.append(await road(live, "alice", {"query": "subscription {"}))
        rest = [await road(live, "alice", payload) for _ in range(20)]  # leaves less than a bad document costs
        other_user = await road(live, "bob", payload)

    assert outcomes[0] is None
    assert set(outcomes[1:-1]) == {"GRAPHQL_PARSE_FAILED"}
    assert (outcomes[-1], rest[-1]) == ("RATE_LIMITED", "RATE_LIMITED")
    assert other_user is None


@ROADS
@pytest.mark.parametrize("plans", [True, False])
async def test_events_are_equal_with_and_without_compiled_plans(make_settings: Make, road: Any, plans: bool) -> None:
    async with serving(make_settings(port=0, compiled_plans=plans)) as live:
        ids = await live_video(live)
        await live.person("alice").like(ids[0])
        query = """subscription ($ids: [ID!]!, $yes: Boolean = true) { watched: reactableChanged(ids: $ids) {
          __typename id likeCount @include(if: $yes) dislikeCount @skip(if: $yes) ...More
          ... on Entity { title owner { handle } likers(first: 2) { nodes { handle } } } } }
          fragment More on Reactable { viewerReaction likedByFollowed { id } }"""
        seen = await first_answer(live, road, {"query": query, "variables": {"ids": ids}})
        lost = WATCH.replace("likeCount", 'likers(after: "nowhere") { nodes { id } }')
        bad = await first_answer(live, road, {"query": lost, "variables": {"ids": ids}})

    assert seen["data"] == {
        "watched": {
            "__typename": "Entity", "id": ids[0], "likeCount": 1, "viewerReaction": "LIKE", "likedByFollowed": [],
            "title": "v1", "owner": None, "likers": {"nodes": [{"handle": "alice"}]},
        }
    }  # fmt: skip
    assert bad["data"] == {"reactableChanged": {"id": ids[0], "likers": None, "viewerReaction": "LIKE"}}
    assert [(error["path"], error["extensions"]["code"]) for error in bad["errors"]] == [
        (["reactableChanged", "likers"], "BAD_CURSOR")
    ]


async def first_answer(live: Live, road: Any, payload: dict[str, Any]) -> dict[str, Any]:
    """Returns the first event in full, as alice receives it."""
    if road is over_socket:
        async with live.socket("alice") as socket:
            await socket.send(id="1", type="subscribe", payload=payload)
            answer: dict[str, Any] = (await socket.receive())["payload"]
            return answer
    async with live.stream([], "alice", **payload) as stream:
        event = await stream.event()
        assert event
        return dict(event[1])


async def live_video(live: Live) -> list[str]:
    """Registers a video without the API, because lockdown refuses the mutation. Returns its id."""
    one = Registration(100, "v1", live.state.new_id(), False, None, True, "v1", False, None, None)
    async with live.state.postgres.transaction() as transaction:
        await live.state.entities.register(transaction, [one])
    return ["Entity:video:v1"]
