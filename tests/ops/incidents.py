"""Incidents: what happens to a deployment, and which alerts fire."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from unittest.mock import ANY

import httpx

from settings.events import EventSettings
from tests.ops.scene import Scene, kill
from tests.ops.second_site import NOWHERE
from tests.support.appeals import appeal, decide
from tests.support.posts import publish
from tests.support.reports import reported
from tests.support.subscriptions import ApiAtAddress

NOTHING: Mapping[str, Any] = {}


class Incident(NamedTuple):
    """An incident.

    `soon` are the alerts that fire at the end of `seconds`, in which the incident was recorded, without `Plaudit`.
    `later` are further alerts that fire if everything goes on in the same way for another 70 minutes.
    """

    happen: Callable[[Scene], Awaitable[object]]
    seconds: int
    soon: set[str]
    later: set[str]
    settings: Mapping[str, Any] = NOTHING


async def kill_api(scene: Scene) -> None:
    kill(scene.api)


async def kill_workers(scene: Scene) -> None:
    kill(*scene.workers)


async def kill_one_worker(scene: Scene) -> None:
    kill(scene.workers[0])


async def kill_all(scene: Scene) -> None:
    kill(scene.api, *scene.workers)


async def stop_postgres(scene: Scene) -> None:
    await asyncio.to_thread(scene.postgres.stop)


async def stop_state_redis(scene: Scene) -> None:
    await asyncio.to_thread(scene.state.stop)


async def stop_cache_redis(scene: Scene) -> None:
    """Stops the cache Redis, with a subscriber who waits for events, and a post on its way to a follower."""
    author, follower = scene.client.person("author"), scene.client.person("follower")
    await follower.ask(
        "mutation ($id: ID!) { follow(input: {userId: $id}) { userErrors { code } } }", id=await author.id()
    )
    await scene.open.enter_async_context(scene.client.stream([scene.video]))
    await asyncio.sleep(6)
    await asyncio.to_thread(scene.cache.stop)
    with suppress(httpx.HTTPError, AssertionError):
        await publish(author, "on its way")


async def stop_stores(scene: Scene) -> None:
    await asyncio.gather(stop_postgres(scene), stop_state_redis(scene))


async def fill_redis(scene: Scene) -> None:
    """Limits the memory of the state Redis to little more than it uses."""
    used = scene.state.command("INFO", "memory")["used_memory"]
    scene.state.command("CONFIG", "SET", "maxmemory", int(used * 1.03))


async def refuse_likes(scene: Scene) -> None:
    """Lets Postgres refuse some likes, as a constraint of a wrong migration would."""
    await scene.execute("ALTER TABLE like_log ADD CONSTRAINT refuses CHECK (source <> 'radio') NOT VALID")
    await scene.client.person("listener").react("like", scene.video, source="radio")


async def falsify_a_counter(scene: Scene) -> None:
    await scene.execute("UPDATE counters SET value = value + 100")


async def slow_commits(scene: Scene) -> None:
    """Lets each batch with likes take two seconds."""
    await scene.execute(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$;"
        "CREATE TRIGGER wait AFTER INSERT ON like_log FOR EACH STATEMENT EXECUTE FUNCTION wait()"
    )


async def lock_rows(scene: Scene) -> None:
    """Lets another program hold a lock that every batch with likes needs."""
    await scene.execute("BEGIN; LOCK TABLE like_log IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)", wait=False)


async def stop_indexing(scene: Scene) -> None:
    """Lets another program hold a lock that the index for search needs, publishes a post, and lets ten minutes pass."""
    await scene.execute("BEGIN; LOCK TABLE search_documents IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)", wait=False)
    await publish(scene.client.person("author"), "not found")
    await asyncio.sleep(5)
    await scene.execute("UPDATE search_due SET version = version - (10 * 60000::bigint << 20) WHERE version > 0")


async def leave_a_case(scene: Scene) -> None:
    """Reports the video, and lets two days pass."""
    await reported(scene.client.person("reporter"), scene.video)
    await asyncio.sleep(2)
    await scene.execute("UPDATE cases SET moment = moment - (2 * 86400000::bigint << 10)")


async def keep_old_claims(scene: Scene) -> None:
    """Lets Postgres refuse to delete an idempotency key that is years old."""
    await scene.execute(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;"
        "CREATE TRIGGER refuses BEFORE DELETE ON claims FOR EACH ROW EXECUTE FUNCTION refuse();"
        "INSERT INTO claims (author_id, business_id, key, fingerprint, entity_id) VALUES (1, 2, 'old', 'f', 1)"
    )


async def repeated(request: Callable[[], Awaitable[Any]]) -> None:
    """Repeats a request until it succeeds: it may need what a worker has not stored yet."""
    async with asyncio.timeout(60):
        while (await request()) not in ([], {"target": ANY, "userErrors": []}):
            await asyncio.sleep(0.5)


async def grant_appeals(scene: Scene) -> None:
    """Rejects twelve posts, and grants the appeals of their authors."""
    mia, noa = scene.client.person("mia", "moderate"), scene.client.person("noa", "moderate")
    authors = [scene.client.person(f"author-{number}") for number in range(12)]
    posts = [(await publish(author, f"buy this {number}"))["post"]["id"] for number, author in enumerate(authors)]
    for author, post in zip(authors, posts, strict=True):
        await repeated(lambda: decide(mia, post, "REJECT"))  # noqa: B023 - called at once
        await repeated(lambda: appeal(author, post))  # noqa: B023
        await repeated(lambda: decide(noa, post, "APPROVE"))  # noqa: B023


async def leave_an_appeal(scene: Scene) -> None:
    """Rejects a post, lets its author appeal, and lets eleven days pass."""
    author, mia = scene.client.person("author"), scene.client.person("mia", "moderate")
    post = (await publish(author, "buy this"))["post"]["id"]
    await repeated(lambda: decide(mia, post, "REJECT"))
    await repeated(lambda: appeal(author, post))
    await asyncio.sleep(2)
    await scene.execute("UPDATE appeals SET version = version - (11 * 86400000::bigint << 20)")


async def lose_a_receiver(scene: Scene) -> None:
    """Sends events to a webhook whose receiver does not run."""
    await asyncio.to_thread(scene.deployment.run, "webhooks", "add", "shop", "http://127.0.0.1:9/events")


async def cut_the_sites(scene: Scene) -> None:
    """Breaks all connections between two sites, while users read and write at the second one."""
    assert scene.other
    for network in scene.other.networks:
        await network.cut()
    url = scene.other.deployment.url

    async def use() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=10, trust_env=False) as http:
            user = ApiAtAddress(http, scene.deployment.settings).person("user-1")
            while True:
                with suppress(httpx.HTTPError, AssertionError, KeyError, TypeError, ValueError):
                    await user.react("like", scene.video)
                await asyncio.sleep(0.5)

    scene.begin(use())


async def flood(scene: Scene) -> None:
    """Sends many expensive requests at once."""

    async def send() -> None:
        person = scene.client.person("flooder")
        while True:
            with suppress(httpx.HTTPError):
                await person.send("{ square(first: 50) { nodes { id author { id handle } } } }")

    for _ in range(20):
        scene.begin(send())


LOCAL = EventSettings(private_addresses=True)
INCIDENTS: dict[str, Incident] = {
    "all_workers_are_dead": Incident(kill_workers, 80, {"JournalsUnowned", "ProcessDown"}, set()),
    "all_apis_are_dead": Incident(kill_api, 80, {"NoApi", "ProcessDown"}, set()),
    "one_worker_is_dead": Incident(kill_one_worker, 80, {"ProcessDown"}, set()),
    "all_processes_are_dead": Incident(kill_all, 80, {"NoApi", "ProcessDown"}, set()),
    "postgres_is_down": Incident(
        stop_postgres,
        120,
        {"StoreDown"},
        {"BatchesRetried", "JournalLag", "JournalLagGrows"},
    ),
    "state_redis_is_down": Incident(stop_state_redis, 120, {"StoreDown", "WritesDirectly"}, {"BudgetsStandIn"}),
    "cache_redis_is_down": Incident(
        stop_cache_redis,
        120,
        {"StoreDown", "SubscriptionsDeaf"},
        {"BatchesRetried", "BudgetsStandIn", "FanoutLag"},
    ),
    "both_stores_are_down": Incident(stop_stores, 120, {"StoreDown", "Errors"}, {"BatchesRetried"}),
    "state_redis_is_full": Incident(fill_redis, 120, {"RedisMemoryFull"}, {"RedisMemory"}),
    "a_journal_is_full": Incident(
        stop_postgres,
        120,
        {"StoreDown", "Errors", "JournalFull"},
        {"BatchesRetried", "JournalFilling", "JournalLag", "JournalLagGrows"},
        {"journal_max_entries": 60},
    ),
    "postgres_refuses_changes": Incident(refuse_likes, 60, {"DeadLetters"}, set()),
    "a_counter_is_wrong": Incident(falsify_a_counter, 60, {"Drift"}, set(), {"reconcile": {"interval": 3.0}}),
    "commits_are_slow": Incident(slow_commits, 120, set(), {"CommitsSlow"}, {"database_timeout": 8.0}),
    "a_table_is_locked": Incident(
        lock_rows,
        120,
        set(),
        {
            "BatchesRetried",
            "CommitsSlow",
            "JournalLag",
            "JournalLagGrows",
            "WritesThrottled",
        },
    ),
    "search_is_late": Incident(stop_indexing, 90, set(), {"SearchLag"}),
    "a_case_is_old": Incident(leave_a_case, 90, set(), {"ModerationQueueOld"}),
    "an_appeal_is_old": Incident(leave_an_appeal, 90, set(), {"AppealsOld"}),
    "old_data_stays": Incident(keep_old_claims, 90, set(), {"RetentionOverdue"}),
    "appeals_are_granted": Incident(grant_appeals, 120, set(), {"AppealsGranted"}),
    "a_receiver_is_down": Incident(lose_a_receiver, 90, set(), {"EventsLag"}, {"events": LOCAL}),
    "a_receiver_is_down_for_long": Incident(
        lose_a_receiver,
        120,
        {"EventsStopped"},
        {"EventsLag"},
        {"events": LOCAL.model_copy(update={"pause_after": 60.0})},
    ),
    "the_sites_are_cut": Incident(
        cut_the_sites,
        120,
        {"SiteAlone", "SiteBehind", "StoreDown"},
        set(),
        {"connections": NOWHERE},
    ),
    "an_api_is_full": Incident(flood, 120, {"Errors"}, {"RequestsShed"}, {"max_concurrent_requests": 2}),
}
