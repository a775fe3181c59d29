"""Builds and closes the objects that a process shares (the composition root)."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from sqlalchemy.exc import DBAPIError

from checks import Misconfigured, Severity
from checks.postgres import journals
from domain import messages
from domain.cursors import Cursors
from domain.ids import IdGenerator, wall_clock_ms
from domain.images.signed_urls import Images
from domain.labels import Labels
from domain.messages import BadMessages, Messages
from domain.moderation.pipeline import Pipeline
from models.likes import Reactions
from observability import metrics
from settings import FIRST_EXTERNAL, TOPICS, USERS, Business, Settings
from store.budgets.budgets import Budgets
from store.cache.local import LocalCache
from store.cache.log import CacheLog
from store.cache.values import Cache
from store.captcha import Captcha
from store.content.entities import EntityStore
from store.content.patches import PatchStore
from store.keys import Keys
from store.notifications.notifications import ReadMarks
from store.other_site import OtherSite
from store.own_sets.boundaries import BoundaryStore
from store.own_sets.own_sets import OwnSets
from store.postgres import client as postgres
from store.postgres.client import Postgres, PostgresDown
from store.reactions.actions import ActionStore, AnonymousBounds
from store.realtime.events import Events
from store.redis.client import Redis, connect_both
from store.site import Freshness
from store.uploads import UploadStore
from store.write_log import shared_settings
from store.write_log.id_leases import NodeLease
from store.write_log.journal import Journals
from store.write_log.operations import Operations
from store.write_log.pending import PendingStore
from store.write_log.write_mode import WriteMode

_COUNTS_DAYS = 7
"""Days for which counters stay cached, for users, topics, and businesses that are no longer configured."""
_CREDIT = 500
"""The points, about the cost of a page, that a caller may spend before the caller's budget is read from Redis."""


@dataclass(frozen=True, slots=True)
class State:
    """The objects that a process shares: stores, caches, budgets and settings. None of them is replaced while the
    process runs.
    """

    settings: Settings
    now_ms: Callable[[], int]
    new_id: IdGenerator
    cursors: Cursors
    images: Images
    uploads: UploadStore | None
    """The store to which users upload files; None if the deployment takes no uploads."""
    captcha: Captcha | None
    """The captcha service for notices; None if the deployment asks for no captcha."""
    businesses: dict[str, Business]
    external: dict[str, Business]
    """The external businesses (lines of content such as videos), by name. Other systems register their entities."""
    businesses_by_id: dict[int, Business]
    reactions: dict[int, Reactions]
    """The kinds of reactions of each business, by its id."""
    labels: Labels
    """The labels and age bands of the businesses file."""
    postgres: Postgres
    redis: Redis
    cache: Cache
    write_mode: WriteMode
    freshness: Freshness
    """How far this site is behind, if it is one of two sites and only reads."""
    other_site: OtherSite | None
    """The other one of two sites; None if there is one site."""
    events: Events
    budgets: Budgets
    keys: Keys
    journals: Journals
    pending: PendingStore
    operations: Operations
    own_sets: OwnSets
    boundaries: BoundaryStore
    actions: ActionStore
    entities: EntityStore
    patches: PatchStore
    read_marks: ReadMarks
    moderation: Pipeline
    messages: Messages

    @property
    def business_names(self) -> dict[int, str]:
        """Returns the names of the configured businesses (lines of content, such as `post` or `video`) by id."""
        return {business.id: business.name for business in self.businesses.values()}

    def is_in_feeds(self, business_id: int) -> bool:
        """Returns whether the business with this number is configured to show its entities in feeds."""
        business = self.businesses_by_id.get(business_id)
        return business is not None and business.in_feeds

    @property
    def event_businesses(self) -> dict[int, str]:
        """Returns the names of the businesses in outgoing events by id: all configured ones, `user` and `topic`."""
        return {USERS: "user", TOPICS: "topic", **self.business_names}

    def counts_life_ms(self, business_id: int) -> int:
        """Returns how many milliseconds the counters of a business stay cached after their last use (L9 in
        requirements.md).
        """
        business = self.businesses_by_id.get(business_id)
        return (business.counts_days if business else _COUNTS_DAYS) * 86_400_000

    def document_life_ms(self, business_id: int) -> int:
        """Returns how many milliseconds the contents of a business (posts, comments or entities) stay cached."""
        return self.businesses_by_id[business_id].content_days * 86_400_000


