"""addComment with idempotency keys: one key makes one comment, however often the client repeats the request."""

import asyncio

import pytest

from identity import auth
from tests.support.comments import ADD, add, added, close, counts, delete, text_of
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.system import Person, System


@standalone
async def test_a_repeated_key_returns_the_same_comment_for_ever(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    first = await add(alice, video, "once", key="k")
    again = await add(alice, video, "once", key="k")
    assert again["comment"]["id"] == first["comment"]["id"]
    await system.drain()
    await system.empty_redis()

    after_a_day = await add(alice, video, "once", key="k")
    other = await add(alice, video, "another", key="k")

    assert after_a_day["comment"]["id"] == first["comment"]["id"]
    assert other == {"comment": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]}
    assert await system.rows("SELECT count(*) FROM comment_contents") == [(1,)]
    assert await counts(alice, video) == (1, 1)


@standalone
async def test_a_repeated_key_does_not_lift_the_restriction_of_a_token(system: System) -> None:
    (video,) = await system.videos("v1")
    first = await add(system.person("alice"), video, "once", key="k")
    assert first["userErrors"] == []
    token = auth.mint(system.settings, "alice", businesses=["article", "comment"])
    restricted = Person(system.http, "alice", {"authorization": f"Bearer {token}"})

    for _ in ("before it is stored", "after"):
        answer = (await restricted.send(ADD, subject=video, text="once", key="k")).json()
        assert [error["extensions"]["code"] for error in answer["errors"]] == ["FORBIDDEN"]
        await system.drain()


@standalone
async def test_a_comment_can_have_the_idempotency_key_of_a_post(system: System) -> None:
    alice = system.person("alice")
    post = (await publish(alice, "hello", key="k"))["post"]["id"]
    await system.drain()

    comment = await add(alice, post, "hello", key="k")

    assert comment["userErrors"] == []


@standalone
async def test_concurrent_requests_with_one_key_make_one_comment(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")

    payloads = await asyncio.gather(*[add(alice, video, "once", key="k") for _ in range(8)])
    await system.drain()

    assert len({payload["comment"]["id"] for payload in payloads}) == 1
    assert await counts(alice, video) == (1, 1)


@standalone
async def test_a_key_that_redis_lost_before_the_commit_still_makes_one_comment(system: System) -> None:
    """The journal holds both comments. The worker keeps the first."""
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    first = (await add(alice, video, "once", key="k"))["comment"]["id"]
    await system.state.redis("DEL", *await _operations(system), write=True)
    second = (await add(alice, video, "once", key="k"))["comment"]["id"]
    assert first != second
    await system.drain()

    assert (await text_of(bob, first), await text_of(bob, second)) == ("once", None)
    assert await counts(alice, video) == (1, 1)
    assert await system.rows("SELECT floors FROM comment_subjects") == [(1,)]


async def _operations(system: System) -> list[bytes]:
    keys = await system.state.redis.client.keys("*:idem:*")
    return list(keys)


@standalone
@pytest.mark.parametrize("in_redis", [True, False], ids=["key in Redis", "key in Postgres"])
async def test_a_retry_returns_its_reply_after_the_root_is_deleted_or_the_subject_is_closed(
    system: System, in_redis: bool
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (video,) = await system.videos("v1")
    root = await added(alice, video, "root")
    await system.drain()
    reply = (await add(bob, video, "reply", to=root, key="k"))["comment"]["id"]
    await close(system)
    if not in_redis:
        await delete(alice, root)
        await system.drain()
        await system.empty_redis()

    again = await add(bob, video, "reply", to=root, key="k")

    assert again["userErrors"] == []
    assert again["comment"]["id"] == reply
    assert (await add(bob, video, "reply", to=root, key="k2"))["comment"] is None


@standalone
async def test_concurrent_requests_with_one_key_and_two_texts_make_one_comment(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")

    payloads = await asyncio.gather(*[add(alice, video, f"text {n % 2}", key="k") for n in range(6)])
    await system.drain()

    written = {payload["comment"]["text"] for payload in payloads if payload["comment"]}
    assert len(written) == 1
    refused = [payload["userErrors"] for payload in payloads if not payload["comment"]]
    assert refused == [[{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]] * 3
    assert await counts(alice, video) == (1, 1)
