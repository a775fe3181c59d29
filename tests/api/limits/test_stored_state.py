"""Checks that the data that one actor can make Redis store is bounded, for every kind of key."""

from collections.abc import Callable

import pytest

from settings import Settings
from tests.api.limits.argument_values import made_values
from tests.api.limits.key_tables import CACHE, DOCS, STATE, rows
from tests.support.priced_operations import mutations
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, System, running

COLLECTIONS = "hash", "zset", "set", "list", "stream"
RECORDS, SHORT_MS = 1000, 60_000
VIEW = """mutation ($id: ID!, $key: String!) {
  recordViews(input: {targetIds: [$id], idempotencyKey: $key}) { userErrors { code } } }"""


def test_the_documentation_bounds_every_key_of_the_state_redis() -> None:
    stated = {name for name, *_ in rows(DOCS.read_text())}
    assert stated == {name for name, *_ in STATE}


def test_every_key_of_the_cache_has_a_life_and_every_collection_a_cap() -> None:
    assert not [name for name, type_, _, life, cap, *_ in CACHE if not life or (type_ in COLLECTIONS and not cap)]


async def long_records(system: System, actor_id: int) -> list[bytes]:
    """Returns the idempotency records of an actor that live longer than a minute."""
    redis = system.state.redis.client
    found = [key async for key in redis.scan_iter(f"*:idem:{actor_id}:*", count=1000)]
    return [key for key in found if await redis.pttl(key) > SHORT_MS]


@standalone
async def test_records_beyond_a_thousand_an_hour_live_for_a_minute(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=LIMITLESS)) as system:
        (video,) = await system.videos("v1")
        alice, redis = system.person("alice"), system.state.redis.client
        actor = int((await alice.id()).partition(":")[2])
        before = int((await redis.info("memory"))["used_memory"])
        for number in range(RECORDS + 100):
            await alice.ask(VIEW, id=video, key=f"key-{number}")
        used = int((await redis.info("memory"))["used_memory"]) - before
        kept = await long_records(system, actor)
        sizes = [await redis.memory_usage(key) for key in kept[:10]]

        assert len(kept) == RECORDS
        assert max(sizes) <= 200
        assert used < RECORDS * 400
        assert await redis.pttl(system.state.keys.records(actor)) > SHORT_MS


@standalone
async def test_writes_without_a_key_are_not_among_the_thousand(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    actor = int((await alice.id()).partition(":")[2])
    for verb in ("like", "unlike", "like"):
        await alice.react(verb, video, key=None)

    assert await system.state.redis.client.get(system.state.keys.records(actor)) is None


@standalone
@pytest.mark.timeout(300)
async def test_no_mutation_makes_more_long_records(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        viewer, values = await made_values(system)
        actor, redis = int((await viewer.id()).partition(":")[2]), system.state.redis.client
        earlier = set(await long_records(system, actor))
        await redis.set(system.state.keys.records(actor), RECORDS, px=3_600_000)

        sent = [(await viewer.send(one.text, **one.variables(1))).json() for one in mutations(values)]
        more = set(await long_records(system, actor)) - earlier

    assert sum("errors" not in body for body in sent) > 30
    assert not more


@standalone
async def test_the_devices_of_a_network_share_a_count(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings()) as system:
        (video,) = await system.videos("v1")
        for number in range(3):
            await system.person(None, device_id=f"device{number}").ask(VIEW, id=video, key="a")
        found = [key async for key in system.state.redis.client.scan_iter("*:records:*", count=1000)]
        counts = [await system.state.redis.client.get(key) for key in found if b":records:-" in key]

    assert counts == [b"3"]
