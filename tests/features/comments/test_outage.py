"""Comments while a store is down.

Without Postgres, authors see their acknowledged comments, which are published after the outage (D1). Without Redis,
lists come from rows. A viewer who may have pending changes in Redis gets no list instead of an incomplete one (D2).
"""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import POSTS, Settings
from store.content.comment_settings import cache_key
from store.redis.client import RedisDown
from tests.support.comment_policies import policy_of, set_policy
from tests.support.comments import COMMENTS, REPLIES, add, added, counts, delete, edit, page, read, talk, text_of
from tests.support.degraded_answers import ask
from tests.support.fallback_mode import directly, worker_apart
from tests.support.fault_proxy import proxied
from tests.support.outages import Away, both_ways, hanging, stopped
from tests.support.pinned_comments import pin, pinned_on
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

TEXT = "query ($id: ID!) { node(id: $id) { ... on Comment { text deleted } } }"
ADD = """mutation ($subject: ID!, $to: ID, $text: String!, $key: String!) {
  addComment(input: {subjectId: $subject, replyToId: $to, text: $text, idempotencyKey: $key}) {
    comment { id text } userErrors { code } } }"""
DELETE = "mutation ($id: ID!) { deleteComment(input: {commentId: $id}) { comment { deleted } userErrors { code } } }"


@standalone
@both_ways
async def test_comments_can_be_written_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    root = await added(alice, video, "root")
    await system.drain()
    assert await text_of(bob, root) == "root"
    assert (await add(bob, video, "warm", to=root))["userErrors"] == []
    variables = {"subject": video, "to": root, "text": "during", "key": "k"}

    async with away(postgres, system.state.postgres):
        reply = (await bob.ask(ADD, **variables))["addComment"]["comment"]
        again = (await bob.ask(ADD, **variables))["addComment"]["comment"]
        shown = (await bob.ask(TEXT, id=reply["id"]))["node"]
        oops = (await bob.ask(ADD, **(variables | {"key": "k2"})))["addComment"]["comment"]["id"]
        deleted = (await bob.ask(DELETE, id=oops))["deleteComment"]
    assert again == reply == {"id": reply["id"], "text": "during"}
    assert shown == {"text": "during", "deleted": False}
    assert deleted == {"comment": {"deleted": True}, "userErrors": []}
    await system.drain()

    assert await text_of(alice, reply["id"]) == "during"
    assert await text_of(alice, oops) is None
    assert await counts(alice, video) == (3, 1)
    assert (await delete(bob, reply["id"]))["userErrors"] == []


@standalone
@both_ways
@pytest.mark.parametrize("policy", [None, "NOBODY", "FOLLOWED", "MENTIONED"])
async def test_a_comment_is_refused_if_its_policy_cannot_be_read(
    system: System, postgres: Postgres, away: Away, policy: str | None
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "a post")
    await system.drain()
    if policy:
        await set_policy(alice, post, policy)
        await system.drain()
    await bob.ask(
        "query ($id: ID!) { node(id: $id) { ... on Post { author { handle } } } viewer { user { handle } } }", id=post
    )
    variables = {"subject": post, "to": None, "text": "during", "key": "k"}

    async with away(postgres, system.state.postgres):
        await system.state.cache.redis("DEL", cache_key((POSTS, post.partition(":")[2])), write=True)
        assert await bob.errors(ADD, **variables) == [("UNAVAILABLE", ["addComment"])]

    await system.drain()
    assert await system.rows("SELECT count(*) FROM comments") == [(0,)]
    codes = [error["code"] for error in (await bob.ask(ADD, **variables))["addComment"]["userErrors"]]
    assert codes == (["COMMENTS_RESTRICTED"] if policy else [])


@pytest_asyncio.fixture
async def apart(
    make_settings: Callable[..., Settings], two_redis: tuple[Valkey, Valkey]
) -> AsyncIterator[tuple[System, Valkey, Valkey]]:
    """Yields a system with its own state Redis and its own cache Redis, and both servers."""
    state, cache = two_redis
    own = {"redis_url": state.url, "cache_url": cache.url, "redis_timeout": 1.0}
    settings = make_settings(**own, moderation=LENIENT, local_cache_seconds=0)
    async with running(settings) as system:
        yield system, state, cache


MISSING = [("node.comments", "Entity.comments", 1, "REDIS_DOWN")]
SORTS = {"HOT": ["a", "c", "b"], "NEWEST": ["c", "b", "a"], "OLDEST": ["a", "b", "c"]}


