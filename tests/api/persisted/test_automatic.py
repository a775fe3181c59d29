"""Automatic persisted queries as Apollo's clients send them, and attacks on them."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from api.messages import GraphQLRequest
from api.persisted.operations import PersistedOperations
from context import Client
from domain.errors import PersistedQueryNotFound
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
    """Returns the round trips to Redis and the SQL queries of the last request."""
    usage = metrics.usage.get()
    assert usage is not None
    return usage.redis_round_trips, usage.sql_queries


async def registered(system: System) -> list[bytes]:
    return [value async for value in system.state.cache.redis.client.scan_iter("{apq:*")]


# The protocol


async def test_a_client_sends_a_query_once_and_its_hash_from_then_on(system: System) -> None:
    assert await by_hash(system, TYPE) == NOT_FOUND
    assert await register(system, TYPE) == ANSWER
    assert await by_hash(system, TYPE) == ANSWER


@standalone
async def test_a_get_by_hash_is_cacheable_like_a_get_with_the_query(system: System) -> None:
    unknown = await get(system, extensions=apollo(sha(TYPE)))
    sent = await get(system, query=TYPE, extensions=apollo(sha(TYPE)))
    named = await get(system, extensions=apollo(sha(TYPE)))

    assert outcome(unknown) == NOT_FOUND
    assert unknown.headers["cache-control"] == "private, no-store"
    assert outcome(sent) == outcome(named) == ANSWER
    assert named.headers["cache-control"] == "public, max-age=10"
    assert named.headers["etag"] == sent.headers["etag"]


@standalone
async def test_a_query_by_hash_can_read_private_data(system: System) -> None:
    mine = "{ viewer { id } }"
    await register(system, mine)

    response = await get(system, extensions=apollo(sha(mine)))

    assert response.headers["cache-control"] == "private, max-age=0, must-revalidate"


@standalone
async def test_a_query_by_hash_has_variables_and_an_operation_name(system: System) -> None:
    query = "query A($no: Boolean!) { a: __typename b: __typename @skip(if: $no) } query B { __typename }"
    await post(system, query=query, operationName="B", extensions=apollo(sha(query)))

    a = await post(system, operationName="A", variables={"no": True}, extensions=apollo(sha(query)))

    assert outcome(a) == {"data": {"a": "Query"}}


@standalone
async def test_a_hash_that_does_not_match_its_text_is_refused(system: System) -> None:
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
async def test_clients_learn_that_automatic_persisted_queries_are_off(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(apq=False)) as system:
        assert await by_hash(system, TYPE) == NOT_SUPPORTED
        assert await register(system, TYPE) == NOT_SUPPORTED
        assert await registered(system) == []


# Registration


@standalone
@pytest.mark.parametrize("query", ["{ nothing }", "{ viewer { id }", "{ __typename } " * 3000, "query A { viewer }"])
async def test_an_invalid_query_is_not_registered(system: System, query: str) -> None:
    refused = await register(system, query)

    assert isinstance(refused, tuple)
    assert refused[0] in (400, 422)
    assert await registered(system) == []
    assert await by_hash(system, query) == NOT_FOUND


@standalone
async def test_a_valid_query_is_registered_even_if_it_fails(system: System) -> None:
    query = "query ($id: ID!) { node(id: $id) { id } }"

    failed = await post(system, query=query, variables={"id": "no id"}, extensions=apollo(sha(query)))

    assert failed.json()["errors"][0]["extensions"]["code"] == "BAD_INPUT"
    assert len(await registered(system)) == 1


@standalone
async def test_a_query_without_hash_is_not_registered(system: System) -> None:
    await post(system, query=TYPE)

    assert await registered(system) == []


@standalone
async def test_a_query_that_is_too_long_runs_and_is_not_registered(system: System) -> None:
    fits = "{ __typename } #" + 5456 * "界"
    long = fits + "x"
    assert (len(fits.encode()), len(long.encode())) == (16_384, 16_385)
    assert await register(system, fits) == await register(system, long) == ANSWER

    assert await by_hash(system, fits) == ANSWER
    assert await by_hash(system, long) == NOT_FOUND
    assert len(await registered(system)) == 1


# Limits


def aliased(count: int) -> list[str]:
    return [f"{{ a{i}: __typename }}" for i in range(count)]


def request(query_hash: str, query: str | None = None) -> GraphQLRequest:
    return GraphQLRequest(query, None, None, None, only_reads=False, query_hash=query_hash)


async def put(operations: PersistedOperations, query: str) -> None:
    await operations.register(sha(query), query)


async def found(operations: PersistedOperations, queries: list[str]) -> list[str]:
    """Returns those of the queries that are registered."""
    texts = []
    for query in queries:
        with suppress(PersistedQueryNotFound):
            texts.append(await operations.text_of(request(sha(query)), Client()))
    return texts


@standalone
async def test_the_number_of_registered_queries_is_limited(system: System) -> None:
    operations, queries = PersistedOperations(system.state, slots=8), aliased(60)
    for query in queries:
        await put(operations, query)
    in_redis = await registered(system)
    await system.empty_redis()

    assert len(in_redis) == 8
    assert await found(operations, queries) == queries[-8:]


@standalone
async def test_a_newer_query_replaces_an_older_one_in_its_slot(system: System) -> None:
    one, other = [PersistedOperations(system.state, slots=1) for _ in range(2)]
    first, second = aliased(2)
    await put(one, first)
    await put(one, second)

    assert await found(other, [first, second]) == [second]


@standalone
async def test_a_stored_text_that_does_not_match_its_hash_never_runs(system: System) -> None:
    await register(system, TYPE)
    (key,) = await registered(system)
    async with running(system.settings) as other:
        await other.state.cache.redis.client.set(key, "{ viewer { id } }")

        assert await by_hash(other, TYPE) == NOT_FOUND


@standalone
async def test_an_unused_query_expires_and_use_extends_its_life(make_settings: Callable[..., Settings]) -> None:
    clock = FrozenClock()
    async with running(make_settings(), clock) as system:
        client = system.state.cache.redis.client
        await register(system, TYPE)
        (key,) = await registered(system)
        assert 7 * DAY - 60 < await client.ttl(key) <= 7 * DAY

        # A process keeps a text for an hour without reading Redis. Its next read extends the life of the text.
        await client.expire(key, 100)
        clock.pass_seconds(3599)
        assert await by_hash(system, TYPE) == ANSWER
        assert await client.ttl(key) <= 100
        clock.pass_seconds(2)
        assert await by_hash(system, TYPE) == ANSWER
        assert await client.ttl(key) > 6 * DAY

        # After the text expires in Redis, the process keeps it for at most another hour.
        await client.delete(key)
        clock.pass_seconds(3601)
        assert await by_hash(system, TYPE) == NOT_FOUND


# Shared registration, and its cost


async def test_processes_share_registered_queries(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings()) as one, running(make_settings()) as other:
        await register(one, TYPE)

        assert await by_hash(other, TYPE) == ANSWER
        assert spent() == (1, 0)
        assert await by_hash(other, TYPE) == ANSWER
        assert spent() == (0, 0)
        assert await by_hash(one, TYPE) == ANSWER
        assert spent() == (0, 0)


@standalone
async def test_registration_and_an_unknown_hash_cost_one_round_trip(system: System) -> None:
    await register(system, TYPE)
    assert spent() == (1, 0)

    for query in aliased(3):  # a hash that Redis lacks may belong to an import, but imports are read seldom
        assert await by_hash(system, query) == NOT_FOUND
        assert spent() == (1, 0)


# Redis is down


@standalone
async def test_without_redis_no_hash_is_found_and_queries_with_text_run(
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
