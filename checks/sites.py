"""Checks two sites: whether this one and the other one fit together, and whether this one receives what the other one
writes. There are no findings if there is one site.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version

from checks.findings import Finding, Severity, assess
from domain.errors import Unavailable
from models.database.revisions import newest_revision
from settings import Settings
from store import promotion
from store.cache import log, repeated
from store.other_site import OtherSite, SiteReport
from store.postgres.client import Postgres
from store.redis import replication
from store.redis.client import Redis, RedisDown
from store.site import LATEST_CACHE_MS, LATEST_STATE_MS
from store.write_log import write_mode

_MOST_SKEW_MS = 100
"""The largest allowed difference between the clocks of both sites, in milliseconds."""
_LONGEST_LAG_S = LATEST_CACHE_MS / 1000
_MOST_UNREPLAYED = 16 * 1024 * 1024
"""The most bytes of the WAL that a standby may lack before a finding says so."""


async def findings(
    settings: Settings, database: Postgres, redis: Redis, cache: Redis, now_ms: Callable[[], int]
) -> list[Finding]:
    """Returns the findings about two sites. Raises PostgresDown, RedisDown or redis-py's errors."""
    if (url := settings.connections.other_site) is None:
        return []
    is_standby = (await promotion.standby(database)).is_standby
    other, found = OtherSite(url, now_ms), [*_of_settings(settings, database)]
    found.append(await _of_cache(redis, cache))
    try:
        report = await other.ask()
    except Unavailable as error:
        found.append(Finding("site.answers", Severity.ERROR, error.message))
    else:
        found += [*_of_report(settings, report), await _of_writes(database, report)]
    finally:
        await other.close()
    is_replica = await replication.is_replica(redis)
    roles = "a standby" if is_standby else "a primary", "a replica" if is_replica else "a primary"
    fact, because = "Postgres is {}, and the state Redis is {}".format(*roles), "run plaudit promote again"
    found.append(assess("site.roles", is_standby == is_replica, Severity.ERROR, fact, because))
    found.append(await (_received(redis, cache, now_ms) if is_standby else _sent(database, redis, other.last)))
    if not is_standby and (replicas := (await write_mode.read(database)).replicas):
        found.append(await _synchronous(database, redis, replicas))
    return found


def _of_settings(settings: Settings, database: Postgres) -> Iterator[Finding]:
    pending, least = settings.pending_seconds, settings.request_timeout + _LONGEST_LAG_S
    fact = f"PLAUDIT_PENDING_SECONDS is {pending:g}"
    because = f"with PLAUDIT_REQUEST_TIMEOUT={settings.request_timeout:g}, it must be at least {least:g}"
    yield assess("site.pending_seconds", pending >= least, Severity.REFUSED, fact, because)
    fact, because = f"the state Redis is {settings.redis_mode}", "a cluster has no common order of changes"
    yield assess("site.redis", settings.redis_mode != "cluster", Severity.REFUSED, fact, because)
    fact = f"Postgres is {'' if database.is_distributed else 'not '}distributed"
    because = "several servers have no common position of the WAL"
    yield assess("site.postgres", not database.is_distributed, Severity.REFUSED, fact, because)


async def _of_cache(redis: Redis, cache: Redis) -> Finding:
    is_own: bool | None = None
    with suppress(RedisDown):
        is_own = cache is not redis and not await redis.run_ids() & await cache.run_ids()
    fact = f"the cache Redis and the state Redis are {'two servers' if is_own else 'one server'}"
    if is_own is None:
        fact = "the cache Redis or the state Redis does not answer"
    because = "a reading site empties its cache Redis: set PLAUDIT_CACHE_URL to another server"
    return assess("site.cache_url", is_own, Severity.REFUSED, fact, because)


