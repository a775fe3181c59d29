"""Redis behind Sentinel: clients find the primary through any sentinel, and leave it after a failover."""

import asyncio
from collections.abc import Iterator

import pytest

from domain.errors import Unavailable
from models.counters import EntityRef
from store.realtime.events import Events
from store.redis.client import Redis
from store.redis.connection import OneServer
from tests.support.redis_clients import connected
from tests.support.valkey_sentinels import SERVICE, ValkeySentinels

MODE = {"redis_mode": "sentinel"}
CLOSED_PORT = "127.0.0.1:1"
BOUND = 5.0
"""Seconds. A former primary acts as a primary for ten."""
VIDEO = EntityRef(100, 1)


@pytest.fixture(scope="module")
def sentinels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeySentinels]:
    with ValkeySentinels(tmp_path_factory.mktemp("sentinels"), sentinels=3) as servers:
        yield servers


async def test_concurrent_connections_ask_the_sentinels_once_and_keep_all_sentinels(sentinels: ValkeySentinels) -> None:
    hosts = sentinels.url.removeprefix("redis://")
    async with connected(f"redis://{CLOSED_PORT},{hosts}", **MODE) as client:
        assert isinstance(client.servers, OneServer)
        async with asyncio.TaskGroup() as group:
            for number in range(20):
                group.create_task(client.servers.exchange([("SET", f"k{number}", "v")]))
        known = {
            sentinel.connection_pool.connection_kwargs["port"]
            for sentinel in client.client.connection_pool.sentinel_manager.sentinels
        }

        assert known == {1, *[sentinel.port for sentinel in sentinels.sentinels]}


async def test_an_unknown_service_and_unreachable_sentinels_mean_that_redis_is_down(
    sentinels: ValkeySentinels,
) -> None:
    async with connected(sentinels.url, **MODE, sentinel_service="another") as client:
        with pytest.raises(Unavailable):
            await client("GET", "a")
    async with connected(f"redis://{CLOSED_PORT}", **MODE) as client:
        with pytest.raises(Unavailable):
            await client("GET", "a")


async def test_servers_and_sentinels_have_separate_passwords(sentinels: ValkeySentinels) -> None:
    for server in sentinels.nodes:
        server.command("ACL SETUSER", "plaudit", "on", ">a/b@c", "+@all", "~*", "&*")
    for server in sentinels.sentinels:
        server.command("ACL SETUSER", "watcher", "on", ">s e", "+@all")
    hosts = sentinels.url.removeprefix("redis://")
    url = f"redis://plaudit:a%2Fb%40c@{hosts}/1?sentinel_username=watcher&sentinel_password=s%20e"

    async with connected(url, **MODE) as client:
        who, about = await client.gather([("ACL", "WHOAMI"), ("CLIENT", "INFO")])
        watching = "".join(str(server.command("CLIENT LIST")) for server in sentinels.sentinels)

    assert who == b"plaudit"
    assert b" db=1 " in about
    assert "'user': 'watcher'" in watching


async def test_clients_leave_a_former_primary_before_it_steps_down(sentinels: ValkeySentinels) -> None:
    former, following = sentinels.primary, sentinels.replica
    async with connected(sentinels.url, **MODE) as client:
        events = Events(client)
        with events.counter_changes([VIDEO]) as changes:
            assert await anext(changes) == VIDEO
            assert await port_of(client) == former.port

            sentinels.sentinels[0].command("SENTINEL FAILOVER", SERVICE)
            async with asyncio.timeout(BOUND):
                while await port_of(client) != following.port:
                    await asyncio.sleep(0.02)
                assert await anext(changes) == VIDEO  # an event after a possible loss
                await events.publish([VIDEO])
                assert await anext(changes) == VIDEO
        await events.close()

    assert former.command("ROLE")[0] == "master"


async def port_of(client: Redis) -> int:
    """Returns the port of the server that answers."""
    _, port = await client("CONFIG", "GET", "port")
    return int(port)