class _JournalStores(TypedDict):
    """The stores that append changes to the journals, as fields of State."""

    own_sets: OwnSets
    boundaries: BoundaryStore
    actions: ActionStore
    patches: PatchStore
    read_marks: ReadMarks


def build(
    settings: Settings,
    name: str,
    now_ms: Callable[[], int] = wall_clock_ms,
    *,
    gates: bool = True,
    obeys_term: bool = True,
) -> State:
    """Builds the state of a process without connecting to any server: clients connect when they are first used. `name`
    is the kind of process, such as `api`, and labels its connections to Postgres.

    Writes normally go through Redis, but directly to Postgres while Redis is down. With `gates`, the process reads and
    writes no data in Redis during that time (see WriteMode). With `obeys_term`, it writes nothing to Postgres once
    another site takes the writes.
    """
    keys = Keys(settings.partitions)
    database = postgres.connect(settings, name)
    state_redis, cache_redis = connect_both(settings)
    events, journals = Events(cache_redis), Journals(state_redis, keys)
    cache = Cache(cache_redis, now_ms, LocalCache(settings.local_cache_seconds, settings.caches.hot_reads))
    two_sites = settings.connections.other_site is not None
    if two_sites:
        events.log = CacheLog(state_redis, database, cache_redis)
        cache.record_in(events.log)
    external = [business for business in settings.businesses if business.id >= FIRST_EXTERNAL]
    writers, began = settings.database_connections // 2, partial(_generation_began, cache, events)
    write_mode = WriteMode(
        database,
        (state_redis, cache_redis),
        journals,
        gates=gates,
        writers=writers,
        changed=began,
        two_sites=two_sites,
        obeys_term=obeys_term,
    )
    return State(
        settings=settings,
        now_ms=now_ms,
        new_id=IdGenerator(now_ms),
        cursors=Cursors(settings.signing_key),
        images=Images(settings),
        uploads=UploadStore(settings.images.uploads) if settings.images.uploads else None,
        captcha=Captcha(settings.moderation.notices.captcha) if settings.moderation.notices.captcha else None,
        businesses={business.name: business for business in settings.businesses},
        external={business.name: business for business in external},
        businesses_by_id={business.id: business for business in settings.businesses},
        reactions={business.id: Reactions.of(business) for business in settings.businesses},
        labels=Labels(settings.labels),
        postgres=database,
        redis=state_redis,
        cache=cache,
        write_mode=write_mode,
        freshness=Freshness(state_redis, cache_redis, write_mode, now_ms),
        other_site=OtherSite(settings.connections.other_site, now_ms) if settings.connections.other_site else None,
        events=events,
        budgets=Budgets(cache_redis, now_ms, credit=_CREDIT),
        keys=keys,
        journals=journals,
        pending=PendingStore(state_redis, keys),
        operations=Operations(state_redis, keys),
        entities=EntityStore(database, {business.id: business.name for business in external}),
        moderation=Pipeline(settings.moderation, {label.name for label in settings.labels.label}),
        messages=_messages(settings),
        **_journal_stores(settings, state_redis, keys, database),
    )


def _messages(settings: Settings) -> Messages:
    folder, language = settings.people.message_folder, settings.people.language
    try:
        return messages.read(folder, language)
    except BadMessages as error:
        raise Misconfigured(str(error)) from error


def _generation_began(cache: Cache, events: Events) -> None:
    cache.local.clear()
    events.mark_all()