async def a_section(system: System) -> tuple[Person, str, str]:
    """Returns the author, the video and the hottest root comment, which has two likes and two replies."""
    alice = system.person("alice")
    video, (root, *_) = await talk(system, alice, "a", "b", "c")
    for reply in ("r1", "r2"):
        await added(alice, video, reply, to=root)
    for fan in ("bob", "carol"):
        await system.person(fan).like(root)
    await system.drain()
    return alice, video, root


async def found(viewer: Person, video: str, root: str, first: int) -> dict[str | None, Any]:
    """Returns the texts of all lists. The list of the hottest comments is page one only."""
    lists: dict[str | None, Any] = {sort: await read(viewer, video, sort, first) for sort in ("NEWEST", "OLDEST")}
    lists["HOT"] = [node["text"] for node in (await page(viewer, video, "HOT", first))["nodes"]]
    return lists | {None: await read(viewer, root, None, first)}


def expected(first: int) -> dict[str | None, Any]:
    return SORTS | {"HOT": SORTS["HOT"][:first], None: ["r1", "r2"]}


@standalone
@pytest.mark.parametrize("first", [1, 2, 20])
async def test_without_the_cache_viewers_read_lists_from_rows_with_their_pending_comments(
    apart: tuple[System, Valkey, Valkey], first: int
) -> None:
    system, _, cache = apart
    alice, video, root = await a_section(system)
    assert await found(alice, video, root, first) == expected(first)
    cursor = (await page(alice, video, "HOT", 1))["pageInfo"]["endCursor"]

    async with stopped(cache, system.state.cache.redis):
        for viewer in (alice, system.person("bob"), system.person(None)):
            assert await found(viewer, video, root, first) == expected(first)
        assert (await ask(alice, COMMENTS, id=video, first=first, after=cursor)).missing == MISSING
        await added(alice, video, "d")
        own = await read(alice, video, "NEWEST", first)

    assert own == ["d", *SORTS["NEWEST"]]
    assert await read(alice, video, "HOT", first) == ["d", *SORTS["HOT"]]
    await system.drain()
    assert await read(system.person(None), video, "NEWEST", first) == ["d", *SORTS["NEWEST"]]


@standalone
async def test_without_the_state_redis_only_viewers_without_pending_changes_get_lists(
    apart: tuple[System, Valkey, Valkey],
) -> None:
    system, state, cache = apart
    alice, video, root = await a_section(system)
    await added(alice, video, "d")
    anonymous = system.person(None)

    async with stopped(state, system.state.redis):
        with_cache = await found(anonymous, video, root, 2)
        async with stopped(cache, system.state.cache.redis):
            without = await found(anonymous, video, root, 2)
            lists = [(await ask(alice, COMMENTS, id=video, sort=sort)).missing for sort in SORTS]
            replies = await alice.errors(REPLIES, id=root)

    assert with_cache == without == expected(2)
    assert lists == [MISSING] * 3
    assert replies == [("UNAVAILABLE", ["node"])]
    assert await read(alice, video, "NEWEST") == ["d", *SORTS["NEWEST"]]


@standalone
async def test_authors_read_their_comment_on_a_post_that_was_stored_while_the_cache_could_not_be_written(
    apart: tuple[System, Valkey, Valkey],
) -> None:
    system, _, cache = apart
    bob = system.person("bob")
    await bob.id()
    (post,) = await published(system.person("alice"), "hello")
    assert await text_of(bob, post) is None

    async with proxied(cache.port) as network, worker_apart(system, cache_url=network.through(cache.url)) as worker:
        await network.cut()
        with suppress(RedisDown):
            while await worker.step():
                pass
        assert await system.rows("SELECT count(*) FROM posts") == [(1,)]
        async with hanging(cache, system.state.cache.redis):
            comment = await added(bob, post, "hi")
        assert await text_of(bob, comment) == "hi"


@standalone
async def test_edits_policies_and_pins_are_written_directly_while_redis_is_down(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "hello")
    await system.drain()
    one, two = await added(bob, post, "one"), await added(bob, post, "two")
    await system.drain()
    await set_policy(alice, post, "FOLLOWED")  # waits in the journal

    async with directly(system):
        edited = (await edit(bob, one, text="changed"))["comment"]
        await pin(alice, two)
        await pin(alice, one)
        assert (edited["text"], await pinned_on(bob, post)) == ("changed", one)

    await system.drain()
    assert (await text_of(alice, one), await pinned_on(bob, post)) == ("changed", one)
    assert await policy_of(bob, post) == ("FOLLOWED", False)
    async with directly(system):
        await set_policy(alice, post, "EVERYONE")
        assert (await add(bob, post, "three"))["userErrors"] == []
    assert await policy_of(bob, post) == ("EVERYONE", True)