def _of_report(settings: Settings, other: SiteReport) -> Iterator[Finding]:
    yield assess(
        "site.answers",
        other.is_ready,
        Severity.WARNING,
        f"the other site is {'ready' if other.is_ready else 'not ready'}",
        "see its /readyz",
    )
    here = version("plaudit"), newest_revision()
    fact = f"the other site has version {other.version} and revision {other.revision}"
    because = f"this one has version {here[0]} and revision {here[1]}: finish the upgrade"
    yield assess("site.version", (other.version, other.revision) == here, Severity.WARNING, fact, because)
    mode = settings.cache_mode or settings.redis_mode
    fact, because = f"its cache Redis is {other.cache_mode}", f"that of this site is {mode}: both must be the same"
    is_same = (mode == "cluster") == (other.cache_mode == "cluster")
    yield assess("site.cache", is_same, Severity.ERROR, fact, because)
    fact = f"the other site {'trusts' if other.trusts else 'does not trust'} this one as a proxy"
    because = "forwarded requests count as those of one address: list this site in its PLAUDIT_TRUSTED_PROXIES"
    yield assess("site.trusted_proxies", other.trusts, Severity.ERROR, fact, because)
    apart, unsure = abs(other.ahead_ms), other.unsure_ms
    is_good = True if apart + unsure <= _MOST_SKEW_MS else False if apart - unsure > _MOST_SKEW_MS else None
    fact = f"the clocks of the sites are {apart:.0f} ms apart, {unsure:.0f} ms more or less"
    because = f"at most {_MOST_SKEW_MS} ms are allowed: let the hosts of both sites ask the same time servers"
    yield assess("site.clock", is_good, Severity.ERROR, fact, because)


async def _of_writes(database: Postgres, other: SiteReport) -> Finding:
    mode, is_standby = await write_mode.read(database), (await promotion.standby(database)).is_standby
    count = other.takes_writes + (not is_standby and not mode.is_released)
    fact = f"{count} of two sites take writes; the term is {mode.term} here and {other.term} there"
    because = "the site with the lower term must stop: start its workers" if count else "promote one of them"
    return assess("site.writes", count == 1, Severity.ERROR, fact, because)


async def _received(redis: Redis, cache: Redis, now_ms: Callable[[], int]) -> Finding:
    """Returns a finding about how old the newest change is that this reading site has."""
    newest, reached = await log.newest_ms(redis), await repeated.reached(cache)
    state_ms, cache_ms = now_ms() - newest, now_ms() - (reached.ms if reached else 0)
    fact = f"the newest change is {state_ms / 1000:.1f} s old in the state Redis, {cache_ms / 1000:.1f} s in the cache"
    if newest < 0 or reached is None:
        fact = "this site has never received a change"
    because = "it must run workers, and the other site too, and Postgres and Redis must replicate"
    is_good = reached is not None and state_ms <= LATEST_STATE_MS and cache_ms <= LATEST_CACHE_MS
    return assess("site.replication", is_good, Severity.ERROR, fact, because)


async def _sent(database: Postgres, redis: Redis, other: SiteReport | None) -> Finding:
    """Returns a finding about what the other site, which reads, has of the writes of this one."""
    count, position = await replication.replicas(redis), await log.written(database)
    lacking = None if other is None or other.replayed is None else max(0, position - other.replayed)
    fact = f"the state Redis has {count} replicas, and the other Postgres lacks {lacking} bytes of the WAL"
    if lacking is None:
        fact = f"the state Redis has {count} replicas, and no standby is known at the other site"
    is_good = count > 0 and lacking is not None and lacking <= _MOST_UNREPLAYED
    return assess("site.replication", is_good, Severity.ERROR, fact, "a promotion now loses writes")


async def _synchronous(database: Postgres, redis: Redis, wanted: int) -> Finding:
    count, alone = await replication.replicas(redis), await promotion.has_no_standby(database)
    names = "not set" if alone else "set"
    fact = f"synchronous mode waits for {wanted} replicas of {count}; synchronous_standby_names is {names}"
    because = "writes are refused: repair the replication, or run plaudit site asynchronous"
    return assess("site.synchronous", count >= wanted and not alone, Severity.ERROR, fact, because)
