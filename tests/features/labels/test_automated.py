"""The moderation rules and the external reviewer set labels, with statements of reasons and appeals."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from settings import Settings
from tests.support.appeals import appeal
from tests.support.external_reviewer import Server, json_response, listening, review_all
from tests.support.labels import (
    CLAIMS,
    aged,
    edit_post,
    named,
    seen,
    set_labels,
    with_labels,
    write_comment,
    write_post,
)
from tests.support.reports import NOTIFIED
from tests.support.statements import decide, statements
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

pytestmark = standalone
LOG = "{ moderationLog { nodes { action role before after reason } } }"


@pytest.fixture
async def system(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """The application with labels and a word list that sets some."""
    words = tmp_path / "words.txt"
    words.write_text("label violence: gore\nlabel adult: nsfw\nreview: gore galore\nreject: casino\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    settings = make_settings(businesses_file=with_labels(tmp_path), jwt_claims=CLAIMS, moderation=moderation)
    async with running(settings) as system:
        yield system


async def told(person: Person) -> list[str]:
    notes = (await person.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    return sorted(note["message"] for note in notes if note["kind"] == "MODERATION")


async def log_of(system: System) -> Any:
    return (await system.person("mia", "moderate").ask(LOG))["moderationLog"]["nodes"]


async def published(system: System, text: str, **more: Any) -> str:
    """Returns the id of a post of alice that workers have stored."""
    post: str = (await write_post(system.person("alice"), text, **more))["post"]["id"]
    await system.drain()
    return post


async def test_a_word_of_the_list_sets_a_label_and_hides_the_post_from_children(system: System) -> None:
    post = await published(system, "Some gore")
    assert named(await seen(aged(system, "bob", "adult"), post)) == [("violence", "MODERATOR")]
    assert await seen(aged(system, "carol", "child"), post) is None
    assert await log_of(system) == [
        {
            "action": "LABELED",
            "role": "RULES",
            "before": None,
            "after": '{"labels":["violence"]}',
            "reason": "Violence: has the word: gore",
        }
    ]
    alice = system.person("alice")
    (one,) = await statements(alice)
    assert (one["restriction"], one["target"]["id"], one["isAutomated"]) == ("LABELED", post, True)
    assert (one["foundBy"], one["facts"]) == ("AUTOMATED", "Violence: has the word: gore")
    assert await told(alice) == ["The automated moderation set a label on what you wrote: Violence: has the word: gore"]


async def test_a_comment_gets_the_labels_of_all_words_and_may_also_wait(system: System) -> None:
    post = await published(system, "fine")
    comment = (await write_comment(system.person("alice"), post, "nsfw gore galore"))["comment"]["id"]
    await system.drain()
    mia = system.person("mia", "moderate")
    assert named(await seen(mia, comment)) == [("adult", "MODERATOR"), ("violence", "MODERATOR")]
    assert [(line["action"], line["role"]) for line in await log_of(system)] == [
        ("LABELED", "RULES"),
        ("HELD", "RULES"),
    ]
    (one,) = await statements(system.person("alice"))
    assert one["facts"] == "Adult content: has the word: nsfw; Violence: has the word: gore"


async def test_an_edit_adds_labels_and_tells_only_of_new_ones(system: System) -> None:
    alice = system.person("alice")
    post = await published(system, "fine", contentWarning="gore inside")
    for text in ("gore again", "nsfw gore"):
        assert (await edit_post(alice, post, text=text))["userErrors"] == []
        await system.drain()
    assert [one["facts"] for one in await statements(alice)] == [
        "Adult content: has the word: nsfw",
        "Violence: has the word: gore",
    ]
    assert all(one["endedAt"] is None for one in await statements(alice))
    await edit_post(alice, post, text="harmless", contentWarning=None)
    await system.drain()
    assert len(named(await seen(alice, post))) == 2  # a moderator removes them


async def test_a_granted_appeal_removes_labels_of_the_rules(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = await published(system, "gore")
    (one,) = await statements(alice)
    assert (await appeal(alice, one["id"]))["userErrors"] == []
    await system.drain()
    assert await decide(mia, one["id"], "GRANT") == []
    await system.drain()
    assert named(await seen(alice, post)) == []
    (one,) = await statements(alice)
    assert (one["appeal"]["status"], bool(one["endedAt"])) == ("GRANTED", True)


async def test_a_moderator_replaces_labels_of_the_rules(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    post = await published(system, "gore")
    assert (await set_labels(mia, post, "disputed"))["userErrors"] == []
    await system.drain()
    assert named(await seen(alice, post)) == [("disputed", "MODERATOR")]
    assert [bool(one["endedAt"]) for one in await statements(alice)] == [False, True]


async def test_a_rejected_post_has_two_notifications(system: System) -> None:
    await published(system, "casino gore")
    assert await told(system.person("alice")) == [
        "The automated moderation set a label on what you wrote: Violence: has the word: gore",
        "Your post was rejected: has a word that is not allowed: casino",
    ]


def answering(server: Server, **answer: object) -> None:
    server.answer = json_response({"decision": "approve", **answer})


async def test_the_reviewer_sets_labels(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    async with listening() as server:
        moderation = LENIENT.model_copy(update={"reviewer": server.settings()})
        settings = make_settings(businesses_file=with_labels(tmp_path), jwt_claims=CLAIMS, moderation=moderation)
        async with running(settings) as system:
            alice = system.person("alice")
            answering(server, labels=["violence", "violence"], reason="blood in the picture")
            first = await published(system, "first")
            await review_all(system)
            answering(server, labels=["nothing"])
            second = await published(system, "second")
            await review_all(system)
            assert named(await seen(aged(system, "bob", "adult"), first)) == [("violence", "MODERATOR")]
            assert await seen(aged(system, "carol", "child"), first) is None
            (one,) = await statements(alice)
            assert (one["restriction"], one["isAutomated"]) == ("LABELED", True)
            assert one["facts"] == "Violence: blood in the picture"
            assert [(line["action"], line["role"]) for line in await log_of(system)] == [
                ("HELD", "REVIEWER"),
                ("LABELED", "REVIEWER"),
                ("APPROVED", "REVIEWER"),
            ]
            assert await seen(system.person("bob"), second) is None  # waits for a moderator


async def test_a_moderators_labels_win_over_a_later_answer_of_the_reviewer(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    async with listening() as server:
        moderation = LENIENT.model_copy(update={"reviewer": server.settings()})
        settings = make_settings(businesses_file=with_labels(tmp_path), moderation=moderation)
        async with running(settings) as system:
            post = await published(system, "a post")
            mia = system.person("mia", "moderate")
            assert (await set_labels(mia, post, "disputed"))["userErrors"] == []
            await system.drain()
            answering(server, labels=["violence"])
            await review_all(system)
            assert named(await seen(mia, post)) == [("disputed", "MODERATOR")]
