"""Very long texts are refused for their length before they are normalized or searched."""

import unicodedata
from typing import Any

import pytest

from domain import texts
from domain.topics import LONGEST_INPUT
from tests.api.text_arguments import BAD_INPUT, PLACES, Answer, alice, as_variable, outcome
from tests.support.stored_state import unchanged
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

TOO_LONG: Answer = (200, [], ["TEXT_TOO_LONG"])
CODES = "userErrors { code }"
EVERYWHERE: dict[str, tuple[str, Answer]] = {
    **{
        place: (query, TOO_LONG if answer[2] == ["TEXT_INVALID"] else answer)
        for place, (query, answer) in PLACES.items()
    },
    "a topic": ("{ topic(name: %s) { id } }", BAD_INPUT),
    "a cursor": ("{ square(after: %s) { nodes { id } } }", (200, ["BAD_CURSOR"], [])),
    "a leaderboard": ("{ leaderboard(business: %s) { rank } }", BAD_INPUT),
    "a post": (f'mutation {{ publishPost(input: {{text: %s, idempotencyKey: "a"}}) {{ {CODES} }} }}', TOO_LONG),
    "an image": (
        f"""mutation {{ publishPost(input: {{text: "", images: [{{url: %s}}], idempotencyKey: "b"}}) {{
              {CODES} }} }}""",
        (200, [], ["IMAGE_NOT_ALLOWED"]),
    ),
    "a post's topic": (
        f'mutation {{ publishPost(input: {{topics: [%s], text: "t", idempotencyKey: "c"}}) {{ {CODES} }} }}',
        (200, [], ["TOPIC_INVALID"]),
    ),
    "a comment": (
        f"""mutation {{ addComment(input: {{subjectId: "Entity:video:v1", text: %s, idempotencyKey: "d"}}) {{
              {CODES} }} }}""",
        TOO_LONG,
    ),
    "a reason": (
        f'mutation {{ moderate(input: {{targetId: "Post:1", decision: REJECT, reason: %s}}) {{ {CODES} }} }}',
        TOO_LONG,
    ),
}


@pytest.mark.parametrize("character", ["\\ufdfa", "\\r", "\\u0130"])
async def test_a_text_that_is_too_long_is_never_normalized_or_searched(
    system: System, monkeypatch: pytest.MonkeyPatch, character: str
) -> None:
    """NFKC turns U+FDFA into eighteen characters, and case folding turns U+0130 into two."""
    await system.videos("v1")
    person = system.person("alice", "entities:write", "users:write", "moderate")
    normalized, searched = [0], [0]
    normalize, is_storable = unicodedata.normalize, texts.is_storable

    def normalizing(form: Any, text: str) -> str:
        normalized.append(len(text))
        return normalize(form, text)

    def searching(text: str) -> bool:
        searched.append(len(text))
        return is_storable(text)

    monkeypatch.setattr(unicodedata, "normalize", normalizing)
    monkeypatch.setattr(texts, "is_storable", searching)
    text = f'"x{character * 120_000}x"'
    answers = {
        place: await outcome(person, as_variable(place, query, text)) for place, (query, _) in EVERYWHERE.items()
    }

    assert answers == {place: answer for place, (_, answer) in EVERYWHERE.items()}
    assert max(normalized) <= LONGEST_INPUT
    assert max(searched) <= 5000


async def test_a_variable_that_is_used_often_counts_each_time(system: System) -> None:
    """Otherwise one body could cause a thousand times its work."""
    query = """mutation ($t: String!) {
      publishPost(input: {text: "", topics: [%s], idempotencyKey: "k"}) { userErrors { code } } }"""
    person = alice(system)

    async with unchanged(system):
        response = await person.send(query % ("$t " * 7), t="x" * 150_000)

    assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["BAD_INPUT"]


async def test_line_ends_and_surrounding_space_do_not_count(system: System) -> None:
    query = "mutation ($t: String) { updateProfile(input: {bio: $t}) { user { bio } userErrors { code } } }"
    person = alice(system)

    kept: Any = await person.ask(query, t=" " * 500 + "é" * 500)
    lines: Any = await person.ask(query, t="a\r\n" * 250)
    refused: Any = await person.ask(query, t=" " * 501 + "é" * 500)

    assert kept["updateProfile"] == {"user": {"bio": "é" * 500}, "userErrors": []}
    assert lines["updateProfile"] == {"user": {"bio": ("a\n" * 250).strip()}, "userErrors": []}
    assert refused["updateProfile"] == {"user": None, "userErrors": [{"code": "TEXT_TOO_LONG"}]}
