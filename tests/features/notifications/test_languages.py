"""Notifications in the reader's language: in answers, in live events and in outgoing events."""

from collections.abc import Callable
from typing import Any

import pytest

from settings import PeopleSettings, Settings
from tests.support import outgoing
from tests.support.costs import cost
from tests.support.notifications import liked_posts, messages, people, post_of
from tests.support.posts import decide
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually
from tests.support.system import LENIENT, Person, System, running

SET = """mutation ($language: String) { setLanguage(input: {language: $language}) {
  viewer { language } userErrors { code field } } }"""
LANGUAGE = "{ viewer { language } }"
UPSERT = """mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) { users { id } userErrors { code field } } }"""
RECEIVE = "subscription { notificationReceived { edge { node { message } } } }"
ENGLISH, CHINESE = "bob liked your post.", "bob 赞了你的帖子。"


async def set_language(person: Person, language: str | None) -> Any:
    return (await person.ask(SET, language=language))["setLanguage"]


def accepting(person: Person, languages: str) -> Person:
    """Returns a client of the same user that sends `Accept-Language`."""
    return Person(person.http, person.handle, {**person.headers, "accept-language": languages})


async def test_messages_are_in_the_chosen_language_else_in_one_that_the_request_accepts(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 1)

    assert await messages(alice) == [ENGLISH]
    assert await messages(accepting(alice, "fr, zh-TW;q=0.8, en;q=0.7")) == [CHINESE]
    assert await messages(accepting(alice, "fr")) == [ENGLISH]

    chosen = await set_language(alice, "zh-hans-cn")
    assert chosen == {"viewer": {"language": "zh-Hans-CN"}, "userErrors": []}
    assert (await alice.ask(LANGUAGE))["viewer"] == {"language": "zh-Hans-CN"}
    assert (await bob.ask(LANGUAGE))["viewer"] == {"language": None}
    for person in (alice, accepting(alice, "en")):
        assert await messages(person) == [CHINESE]

    await set_language(alice, "tlh")
    assert await messages(alice) == [ENGLISH]
    assert await messages(accepting(alice, "zh")) == [CHINESE]
    assert (await set_language(alice, None))["viewer"] == {"language": None}
    assert await messages(alice) == [ENGLISH]


async def test_decisions_and_reactions_are_translated_with_the_reason_as_it_was_written(system: System) -> None:
    (alice,) = await people(system, "alice")
    post = await post_of(system, alice, "one")
    await decide(system.person("mia", "moderate"), post, "REJECT", "off topic")
    await system.drain()
    await set_language(alice, "zh")

    assert await messages(alice) == ["你的帖子未通过审核\N{FULLWIDTH COLON}off topic"]


async def test_bad_languages_are_refused_and_change_nothing(system: System) -> None:
    (alice,) = await people(system, "alice")
    await set_language(alice, "en")
    service = system.person("service", "users:write")
    await service.id()
    async with unchanged(system):
        for bad in ("", "zh_CN", "x", "en\u0000", "e" * 40, "中文"):
            assert await set_language(alice, bad) == {
                "viewer": None,
                "userErrors": [{"code": "INVALID", "field": ["language"]}],
            }
        answer = (await service.ask(UPSERT, u=[{"externalId": "alice", "language": "zh_CN"}]))["upsertUsers"]
        assert answer["userErrors"] == [{"code": "INVALID", "field": ["users", "0", "language"]}]
    nobody = system.person(None)
    assert await nobody.errors(SET, language="en") == [("UNAUTHENTICATED", ["setLanguage"])]
    assert (await alice.ask(LANGUAGE))["viewer"] == {"language": "en"}


async def test_services_set_languages(system: System) -> None:
    service, (alice,) = system.person("service", "users:write"), await people(system, "alice")

    for item, expected in (({"language": "ZH"}, "zh"), ({}, "zh"), ({"language": None}, None)):
        await service.ask(UPSERT, u=[{"externalId": "alice", **item}, {"externalId": "carol", **item}])
        for person in (alice, system.person("carol")):
            assert (await person.ask(LANGUAGE))["viewer"] == {"language": expected}


@standalone
async def test_a_page_with_messages_costs_what_a_page_without_them_costs(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 3)
    await set_language(alice, "zh")
    plain, told = (
        f"{{ viewer {{ notifications {{ nodes {{ id actors {{ id }} {more} }} }} }} }}" for more in ("", "message")
    )
    for query in (plain, told):
        await alice.ask(query)

    assert await cost(alice, told) == await cost(alice, plain)


@standalone
async def test_no_shared_cache_keeps_a_message(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 1)
    query = {"query": "{ viewer { notifications { nodes { message } } } }"}
    response = await alice.http.get("/graphql", params=query, headers=alice.headers)

    assert response.json()["data"]["viewer"]["notifications"]["nodes"] == [{"message": ENGLISH}]
    assert response.headers["cache-control"].startswith(("private", "no-store"))


@standalone
async def test_live_events_and_outgoing_events_have_texts(live: Live) -> None:
    await outgoing.to_stream(live, "notification.created")
    alice, bob, carol = await people(live, "alice", "bob", "carol")
    await set_language(alice, "zh-TW")
    (post,) = await liked_posts(live, alice, bob, 1)
    before = live.state.events.channels
    async with live.socket("alice") as socket:
        await socket.send(id="1", type="subscribe", payload={"query": RECEIVE})
        await eventually(lambda: live.state.events.channels > before)
        await carol.like(post)
        await live.drain()
        event = (await socket.receive())["payload"]["data"]["notificationReceived"]
    assert event["edge"]["node"] == {"message": "carol 和其他 1 人赞了你的帖子。"}

    one, two = [event["data"] for event in await outgoing.received(live)]
    assert (one["text"], one["language"], one["message"]) == (CHINESE, "zh-Hans", None)
    assert (two["text"], two["collapseKey"]) == ("carol 和其他 1 人赞了你的帖子。", one["collapseKey"])
    await set_language(alice, None)
    await people(live, "dave")
    await live.person("dave").like(post)
    three = (await outgoing.received(live))[-1]["data"]
    told = "dave and 2 others liked your post."
    assert (three["text"], three["language"], three["unseenCount"]) == (told, "en", 1)


@standalone
@pytest.mark.parametrize("chosen", [None, "en"])
async def test_the_default_language_is_a_setting(make_settings: Callable[..., Settings], chosen: str | None) -> None:
    people_ = PeopleSettings(language="zh-CN")
    async with running(make_settings(moderation=LENIENT, people=people_)) as system:
        await outgoing.to_stream(system, "notification.created")
        alice, bob = await people(system, "alice", "bob")
        await set_language(alice, chosen)
        await liked_posts(system, alice, bob, 1)

        (event,) = await outgoing.received(system)
        expected = CHINESE if chosen is None else ENGLISH
        assert (event["data"]["text"], await messages(alice)) == (expected, [expected])
