"""Quotes: a post shows another one, or a place that says why not; the quotes of a post; the author's rights."""

import pytest

from tests.support.boundaries import block
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.follows import follow
from tests.support.notifications import page as notifications
from tests.support.outgoing import received, short, to_stream
from tests.support.posts import DELETE, MODERATE, edit, published
from tests.support.private_accounts import make_private
from tests.support.quotes import DETACH, SEEN, detach, quote, quoted, quotes, seen, set_policy
from tests.support.reconciliation import drift, execute
from tests.support.suspensions import moderator, suspend
from tests.support.system import Person, System

MISMATCH = [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]
UNKNOWN = [{"code": "TARGET_NOT_FOUND", "field": ["quoteOf"]}]


async def scene(system: System) -> tuple[Person, Person, str]:
    """Returns alice, bob, and the id of alice's post "hello"."""
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    return alice, bob, post


async def test_a_quote_is_shown_at_once_and_counted_when_it_is_approved(system: System) -> None:
    alice, bob, post = await scene(system)
    payload = await quote(bob, post, "look", key="a")
    assert payload["post"]["quote"] == {"post": {"text": "hello"}, "missing": None}
    assert (await quote(bob, post, "look", key="a"))["post"]["id"] == payload["post"]["id"]
    (other,) = await published(alice, "other")
    assert (await quote(bob, other, "look", key="a"))["userErrors"] == MISMATCH
    assert (await quotes(bob, post), await quotes(alice, post)) == ((0, ["look"]), (0, []))
    await system.drain()
    assert await quotes(alice, post) == (1, ["look"])
    await quoted(bob, post, "two", "three")
    await system.drain()
    assert await quotes(alice, post) == (3, ["three", "two", "look"])
    await system.empty_redis()
    assert await quotes(alice, post) == (3, ["three", "two", "look"])


async def test_refusals_publish_nothing(system: System) -> None:
    alice, bob, post = await scene(system)
    (video,) = await system.videos("v1")
    for id_ in ("Post:7", video):
        assert (await quote(bob, id_, id_))["userErrors"] == UNKNOWN
    await block(alice, await bob.id())
    assert (await quote(bob, post, "blocked"))["userErrors"] == UNKNOWN
    await system.drain()
    assert await system.rows("SELECT count(*) FROM posts") == [(1,)]


async def test_the_author_decides_who_may_quote(system: System) -> None:
    alice, bob, post = await scene(system)
    (old,) = await quoted(bob, post, "old")
    await system.drain()
    refused = [{"code": "NOT_ALLOWED", "field": ["quoteOf"]}]
    await set_policy(alice, "NOBODY")
    assert (await quote(alice, post, "own"))["userErrors"] == []
    await system.drain()
    assert (await quote(bob, post, "nobody"))["userErrors"] == refused
    await set_policy(alice, "FOLLOWERS")
    await system.drain()
    assert (await quote(bob, post, "no follower"))["userErrors"] == refused
    await follow(bob, await alice.id())
    assert (await quote(bob, post, "follower"))["userErrors"] == []
    await set_policy(alice, "EVERYONE")
    await system.drain()
    assert (await quote(system.person("carol"), post, "carol"))["userErrors"] == []
    assert await seen(bob, old) == ("hello", None)