def _journal_stores(settings: Settings, redis: Redis, keys: Keys, database: Postgres) -> _JournalStores:
    bound = settings.journal_max_entries
    anonymous = settings.limits.anonymous
    boundaries = BoundaryStore(
        redis, keys, database, pending_ms=int(settings.pending_seconds * 1000), journal_max_entries=bound
    )
    return {
        "own_sets": OwnSets(redis, keys, database, boundaries, settings),
        "boundaries": boundaries,
        "actions": ActionStore(
            redis, keys, bound, AnonymousBounds(anonymous.actions_per_target, anonymous.actions_per_address)
        ),
        "patches": PatchStore(redis, keys, bound),
        "read_marks": ReadMarks(redis, keys, bound),
    }


@asynccontextmanager
async def opened(
    settings: Settings,
    name: str,
    now_ms: Callable[[], int] = wall_clock_ms,
    *,
    makes_ids: bool = True,
    obeys_term: bool = True,
) -> AsyncIterator[State]:
    """Opens the state of a process, and closes it when the block ends. `name` is the kind of process, such as `api`.

    With `makes_ids`, the process leases a node number, the part of new ids that makes them unique. While Redis is down
    and writes go directly to Postgres, such a process reads and writes no data in Redis. With `obeys_term`, as in all
    processes but workers and the commands that change the term, it writes nothing to Postgres once another site takes
    the writes, and commits wait for that site in synchronous mode (ADR 104). Raises Misconfigured if the
    process's settings contradict those of the installation or of the workers.
    """
    state = build(settings, name, now_ms, gates=makes_ids, obeys_term=obeys_term)
    loop = asyncio.get_running_loop()
    metrics.PARTITIONS.set(settings.partitions)
    metrics.TASKS.set_function(lambda: len(asyncio.all_tasks(loop)))  # counted when the metrics are read
    metrics.CHANNELS_UNCONFIRMED.set_function(lambda: state.events.unconfirmed)
    await _check_journals(state)
    await state.write_mode.refresh()
    clients = {state.redis, state.cache.redis}
    await asyncio.gather(*[client.load_scripts() for client in clients])
    keeps = [state.write_mode.keep, *(one.keep_checking for one in clients)]
    if settings.connections.other_site and makes_ids:
        keeps.append(state.freshness.keep)
    keepers = [asyncio.create_task(keep()) for keep in keeps]
    try:
        if makes_ids:
            node = NodeLease(state.postgres, state.new_id, name, now_ms, lambda: state.write_mode.only_reads)
            await node.renew()
            keepers.append(asyncio.create_task(node.keep()))
            await _check_pending_seconds(state)
        yield state
    finally:
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        await close(state)


async def close(state: State) -> None:
    """Closes the connections of a state to Redis, Postgres, the store of uploads, the captcha service and the other
    site.
    """
    await state.events.close()
    for server in {state.redis, state.cache.redis}:
        await server.close()
    await state.postgres.close()
    if state.uploads:
        await state.uploads.close()
    if state.captcha:
        await state.captcha.close()
    if state.other_site:
        await state.other_site.close()


def calm_collector() -> None:
    """Makes the garbage collector run less often, and ignore the objects that exist now.

    With Python's defaults, garbage collection took up to a tenth of a process's time. It scanned imported modules again
    and again, and the thousands of objects of each batch or page, which contain no cycles.
    """
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


async def _check_pending_seconds(state: State) -> None:
    """Raises Misconfigured if a worker removes pending changes (those that cached values may not include yet) sooner
    than this process's settings require. Does nothing while the process has no node number.
    """
    if (node := state.new_id.node) is None:
        return
    with suppress(PostgresDown, DBAPIError):  # Postgres is down or not migrated: /readyz says so
        if problem := await shared_settings.problem_of_api(
            state.postgres, node, int(state.settings.pending_seconds * 1000)
        ):
            raise Misconfigured(problem)


async def _check_journals(state: State) -> None:
    """Closes the state and raises Misconfigured if the number of journals in the settings is not the number with which
    the deployment was installed.
    """
    with suppress(PostgresDown, DBAPIError):  # Postgres is down or not migrated: /readyz says so
        if (finding := await journals(state.settings, state.postgres)).level is Severity.REFUSED:
            await close(state)
            raise Misconfigured(finding.message)
