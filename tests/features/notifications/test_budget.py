"""The cost of notifications: round trips to Redis, each with all its commands, and queries to Postgres."""

from store.notifications import notifications
from store.notifications.notifications import CACHED
from tests.support.citus import one_server
from tests.support.comments import added
from tests.support.costs import Cost, cost
from tests.support.metrics import metric
from tests.support.notifications import UNREAD, mark, page, people, post_of
from tests.support.plans import reads
from tests.support.posts import published
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import Person, System
from tests.support.workers import ready

PAGE = """{ viewer { notifications(first: 20) { nodes {
  kind message actors { handle } actorCount subject { id } } } unreadNotificationCount } }"""
WITH_COMMENTS = PAGE.replace("message", "message comment { text author { handle } }")

HEAD = "INSERT INTO notification_heads (user_id, moment, prev_moment, read_moment) VALUES (1, 1000, 0, 300)"
NOTIFIED = """INSERT INTO notifications
    (user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment, actors, actor_count)
    SELECT CASE WHEN n <= 1000 THEN 1 ELSE n END, n, 6, 1, 1, 1, 1, n, '{}', 0 FROM generate_series(1, 20000) AS n"""


async def popular(system: System) -> Person:
    """Returns a user with thirty notifications of various kinds."""
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    post = await post_of(system, alice, "hello")
    videos = await system.videos(*(f"v{n}" for n in range(28)), owner="alice")
    for person in (bob, carol):
        for thing in (post, *videos):
            await person.like(thing)
    await post_of(system, bob, "hello @alice")
    return alice


async def least(person: Person, query: str) -> Cost:
    """Returns the lowest cost of a few requests. Some requests make a budget reservation for the next ones."""
    return min([await cost(person, query) for _ in range(4)])


async def test_a_warm_page_costs_two_round_trips_and_no_query(system: System) -> None:
    alice = await popular(system)
    data = await alice.ask(PAGE)
    assert len(data["viewer"]["notifications"]["nodes"]) == 20

    assert await least(alice, PAGE) == (2, 0)
    assert await least(alice, UNREAD) == (1, 0)


async def test_comments_of_any_number_of_notifications_cost_no_more_round_trips_and_no_query(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    (video,) = await system.videos("v1", owner="olga")
    posts = await published(alice, *(f"post {n}" for n in range(10)))
    await system.drain()
    places: list[tuple[str, str | None]] = [(post, None) for post in posts]
    places += [(video, await added(alice, video, f"mine {n}")) for n in range(10)]
    await system.drain()
    costs = []
    for some in (places[9:11], places[:9] + places[11:]):
        for subject, to in some:
            for n in range(2):
                await added(bob, subject, f"answer {n} to {to or subject}", to)
        await system.drain()
        nodes = (await alice.ask(WITH_COMMENTS))["viewer"]["notifications"]["nodes"]
        assert all(node["comment"]["text"].startswith("answer 1") for node in nodes)
        costs.append((len(nodes), await least(alice, WITH_COMMENTS)))

    assert costs == [(2, (2, 0)), (20, (2, 0))]


@one_server
async def test_unread_notifications_are_counted_once_for_a_page(system: System) -> None:
    await execute(system, HEAD, NOTIFIED, "ANALYZE notifications, notification_heads")

    read = await reads(system, notifications._NEWEST, "notifications", users=[1], count=CACHED + 1)
    newest = (await notifications.newest(system.state.postgres, [1]))[1]

    assert (len(newest.rows), newest.unread) == (CACHED, 700)
    assert read.rows == 700 + CACHED + 1


async def test_a_new_notification_leaves_the_page_warm(system: System) -> None:
    """Workers replace the cached notifications."""
    alice = await popular(system)
    await alice.ask(PAGE)
    await system.person("dave").like("Entity:video:v3")
    await system.drain()
    await mark(alice, (await page(alice, 1)).cursors[0])

    assert (await cost(alice, UNREAD))[1] == 0
    assert (await alice.ask(UNREAD))["viewer"]["unreadNotificationCount"] == 0


async def test_a_cold_page_costs_one_query_for_notifications_and_four_for_their_contents(system: System) -> None:
    alice = await popular(system)
    await system.empty_redis()

    _, queries = await cost(alice, PAGE)

    # Notifications, users, posts, entities, the boundaries of the viewer, and the viewer's profile: a process without
    # local copies checks in each request that the account is not deleted.
    assert queries == 5 + 1
    assert await least(alice, PAGE) == (2, 0)


@standalone
async def test_a_batch_of_likes_of_one_video_costs_as_many_queries_as_one_like(system: System) -> None:
    _, *fans = await people(system, "alice", *(f"fan{n}" for n in range(30)))
    (post,) = await system.videos("v1", owner="alice")
    worker = await ready(system)

    async def queries() -> int:
        before = metric("sql_queries_total")
        assert await worker.step()
        return int(metric("sql_queries_total") - before)

    await fans[0].like(post)
    for_one = await queries()
    for fan in fans[1:]:
        await fan.like(post)
    for_many = await queries()

    assert for_many == for_one
    assert await system.rows("SELECT actor_count, cardinality(actors) FROM notifications") == [(30, 5)]
