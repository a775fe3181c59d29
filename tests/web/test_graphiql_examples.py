"""The example tabs of GraphiQL work, because new users run them first."""

import json
import re
from contextlib import aclosing
from pathlib import Path
from typing import Any

import orjson
import pytest
from graphql import OperationDefinitionNode, OperationType, parse

import web
from api import messages
from tests.support.stores import standalone
from tests.support.system import Person, System

SOURCE = (Path(web.__file__).parent / "assets" / "examples.js").read_text(encoding="utf-8")
TEXTS = dict(re.findall(r"^const (\w+) = `([^`]*)`;$", SOURCE, re.MULTILINE))
TABS = re.findall(r"^  \{ query: (\w+)(?:, variables: (\w+))? \},$", SOURCE, re.MULTILINE)


def operations(query: str) -> list[OperationDefinitionNode]:
    return [node for node in parse(query).definitions if isinstance(node, OperationDefinitionNode)]


def test_every_example_text_is_in_a_tab() -> None:
    assert [name for tab in TABS for name in tab if name] == list(TEXTS)


@pytest.mark.parametrize("query", [query for query, _ in TABS])
def test_every_operation_of_a_tab_has_a_name(query: str) -> None:
    # GraphiQL names the tab of an unnamed operation "<untitled>".
    assert all(operation.name for operation in operations(TEXTS[query]))


@pytest.mark.prove
@standalone
@pytest.mark.timeout(180)
async def test_every_operation_of_every_tab_has_a_response_in_the_seeded_community(system: System) -> None:
    await system.seed()
    alice, moderator = system.person("alice"), system.person("moderator", "moderate")
    answers: dict[str, Any] = {}

    for query, beside in TABS:
        variables = json.loads(TEXTS[beside]) if beside else {}
        for operation in operations(TEXTS[query]):
            assert operation.name
            wanted = {"query": TEXTS[query], "operationName": operation.name.value, "variables": variables}
            ask = _watched if operation.operation is OperationType.SUBSCRIPTION else _asked
            person = moderator if query == "moderation" else alice
            answers[operation.name.value] = (await ask(system, person, wanted)).values()
            _copy(operation.name.value, next(iter(answers[operation.name.value])), variables)

    assert list(answers) == [
        *("Video", "Like", "Unlike", "Page", "Person", "Follow", "Unfollow", "Home", "Publish", "Square"),
        *("HottestComments", "Comment", "Reply", "Delete", "Recommended", "Hot", "MostLikedOfTheWeek"),
        *("Notifications", "Read", "Watch", "Queue", "Decide"),
    ]
    _entities_are_liked_and_people_followed(answers)
    _posts_are_found(answers)
    _people_talk_and_are_notified(answers)
    (queue,), (decided,) = answers["Queue"], answers["Decide"]
    assert decided == {"target": {"id": queue["edges"][0]["node"]["id"]}, "userErrors": []}
    everything = await alice.ask("{ viewer { notifications(first: 100) { nodes { kind } } } }")
    kinds = {one["kind"] for one in everything["viewer"]["notifications"]["nodes"]}
    assert kinds >= {"COMMENT", "FOLLOW", "LIKE"}  # the newest ten may be of one kind


def _entities_are_liked_and_people_followed(answers: dict[str, Any]) -> None:
    (video,), (viewer, entities), (watched,) = (answers[name] for name in ("Video", "Page", "Watch"))
    assert video["likeCount"] > 0
    assert viewer["user"]["handle"] == "alice"
    assert [bool(entity) for entity in entities] == [True, True, True, False]
    assert watched["likeCount"] > 0
    for verb, field, outcome in (
        ("Like", "target", {"viewerReaction": "LIKE"}),
        ("Unlike", "target", {"viewerReaction": None}),
        ("Follow", "user", {"viewerRelation": "FRIENDS"}),
        ("Unfollow", "user", {"viewerRelation": "FOLLOWED_BY"}),
    ):
        (payload,) = answers[verb]
        assert payload["userErrors"] == []
        assert payload[field].items() >= outcome.items()


def _posts_are_found(answers: dict[str, Any]) -> None:
    (home,), (published,), (square,) = (answers[name] for name in ("Home", "Publish", "Square"))
    assert len({post["author"]["handle"] for post in home["home"]["nodes"]} - {"alice"}) > 1
    assert published["userErrors"] == []
    assert published["post"]["id"] == square["nodes"][0]["id"]
    assert len(square["nodes"]) == 10
    (recommended,), (hot,), (leading,) = (answers[name] for name in ("Recommended", "Hot", "MostLikedOfTheWeek"))
    assert len(recommended["recommended"]["edges"]) == len(hot["nodes"]) == len(leading) == 10


def _people_talk_and_are_notified(answers: dict[str, Any]) -> None:
    (talked,), (notified,), (read,) = (answers[name] for name in ("HottestComments", "Notifications", "Read"))
    roots = talked["comments"]["nodes"]
    assert talked["commentCount"] > len(roots) == 5
    assert any(root["replies"]["nodes"] for root in roots)
    assert any(root["likeCount"] > 0 for root in roots)
    for name, text, deleted in (
        ("Comment", "I was here.", False),
        ("Reply", "And I would come again.", False),
        ("Delete", None, True),
    ):
        (payload,) = answers[name]
        assert payload["userErrors"] == []
        assert (payload["comment"]["text"], payload["comment"]["deleted"]) == (text, deleted)
    assert len(notified["notifications"]["edges"]) == 10
    assert notified["unreadNotificationCount"] > read["viewer"]["unreadNotificationCount"] == 0


def _copy(name: str, answer: Any, variables: dict[str, Any]) -> None:
    """Copies a value from a response into variables, as the tabs tell users to do."""
    match name:
        case "Person":
            variables["userId"] = answer["id"]
        case "Comment":
            variables["commentId"] = answer["comment"]["id"]
        case "Queue":
            variables["id"] = answer["edges"][0]["node"]["id"]
        case "Notifications":
            variables["upTo"] = answer["notifications"]["edges"][0]["cursor"]


async def _asked(_: System, person: Person, wanted: dict[str, Any]) -> dict[str, Any]:
    body = (await person.http.post("/graphql", json=wanted, headers=person.headers)).json()
    assert "errors" not in body, body
    data: dict[str, Any] = body["data"]
    return data


async def _watched(system: System, person: Person, wanted: dict[str, Any]) -> dict[str, Any]:
    context = await system.service.context(person.received_headers, "203.0.113.7")
    async with aclosing(system.service.subscribe(messages.from_message(wanted), context)) as events:
        body = orjson.loads(orjson.dumps((await anext(events)).body))
    assert "errors" not in body, body
    data: dict[str, Any] = body["data"]
    return data
