"""Leaderboards: the most liked items of today, of seven days and of all time, for posts and for entities."""

from typing import Any

import pytest
from sqlalchemy import text

from store import keys
from store.reactions import leaderboards
from store.reactions.leaderboards import DAY_MS
from tests.features.ranking.ranked_lists import BOARD, Places, board, react_as_many
from tests.support.citus import one_server
from tests.support.comments import added
from tests.support.costs import cost
from tests.support.plans import LARGE, reads
from tests.support.posts import decide, delete, published
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import Person, System

POSTS = "{ leaderboard { rank score node { ... on Post { text } } } }"
LIKED_DAILY = """INSERT INTO daily_likes (business_id, day, entity_id, value)
    SELECT 9, day, CAST(CASE WHEN n <= 1250 THEN n ELSE day * 10000 + n END AS bigint) << 22, greatest(1, 1251 - n)
    FROM generate_series(100, 106) AS day, generate_series(1, 2500) AS n"""
DAILY = "SELECT sum(value) FROM daily_likes"
WINDOWS = ("DAY", "WEEK", "ALL")


async def boards(viewer: Person, **arguments: Any) -> list[Places]:
    """Returns the leaderboards of all windows."""
    return [await board(viewer, window, **arguments) for window in WINDOWS]


async def evict_boards(system: System) -> None:
    """Evicts the cached leaderboards of the week and of all time."""
    for window in ("week", "all"):
        for business in system.state.businesses.values():
            await system.state.cache.redis("DEL", keys.board(business.id, window), write=True)


async def a_day_passes(system: System) -> None:
    """Moves all daily likes to the day before, and empties Redis."""
    async with system.state.postgres.transaction() as transaction:
        for days in (-1001, 1000):  # in two steps, so that no two rows have the same key meanwhile
            await transaction.execute(text("UPDATE daily_likes SET day = day + :days"), days=days)
    await system.empty_redis()


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_the_most_liked_entity_is_first(system: System, warm: bool) -> None:
    anne = system.person("anne")
    a, b, c, _ = await system.videos("a", "b", "c", "d")
    await react_as_many(system, c, count=1)
    await system.drain()
    if warm:
        assert await boards(anne) == [[(1, 1, "c")]] * 3

    await react_as_many(system, a, count=4)
    await react_as_many(system, b, count=2)
    await react_as_many(system, b, count=6, verb="dislike")
    await react_as_many(system, a, count=1, verb="unlike")
    await system.drain()
    await evict_boards(system)

    assert await boards(anne) == [[(1, 3, "a"), (2, 1, "c")]] * 3
    assert await board(anne, "DAY", first=1) == [(1, 3, "a")]