async def test_a_detached_quote_stays_without_the_post(system: System) -> None:
    alice, bob, post = await scene(system)
    carol = system.person("carol")
    (one, two) = await quoted(bob, post, "one", "two")
    await system.drain()
    for _ in range(2):
        payload = await detach(alice, one, key="a")
        assert payload["post"] == {"id": one, "text": "one", "quote": {"missing": "REMOVED_BY_AUTHOR"}}
    assert await quotes(alice, post) == (2, ["two"])
    await system.drain()
    assert await quotes(carol, post) == await quotes(alice, post) == (1, ["two"])
    assert await seen(bob, one) == await seen(carol, one) == (None, "REMOVED_BY_AUTHOR")
    await edit(bob, one, text="edited")
    await system.drain()
    assert await seen(carol, one) == (None, "REMOVED_BY_AUTHOR")
    assert await drift(system) == {}
    assert (await detach(bob, two))["userErrors"] == [{"code": "NOT_ALLOWED", "field": ["postId"]}]
    assert (await detach(alice, post))["userErrors"] == [{"code": "NOT_ALLOWED", "field": ["postId"]}]
    assert (await detach(alice, "Post:7"))["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
    assert await system.person(None).errors(DETACH, id=two) == [("UNAUTHENTICATED", ["detachQuote"])]
    assert await seen(carol, two) == ("hello", None)


async def test_only_the_author_of_the_quoted_post_detaches_it(system: System) -> None:
    alice, bob, post = await scene(system)
    (one,) = await quoted(bob, post, "one")
    await system.drain()
    await seen(alice, one)
    await execute(system, "UPDATE posts SET quote_owner = quote_owner + 1 WHERE quote_of IS NOT NULL")
    assert (await detach(alice, one))["userErrors"] == []  # the cached post still names alice
    await system.drain()
    assert await system.rows("SELECT detached FROM posts WHERE quote_of IS NOT NULL") == [(False,)]


WAYS = {
    "deleted": "DELETED",
    "rejected": "NOT_VISIBLE",
    "alice blocks": "NOT_VISIBLE",
    "carol blocks": "NOT_VISIBLE",
    "private": "NOT_VISIBLE",
    "suspended": "NOT_VISIBLE",
}


@pytest.mark.parametrize("how", WAYS)
async def test_a_quoted_post_that_is_not_shown_has_a_place(system: System, how: str) -> None:
    alice, bob, post = await scene(system)
    carol = system.person("carol")
    (one,) = await quoted(bob, post, "one")
    await system.drain()
    assert await seen(carol, one) == ("hello", None)
    if how == "deleted":
        await alice.ask(DELETE, id=post)
    elif how == "rejected":
        await moderator(system).ask(MODERATE, id=post, decision="REJECT", reason="no")
    elif how == "alice blocks":
        await block(alice, await carol.id())
    elif how == "carol blocks":
        await block(carol, await alice.id())
    elif how == "private":
        await make_private(alice)
    else:
        await suspend(moderator(system), await alice.id(), "HIDDEN")
    await system.drain()
    assert await seen(carol, one) == (None, WAYS[how])


async def test_hidden_quotes_leave_the_list_and_the_count(system: System) -> None:
    alice, bob, post = await scene(system)
    one, two, three = await quoted(bob, post, "one", "two", "three")
    await system.drain()
    mia = moderator(system)
    await bob.ask(DELETE, id=one)
    await mia.ask(MODERATE, id=two, decision="REJECT", reason="no")
    await system.drain()
    assert await quotes(alice, post) == (1, ["three"])
    await detach(alice, three)
    await mia.ask(MODERATE, id=two, decision="APPROVE", reason="yes")
    await system.drain()
    assert await quotes(alice, post) == (1, ["two"])
    assert await drift(system) == {}
    await execute(system, "UPDATE counters SET value = 5, version = version + 1 WHERE kind = 15")
    assert await drift(system, "counters", repair=True) == {"quotes": 1}


async def test_an_edit_keeps_the_quote_and_a_quote_of_a_quote_is_a_place(system: System) -> None:
    alice, bob, post = await scene(system)
    (one,) = await quoted(bob, post, "one")
    await system.drain()
    await edit(bob, one, text="edited")
    assert await seen(bob, one) == ("hello", None)
    await system.drain()
    (two,) = await quoted(alice, one, "two")
    await system.drain()
    found = (await bob.ask(SEEN, id=two))["node"]["quote"]
    assert found == {"missing": None, "post": {"text": "edited", "quote": {"missing": "NESTED"}}}


async def test_the_author_is_notified_once(system: System) -> None:
    alice, bob, post = await scene(system)
    one, two = await quoted(bob, post, "one", "two for @alice")
    await quoted(alice, post, "own")
    await system.drain()
    shown = [(node["kind"], node["message"], node["subject"]["id"]) for node in (await notifications(alice)).nodes]
    assert sorted(shown) == sorted(("QUOTE", "bob quoted your post.", id_) for id_ in (one, two))
    await bob.ask(DELETE, id=one)
    await system.drain()
    assert [node["subject"]["id"] for node in (await notifications(alice)).nodes] == [two]


async def test_destinations_are_told(system: System) -> None:
    await to_stream(system, "post.created", "quote.detached")
    alice, bob, post = await scene(system)
    await received(system)  # the order of events from two partitions is not fixed
    (one,) = await quoted(bob, post, "one")
    await received(system)
    await detach(alice, one)
    _, created, detached = await received(system)
    assert short(created, "id", "quoteOf") == ("post.created", one, post)
    assert short(detached, "id", "quoteOf", "quoteOfAuthorId") == ("quote.detached", one, post, await alice.id())


async def test_quotes_are_written_directly_while_redis_is_replaced(system: System) -> None:
    alice, bob, post = await scene(system)
    (one,) = await quoted(bob, post, "one")
    await system.drain()
    async with directly(system):
        assert (await detach(alice, one))["userErrors"] == []
        assert (await quote(bob, post, "two"))["userErrors"] == []
    await system.drain()
    assert await quotes(alice, post) == (1, ["two"])


async def test_a_page_without_quotes_costs_no_round_trip_more(system: System) -> None:
    _, bob, _ = await scene(system)
    plain, page = "{ square { nodes { text } } }", "{ square { nodes { text quote { post { text } } } } }"
    for query in (plain, page, plain, page):
        await cost(bob, query)
    assert await cost(bob, plain) == await cost(bob, page)
