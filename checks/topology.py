"""Checks the hash slots of a Redis cluster, and the replicas and sentinels that are needed when a primary fails."""

import asyncio
from collections.abc import Iterator

from redis.exceptions import RedisError, ResponseError

from checks.findings import Finding, Severity, assess
from store.redis import probes
from store.redis.client import Redis
from store.redis.servers import RedisServer, ServerInfo


async def of_slots(server: RedisServer, store: str) -> list[Finding]:
    """Returns a finding about the hash slots of a server that are being moved to another server. Until a move is
    finished, some writes are refused. `store` is `state` or `cache`; the name of the finding begins with it.
    """
    moving = await probes.read_moving_slots(server)
    fact = f"{server.name}: {len(moving)} slots are being moved" + (f", the first is {moving[0]}" if moving else "")
    because = f"some writes are refused until the move is finished: run valkey-cli --cluster fix {server.name}"
    return [assess(f"{store}.slots", not moving, Severity.WARNING, fact, because)]


async def of_coverage(server: RedisServer, store: str) -> list[Finding]:
    """Returns a finding about whether a master of a cluster still serves its own slots while another master is down.
    Returns none if the master refuses CONFIG GET. `store` is `state` or `cache`; the name of the finding begins with
    it.
    """
    config = await probes.read_config(server, "cluster-require-full-coverage")
    if config is None:
        return []
    value = config.get("cluster-require-full-coverage")
    fact = f"{server.name}: cluster-require-full-coverage is {value}"
    because = "while a master is down, all others refuse requests: set it to no"
    return [assess(f"{store}.full_coverage", value == "no", Severity.WARNING, fact, because)]


async def of_replicas(redis: Redis, primaries: list[tuple[str, ServerInfo]]) -> list[Finding]:
    """Returns findings about each replica of these primaries: whether it is connected, and whether it stores its data
    durably. `primaries` are pairs of the name of a server and its INFO.
    """
    replicas = [
        (one["ip"], int(one["port"])) for _, info in primaries for name, one in info.items() if _is_replica(name, one)
    ]
    found = await asyncio.gather(*[_of_replica(redis, *replica) for replica in replicas])
    return [finding for some in found for finding in some]


def _is_replica(name: str, answers: object) -> bool:
    return name.removeprefix("slave").isdecimal() and isinstance(answers, dict)


async def _of_replica(redis: Redis, host: str, port: int) -> list[Finding]:
    who = f"replica {host}:{port}"
    try:
        info, config = await probes.read_replica(redis, host, port)
    except (RedisError, OSError) as error:
        fact, because = f"{who} does not answer: {error}", "it is unknown whether it can take over"
        return [assess("state.replica", None, Severity.WARNING, fact, because)]
    return [*_durability(who, info, config)]


def _durability(who: str, info: ServerInfo, config: ServerInfo) -> Iterator[Finding]:
    link = info.get("master_link_status")
    fact, because = f"{who}: its link to the primary is {link}", "it does not replicate: see its log"
    yield assess("state.replica", link == "up", Severity.WARNING, fact, because)
    appends, synced = info.get("aof_enabled"), config.get("appendfsync")
    fact = f"{who}: appendonly is {'yes' if appends else 'no'}, appendfsync is {synced}"
    because = "after it takes over, a restart loses the journals: set appendonly yes and appendfsync everysec"
    yield assess("state.replica_appendonly", bool(appends) and synced != "no", Severity.ERROR, fact, because)


async def of_sentinels(redis: Redis, service: str, store: str) -> list[Finding]:
    """Returns findings about the configured sentinels: whether they answer, and whether they have a quorum for the
    service `service`, which is their name for this Redis. `store` is `state` or `cache`; the names of the findings
    begin with it.
    """
    answers = await probes.ask_sentinels(redis, service)
    answered = [one for one in answers if not isinstance(one, Exception) or isinstance(one, ResponseError)]
    fact = f"{len(answered)} of {len(answers)} sentinels answer"
    because = "start the others: a majority must agree before a replica takes over"
    refusal = next((str(one) for one in answered if isinstance(one, ResponseError)), "")
    quorum = assess(f"{store}.quorum", not refusal, Severity.ERROR, refusal or "the sentinels have a quorum", because)
    return [assess(f"{store}.sentinels", len(answered) == len(answers), Severity.WARNING, fact, because), quorum]