async def test_the_leaderboard_of_posts_leaves_out_hidden_posts(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    one, two, three, four = await published(alice, "one", "two", "three", "four")
    await system.drain()
    for count, post in enumerate((one, two, three, four), 1):
        await react_as_many(system, post, count=count)
    await system.drain()
    assert [place[2] for place in await board(alice, "DAY", "post")] == ["four", "three", "two", "one"]

    await delete(alice, four)
    await decide(mia, two, "REJECT")
    await system.drain()

    for viewer in (alice, mia, system.person(None)):
        assert await boards(viewer, business="post", first=2) == [[(1, 3, "three"), (2, 1, "one")]] * 3
    assert (await alice.ask(POSTS))["leaderboard"][0] == {"rank": 1, "score": 3, "node": {"text": "three"}}


async def test_a_leaderboard_has_items_of_its_own_business_only(system: System) -> None:
    anne = system.person("anne")
    (video,) = await system.videos("v")
    (article,) = await system.videos("a", business="article")
    await react_as_many(system, video, article, count=1)
    await system.drain()

    assert await boards(anne) == [[(1, 1, "v")]] * 3
    assert await boards(anne, business="article") == [[(1, 1, "a")]] * 3
    assert await boards(anne, business="post") == [[]] * 3


async def test_each_day_is_counted_separately_and_a_week_has_seven_days(system: System) -> None:
    anne = system.person("anne")
    a, b = await system.videos("a", "b")
    await react_as_many(system, a, count=3)
    await react_as_many(system, b, count=1)
    await system.drain()
    assert await board(anne, "DAY") == [(1, 3, "a"), (2, 1, "b")]

    await a_day_passes(system)
    await system.person("late").like(b)
    await system.drain()
    assert await board(anne, "DAY") == [(1, 1, "b")]
    assert await board(anne, "WEEK") == await board(anne, "ALL") == [(1, 3, "a"), (2, 2, "b")]

    for _ in range(6):
        await a_day_passes(system)
    assert await boards(anne) == [[], [(1, 1, "b")], [(1, 3, "a"), (2, 2, "b")]]


@one_server
async def test_a_week_looks_up_its_first_thousand_entities_only(system: System) -> None:
    """Each day has 2500 entities with likes, of which 2000 lead. Half of them are the same on all days."""
    await execute(system, LIKED_DAILY, "ANALYZE daily_likes")

    page = {"business": 9, "day": 106, "moment": 1 << 60, "member": 0, "count": 500}
    read = await reads(system, leaderboards._OF_WEEK, "daily_likes", without=LARGE, **page)
    first, second = await leaderboards.of_week(system.state.postgres, 9, 106, None, 2)

    assert (read.scans, read.rows) == (7 + 1000, 7 * 2000 + 1000 * 7)
    assert [(leaderboards.likes_of(item), item.member >> 22) for item in (first, second)] == [(7 * 1250, 1), (8743, 2)]


async def test_an_unlike_is_subtracted_from_the_day_of_the_unlike(system: System) -> None:
    anne = system.person("anne")
    a, b = await system.videos("a", "b")
    await react_as_many(system, a, b, count=2)
    await system.drain()
    await a_day_passes(system)

    await react_as_many(system, a, count=1, verb="unlike")
    await system.person("late").like(a)
    await system.person("later").like(a)
    await react_as_many(system, b, count=2, verb="unlike")
    await system.drain()

    assert await boards(anne) == [[(1, 1, "a")], [(1, 3, "a")], [(1, 3, "a")]]
    assert await system.rows("SELECT value FROM daily_likes ORDER BY day DESC, value") == [(-2,), (1,), (2,), (2,)]


async def test_repeated_likes_and_unlikes_in_one_batch_count_once(system: System) -> None:
    (video,) = await system.videos("v")
    anne = system.person("anne")
    await anne.like(video)
    await anne.unlike(video)
    await anne.like(video)
    await anne.like(video)
    await system.drain()
    assert await system.rows(DAILY) == [(1,)]

    await anne.unlike(video)
    await anne.like(video)
    await system.drain()
    assert await system.rows(DAILY) == [(1,)]


async def test_equal_scores_have_a_stable_order_and_the_floor_can_lie_between_them(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"v{i:02}" for i in range(30)]
    monkeypatch.setattr("loaders.leaderboards.CAP", 10)
    monkeypatch.setattr("store.reactions.leaderboards.CAP", 10)
    videos = await system.videos(*names)
    anne = system.person("anne")
    await react_as_many(system, *videos, count=1)
    await system.drain()

    truth = [await board(anne, "DAY", first=30) for _ in range(2)]
    assert truth[0] == truth[1]
    assert {name for _, _, name in truth[0]} == set(names)
    assert await board(anne, "DAY", first=5) == truth[0][:5]
    await react_as_many(system, videos[3], count=2)
    await system.drain()
    today = await board(anne, "DAY", first=5)
    await system.empty_redis()
    assert today == await board(anne, "DAY", first=5)
    assert today[0] == (1, 2, "v03")


async def test_a_batch_voids_the_lease_of_a_leaderboard_that_is_being_filled(system: System) -> None:
    anne = system.person("anne")
    (video,) = await system.videos("v")
    await anne.like(video)
    board_key = keys.board(system.state.businesses["video"].id, str(system.state.now_ms() // DAY_MS))
    token = await system.state.cache.lease_of(board_key)
    assert token

    await system.drain()

    assert await system.state.cache.redis("GET", keys.lease(board_key)) is None


@standalone
async def test_unknown_businesses_windows_and_sizes_are_refused(system: System) -> None:
    anne = system.person("anne")

    assert await anne.errors(BOARD, business="nothing", window="DAY", first=1) == [("BAD_INPUT", ["leaderboard"])]
    assert await anne.errors(BOARD, business="video", window="DAY", first=101) == [("BAD_INPUT", ["leaderboard"])]
    assert await anne.errors(BOARD, business="video", window="MONTH", first=1)


@pytest.mark.parametrize("window", WINDOWS)
async def test_a_warm_leaderboard_costs_three_round_trips_and_no_query(system: System, window: str) -> None:
    videos = await system.videos(*(f"v{i}" for i in range(20)))
    await react_as_many(system, *videos, count=2)
    await system.drain()
    anne = system.person("anne")
    await board(anne, window)

    assert await cost(anne, BOARD, business="video", window=window, first=20) == (3, 0)


async def test_rows_store_the_magnitude_of_their_value(system: System) -> None:
    (video,) = await system.videos("v")
    await react_as_many(system, video, count=17)
    await system.drain()

    assert await system.rows("SELECT value, magnitude FROM daily_likes") == [(17, 5)]
    assert await system.rows("SELECT value, magnitude FROM counters WHERE kind = 1") == [(17, 5)]


@pytest.mark.parametrize("deleted", [False, True], ids=["rejected", "deleted"])
async def test_comments_of_a_hidden_post_are_on_no_leaderboard(system: System, deleted: bool) -> None:
    alice, bob, mia = system.person("alice"), system.person("bob"), system.person("mia", "moderate")
    (post,) = await published(alice, "hello")
    await system.drain()
    comment = await added(bob, post, "root")
    await system.drain()
    await bob.like(comment)
    await system.drain()
    query = '{ leaderboard(business: "comment") { node { id } } }'
    assert await alice.ask(query) == {"leaderboard": [{"node": {"id": comment}}]}

    if deleted:
        await delete(alice, post)
    else:
        await decide(mia, post, "REJECT")
    await system.drain()

    for reader in (alice, bob, mia, system.person(None)):
        assert await reader.ask(query) == {"leaderboard": []}
