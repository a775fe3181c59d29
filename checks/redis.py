"""Checks that the state Redis, which has the journals, does not lose changes that clients believe to be stored; and
that the cache Redis, whose values can be rebuilt, removes keys when it is full.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from checks import topology
from checks.clocks import clock
from checks.findings import Finding, Severity, assess
from settings import RedisMode, Settings
from store.redis import probes
from store.redis.client import Redis
from store.redis.servers import RedisServer, ServerInfo, memory_ratio, primaries

_OLDEST = (7, 2)
"""The oldest supported version of Redis. Valkey reports the version of Redis with which it is compatible."""
_NEARLY_FULL = 0.8
"""The share of its `maxmemory` from which on a server is reported as nearly full."""
_REMEDIES = {
    "NOREPLICAS": "connect a replica, or lower min-replicas-to-write",
    "MISCONF": "it cannot write to its disk: free disk space",
    "OOM": "raise its maxmemory",
    "CLUSTERDOWN": "some slots have no master that answers",
    "NOPERM": f"allow its user all commands on all keys, including {probes.KEY}*",
}
_LISTPACKS = "zset-max-listpack-entries"
_LONGEST_LISTPACK = 128
"""The most entries that a listpack, Redis's compact form of a small set, can have so that a search is fast enough
(docs/adr/0014).
"""
_INBOX_FACTOR = 1.25
"""The largest number of entries of an inbox, as a multiple of the setting `inbox_posts`. An inbox grows by a tenth
before it is trimmed, and keeps deleted posts for some time.
"""


@dataclass(frozen=True, slots=True)
class _ServerAnswers:
    """The answers of one Redis server to the commands that the checks send."""

    name: str
    info: ServerInfo
    config: ServerInfo | None
    """The configuration, or None if the server refuses CONFIG GET."""
    ahead_ms: float
    """By how many milliseconds the server's clock is ahead of this host's clock."""
    refusal: str
    """The error with which the server refused a test write. Empty if it accepted the write."""

    def setting(self, name: str) -> str | None:
        """Returns a configuration value, or None if the server does not report it."""
        return self.config.get(name) if self.config else None


async def of_state(redis: Redis, settings: Settings, now_ms: Callable[[], int]) -> list[Finding]:
    """Returns findings about all servers of the state Redis: primaries, replicas and sentinels, and the slots of a
    cluster. Raises redis-py's errors if a primary does not answer.
    """
    servers = await _all_answers(redis, now_ms)
    found = [
        finding for server in servers for finding in (*_common(server, redis, "state", settings), *_durability(server))
    ]
    around = await _topology(redis, settings.redis_mode, settings.sentinel_service, "state")
    return [*found, *around, *await topology.of_replicas(redis, [(server.name, server.info) for server in servers])]


async def of_cache(redis: Redis, settings: Settings, now_ms: Callable[[], int], *, shared: bool) -> list[Finding]:
    """Returns findings about all servers of the cache Redis: primaries and sentinels, and the slots of a cluster. If
    `shared` is true, because the state Redis is also the cache, returns one warning. Raises redis-py's errors if a
    primary does not answer.
    """
    if shared:
        message = "PLAUDIT_CACHE_URL is not set: cached copies fill the memory of the state Redis, which evicts nothing"
        return [Finding("cache.separate", Severity.WARNING, message)]
    servers = await _all_answers(redis, now_ms)
    mode, service = settings.cache_mode or settings.redis_mode, settings.cache_service or settings.sentinel_service
    found = [
        finding
        for server in servers
        for finding in (*_common(server, redis, "cache", settings), *_eviction(server, settings))
    ]
    return [*found, *await _topology(redis, mode, service, "cache")]


async def _topology(redis: Redis, mode: RedisMode, service: str, store: str) -> list[Finding]:
    if mode == "sentinel":
        return await topology.of_sentinels(redis, service, store)
    if mode != "cluster":
        return []
    masters = await primaries(redis)
    about = (topology.of_slots, topology.of_coverage)
    found = await asyncio.gather(*[check(server, store) for server in masters for check in about])
    return [finding for some in found for finding in some]


async def _all_answers(redis: Redis, now_ms: Callable[[], int]) -> list[_ServerAnswers]:
    return await asyncio.gather(*[_answers(server, redis, now_ms) for server in await primaries(redis)])


async def _answers(server: RedisServer, redis: Redis, now_ms: Callable[[], int]) -> _ServerAnswers:
    info, config = await probes.read_info(server), await probes.read_config(server)
    asked_ms = now_ms()
    server_ms = await probes.read_clock_ms(server)
    ahead_ms = server_ms - (asked_ms + now_ms()) / 2
    takes_writes = info["role"] == "master" and bool(info.get("cluster_enabled")) == redis.cluster
    return _ServerAnswers(
        server.name, info, config, ahead_ms, await probes.write_refusal(server, redis) if takes_writes else ""
    )


def _common(server: _ServerAnswers, redis: Redis, store: str, settings: Settings) -> Iterator[Finding]:
    """Yields the findings that are the same for servers of the state Redis and of the cache Redis. `store` is `state`
    or `cache`; the names of the findings begin with it.
    """
    info, who = server.info, server.name
    yield assess(
        f"{store}.version",
        tuple(int(part) for part in str(info["redis_version"]).split(".")[:2]) >= _OLDEST,
        Severity.ERROR,
        f"{who} is {info.get('server_name', 'redis')}, compatible with Redis {info['redis_version']}",
        "it must be 7.2 or newer",
    )
    role = info["role"]
    is_good = role == "master" or (store == "state" and settings.connections.other_site is not None)
    yield assess(f"{store}.primary", is_good, Severity.ERROR, f"{who} is a {role}", "it accepts no writes")
    of_cluster = bool(info.get("cluster_enabled"))
    yield assess(
        f"{store}.mode",
        of_cluster == redis.cluster,
        Severity.ERROR,
        f"{who} is {'part of a cluster' if of_cluster else 'one server'}",
        f"the settings say {'a cluster' if redis.cluster else 'one server'}",
    )
    yield assess(
        f"{store}.writes",
        not server.refusal,
        Severity.ERROR,
        f"{who} refuses a write: {server.refusal}" if server.refusal else f"{who} accepts writes",
        _REMEDIES.get(server.refusal.partition(" ")[0], "it refuses writes: see its log"),
    )
    yield clock(f"{store}.clock", who, server.ahead_ms, Severity.REFUSED if store == "state" else Severity.ERROR)
    if server.config is None:
        yield Finding(f"{store}.config", Severity.WARNING, f"{who} refuses CONFIG GET: some checks were skipped")


def _durability(server: _ServerAnswers) -> list[Finding]:
    """Returns findings about how safely a server of the state Redis stores changes: its eviction, append-only file,
    memory and configuration.
    """
    info, who = server.info, server.name
    policy, appends = info.get("maxmemory_policy"), info.get("aof_enabled")
    status, bound, ratio = info.get("aof_last_write_status", "ok"), info["maxmemory"], memory_ratio(info)
    return [
        assess(
            "state.eviction",
            None if policy is None else policy == "noeviction",
            Severity.REFUSED,
            f"{who}: maxmemory-policy is {policy}",
            "it must be noeviction, or journals can be evicted",
        ),
        assess(
            "state.appendonly",
            None if appends is None else bool(appends),
            Severity.REFUSED,
            f"{who}: appendonly is {'yes' if appends else 'no'}",
            "a restart loses the journals",
        ),
        assess(
            "state.written",
            status == "ok",
            Severity.ERROR,
            f"{who}: the status of its last write to disk is {status}",
            "it refuses writes",
        ),
        assess(
            "state.maxmemory",
            bound > 0,
            Severity.WARNING,
            f"{who}: maxmemory is {bound}",
            "without a limit it grows until the operating system kills it",
        ),
        assess(
            "state.memory",
            ratio < _NEARLY_FULL,
            Severity.WARNING,
            f"{who}: {ratio:.0%} of its memory is used",
            "at 100% it refuses writes",
        ),
        *([] if server.config is None else _configuration(server)),
    ]


def _configuration(server: _ServerAnswers) -> list[Finding]:
    who, synced, paused = server.name, server.setting("appendfsync"), server.setting("no-appendfsync-on-rewrite")
    replicas, least = server.info.get("connected_slaves"), server.setting("min-replicas-to-write")
    longest = int(server.setting(_LISTPACKS) or 0)
    return [
        assess(
            "state.appendfsync",
            None if synced is None else synced != "no",
            Severity.REFUSED,
            f"{who}: appendfsync is {synced}",
            "a crash of the machine loses about the last 30 seconds, which the kernel had not written to disk",
        ),
        assess(
            "state.rewrites",
            None if paused is None else paused == "no",
            Severity.WARNING,
            f"{who}: no-appendfsync-on-rewrite is {paused}",
            "a crash of the machine loses about the last 30 seconds while the append-only file is rewritten",
        ),
        Finding("state.replicas", Severity.OK, f"{who}: {replicas} replicas, min-replicas-to-write is {least}"),
        assess(
            "state.listpacks",
            longest <= _LONGEST_LISTPACK,
            Severity.WARNING,
            f"{who}: {_LISTPACKS} is {longest}",
            f"above {_LONGEST_LISTPACK}, lookups of likes and follows are slow",
        ),
    ]


def _eviction(server: _ServerAnswers, settings: Settings) -> Iterator[Finding]:
    info, who = server.info, server.name
    bound, policy = info["maxmemory"], info.get("maxmemory_policy")
    yield assess(
        "cache.eviction",
        bound > 0 and policy != "noeviction",
        Severity.WARNING,
        f"{who}: maxmemory is {bound}, maxmemory-policy is {policy}",
        "it must have a limit, and evict keys when it is full",
    )
    if longest := int(server.setting(_LISTPACKS) or 0):
        wanted = int(settings.caches.inbox_posts * _INBOX_FACTOR)
        yield assess(
            "cache.listpacks",
            longest >= wanted,
            Severity.WARNING,
            f"{who}: {_LISTPACKS} is {longest}",
            f"below {wanted}, full inboxes need four times the memory",
        )
