"""A failing field leaves other fields intact, and its error is masked."""

import pytest

from tests.support.broken_database import MASKED, missing
from tests.support.logs import capture_logs
from tests.support.metrics import metric
from tests.support.system import System


def internal_errors() -> float:
    return metric("errors_total", code="INTERNAL")


async def test_a_failing_like_does_not_affect_another_like_of_the_document(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")

    response = await alice.send(
        """mutation ($id: ID!) {
             bad: like(input: {targetId: "no id"}) { userErrors { code } }
             good: like(input: {targetId: $id}) { target { id likeCount } userErrors { code } }
             unknown: like(input: {targetId: "Entity:video:v2"}) { target { id } userErrors { code } } }""",
        id=video,
    )

    assert response.status_code == 200
    body = response.json()
    assert body["data"] == {
        "bad": None,
        "good": {"target": {"id": video, "likeCount": 1}, "userErrors": []},
        "unknown": {"target": None, "userErrors": [{"code": "TARGET_NOT_FOUND"}]},
    }
    assert [(error["path"], error["extensions"]["code"]) for error in body["errors"]] == [(["bad"], "BAD_INPUT")]


async def test_root_fields_fail_independently(system: System) -> None:
    (video,) = await system.videos("v1")

    body = (
        await system.person(None).send(
            """{ node(id: "no id") { id } entity(business: "video", key: "v1") { id }
                 user(handle: "!") { id } viewer { id } }"""
        )
    ).json()

    assert body["data"] == {"node": None, "entity": {"id": video}, "user": None, "viewer": None}
    assert sorted(error["path"][0] for error in body["errors"]) == ["node", "user"]


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_an_internal_error_is_masked_and_its_parent_is_returned(system: System) -> None:
    videos = await system.videos("v1", "v2")
    alice = system.person("alice")
    await alice.ask("{ viewer { id } }")

    async with missing(system, "counters"):
        with capture_logs() as logs:
            response = await alice.send(
                "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Entity { likeCount title } } }", ids=videos
            )

    body = response.json()
    assert response.status_code == 200
    assert body["data"]["nodes"] == [{"id": id_, "likeCount": None, "title": id_[-2:]} for id_ in videos]
    assert [error["message"] for error in body["errors"]] == [MASKED] * 2
    assert [error["extensions"] for error in body["errors"]] == [{"code": "INTERNAL"}] * 2
    assert "counters" not in response.text
    (entry,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert "counters" in str(entry["exc_info"])
    assert entry["path"] == "nodes.0.likeCount"


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_an_internal_error_before_execution_is_masked(system: System) -> None:
    before = internal_errors()

    async with missing(system, "identities"):
        with capture_logs() as logs:
            response = await system.person("alice").send("{ viewer { id } }")

    assert response.status_code == 500
    assert response.json() == {"errors": [{"message": MASKED, "extensions": {"code": "INTERNAL"}}]}
    (entry,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert "identities" in str(entry["exc_info"])
    assert internal_errors() == before + 1


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_expected_errors_are_not_logged(system: System) -> None:
    with capture_logs() as logs:
        await system.person("alice").send('{ node(id: "no id") { id } }')
        await system.person(None).send("{ nothing }")
        await system.person("alice").like("Entity:video:unknown")

    assert logs == []
