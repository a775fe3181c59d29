"""Automatic persisted queries as Apollo's clients speak them, and what strangers cannot do with them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from observability import metrics
from runner.valkey import Valkey
from settings import Settings
from tests.support.clocks import FrozenClock
from tests.support.persisted_operations import (
    ANSWER,
    LIKE,
    MISMATCH,
    NOT_FOUND,
    NOT_SUPPORTED,
    TYPE,
    Outcome,
    apollo,
    by_hash,
    get,
    manifest,
    outcome,
    post,
    register,
    sha,
)
from tests.support.stores import standalone
from tests.support.system import System, running

DAY = 86_400


def spent() -> tuple[int, int]:
    """Trips to Redis and queries to Postgres of the last request."""
    usage = metrics.usage.get()
    assert usage is not None
    return usage.redis_round_trips, usage.sql_queries


async def registered(system: System) -> list[bytes]:
    return [value async for value in system.state.cache.redis.client.scan_iter("{apq:*")]


# The protocol


async def test_a_query_is_sent_once_and_named_from_then_on(system: System) -> None:
    assert await by_hash(system, TYPE) == NOT_FOUND
    assert await register(system, TYPE) == ANSWER
    assert await by_hash(system, TYPE) == ANSWER


@standalone
async def test_a_get_names_a_query_too_and_is_cached_like_one_that_sends_it(system: System) -> None:
    unknown = await get(system, extensions=apollo(sha(TYPE)))
    sent = await get(system, query=TYPE, extensions=apollo(sha(TYPE)))
    named = await get(system, extensions=apollo(sha(TYPE)))

    assert outcome(unknown) == NOT_FOUND
    assert unknown.headers["cache-control"] == "private, no-store"
    assert outcome(sent) == outcome(named) == ANSWER
    assert named.headers["cache-control"] == "public, max-age=10"
    assert named.headers["etag"] == sent.headers["etag"]


@standalone
async def test_what_a_hash_stands_for_may_be_the_viewers_own(system: System) -> None:
    mine = "{ viewer { id } }"
    await register(system, mine)

    response = await get(system, extensions=apollo(sha(mine)))

    assert response.headers["cache-control"] == "private, max-age=0, must-revalidate"


@standalone
async def test_variables_and_name_go_with_a_hash(system: System) -> None:
    query = "query A($no: Boolean!) { a: __typename b: __typename @skip(if: $no) } query B { __typename }"
    await post(system, query=query, operationName="B", extensions=apollo(sha(query)))

    a = await post(system, operationName="A", variables={"no": True}, extensions=apollo(sha(query)))

    assert outcome(a) == {"data": {"a": "Query"}}


@standalone
async def test_a_hash_is_its_texts_or_nothing_runs(system: System) -> None:
    for other in sha(TYPE + " "), sha(TYPE).upper(), "abc":
        assert outcome(await post(system, query=TYPE, extensions=apollo(other))) == MISMATCH

    assert await registered(system) == []


@standalone
async def test_a_mutation_by_hash_does_not_run_by_get(system: System) -> None:
    await system.videos("v1")
    assert "data" in (await post(system, "alice", query=LIKE, extensions=apollo(sha(LIKE)))).json()

    response = await get(system, "alice", extensions=apollo(sha(LIKE)))

    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@standalone
async def test_clients_are_told_when_it_is_turned_off(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(apq=False)) as system:
        assert await by_hash(system, TYPE) == NOT_SUPPORTED
        assert await register(system, TYPE) == NOT_SUPPORTED
        assert await registered(system) == []


# What is registered


@standalone
@pytest.mark.parametrize("query", ["{ nothing }", "{ viewer { id }", "{ __typename } " * 3000, "query A { viewer }"])
async def test_what_is_not_valid_is_not_registered(system: System, query: str) -> None:
    refused = await register(system, query)

    assert isinstance(refused, tuple)
    assert refused[0] in (400, 422)
    assert await registered(system) == []
    assert await by_hash(system, query) == NOT_FOUND


@standalone
async def test_a_valid_query_is_registered_whatever_comes_of_it(system: System) -> None:
    query = "query ($id: ID!) { node(id: $id) { id } }"

    failed = await post(system, query=query, variables={"id": "no id"}, extensions=apollo(sha(query)))

    assert failed.json()["errors"][0]["extensions"]["code"] == "BAD_INPUT"
    assert len(await registered(system)) == 1


@standalone
async def test_a_text_sent_alone_is_not_registered(system: System) -> None:
    await post(system, query=TYPE)

    assert await registered(system) == []


@standalone
async def test_a_text_too_long_runs_and_is_not_kept(make_settings: Callable[..., Settings]) -> None:
    fits, long = "{ __typename }".ljust(40), "{ __typename }".ljust(41)
    async with running(make_settings(apq_bytes=40)) as system:
        assert await register(system, fits) == await register(system, long) == ANSWER

        assert await by_hash(system, fits) == ANSWER
        assert await by_hash(system, long) == NOT_FOUND
        assert len(await registered(system)) == 1


# Bounds


def aliased(count: int) -> list[str]:
    return [f"{{ a{i}: __typename }}" for i in range(count)]


async def found(system: System, queries: list[str]) -> int:
    outcomes: list[Outcome] = [await by_hash(system, query) for query in queries]
    assert all(isinstance(one, dict) or one == NOT_FOUND for one in outcomes)
    return sum(isinstance(one, dict) for one in outcomes)


@standalone
async def test_there_are_never_more_than_there_may_be(make_settings: Callable[..., Settings]) -> None:
    queries = aliased(60)
    async with running(make_settings(apq_entries=8)) as system:
        for query in queries:
            assert isinstance(await register(system, query), dict)
        in_redis = await registered(system)
        await system.empty_redis()
        in_process = await found(system, queries)

    assert len(in_redis) == 8
    assert in_process == 8


@standalone
async def test_the_newest_text_has_the_slot_and_others_are_not_found(make_settings: Callable[..., Settings]) -> None:
    first, second = aliased(2)
    async with running(make_settings(apq_entries=1)) as one, running(make_settings(apq_entries=1)) as other:
        await register(one, first)
        await register(one, second)

        assert await by_hash(other, first) == NOT_FOUND
        assert await by_hash(other, second) == {"data": {"a1": "Query"}}


@standalone
async def test_what_lies_under_a_hash_and_is_not_its_text_is_never_run(system: System) -> None:
    await register(system, TYPE)
    (key,) = await registered(system)
    async with running(system.settings) as other:
        await other.state.cache.redis.client.set(key, "{ viewer { id } }")

        assert await by_hash(other, TYPE) == NOT_FOUND


@standalone
async def test_what_nobody_asks_for_is_forgotten_and_asking_renews_it(make_settings: Callable[..., Settings]) -> None:
    clock = FrozenClock()
    async with running(make_settings(), clock) as system:
        client = system.state.cache.redis.client
        await register(system, TYPE)
        (key,) = await registered(system)
        assert 7 * DAY - 60 < await client.ttl(key) <= 7 * DAY

        # A process that knows a text asks for nothing, for an hour; then it asks, which renews the text's life.
        await client.expire(key, 100)
        clock.pass_seconds(3599)
        assert await by_hash(system, TYPE) == ANSWER
        assert await client.ttl(key) <= 100
        clock.pass_seconds(2)
        assert await by_hash(system, TYPE) == ANSWER
        assert await client.ttl(key) > 6 * DAY

        # When its life is over there, the process has it for an hour more at most.
        await client.delete(key)
        clock.pass_seconds(3601)
        assert await by_hash(system, TYPE) == NOT_FOUND


# Sharing, and what it costs


async def test_processes_share_what_was_registered(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings()) as one, running(make_settings()) as other:
        await register(one, TYPE)

        assert await by_hash(other, TYPE) == ANSWER
        assert spent() == (1, 0)
        assert await by_hash(other, TYPE) == ANSWER
        assert spent() == (0, 0)
        assert await by_hash(one, TYPE) == ANSWER
        assert spent() == (0, 0)


@standalone
async def test_registering_and_guessing_cost_a_trip(system: System) -> None:
    await register(system, TYPE)
    assert spent() == (1, 0)

    for query in aliased(3):  # what is not in Redis either might have been imported, but that is looked for seldom
        assert await by_hash(system, query) == NOT_FOUND
        assert spent() == (1, 0)


# A Redis that is gone


@standalone
async def test_without_redis_nothing_is_found_and_everything_runs(
    make_settings: Callable[..., Settings], tmp_path: Path
) -> None:
    file = manifest(tmp_path, one="query One { one: __typename }")
    with Valkey(tmp_path / "cache") as cache:
        settings = make_settings(cache_url=cache.url, persisted_manifests=(file,))
        async with running(settings) as knows, running(settings) as learns:
            await register(knows, TYPE)
            cache.stop()

            assert await by_hash(knows, TYPE) == ANSWER
            assert await by_hash(learns, TYPE) == NOT_FOUND
            assert await register(learns, TYPE) == ANSWER
            assert await by_hash(learns, TYPE) == ANSWER
            assert outcome(await post(learns, documentId="one")) == {"data": {"one": "Query"}}
