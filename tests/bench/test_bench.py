"""The benchmarks at tiny sizes: they run, and the compared results are equal."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bench import (
    busy,
    bystander,
    celebrity,
    claims,
    cold,
    comments,
    deletion,
    drain,
    fanout,
    fleet,
    following,
    home,
    hot,
    importing,
    likes,
    mutation,
    outgoing,
    overload,
    page,
    persisted,
    suggestions,
    thread,
    user_search,
)
from bench.asked import commands
from bench.machine import Machine
from bench.receiver import DOES
from bench.results import Load, Result, append, show
from tests.bench.tiny import TINY, assert_ratios, count, value


@pytest.mark.prove
async def test_likes_are_compared_with_one_transaction_each(tiny: Machine) -> None:
    results = await likes.measure(tiny)

    assert [result.what for result in results] == [
        "likes/s acknowledged: many entities",
        "likes/s persisted: many entities",
        "likes/s acknowledged: one hot entity",
        "likes/s persisted: one hot entity",
    ]
    assert_ratios(results)


@pytest.mark.prove
async def test_an_import_is_compared_with_copying_the_same_rows(tiny: Machine) -> None:
    assert_ratios(await importing.measure(tiny))


@pytest.mark.prove
async def test_the_worker_and_plain_sql_write_equal_rows(tiny: Machine) -> None:
    sums = "coalesce(sum(value), 0) FROM {}.daily_likes", "count(*) FROM {}.reactions", "count(*) FROM {}.like_log"
    before = {one: await value(tiny, one.format("public")) for one in sums}

    assert_ratios(await drain.measure(tiny))

    for one, already in before.items():
        assert await value(tiny, one.format("rawsql")) == await value(tiny, one.format("public")) - already == 400
    notices = "coalesce(sum(jsonb_array_length(convert_from(notices, 'UTF8')::jsonb)), 0) FROM rawsql.untold"
    likes = "count(*) FROM rawsql.reactions WHERE owner_id <> user_id"
    assert await value(tiny, notices) == await value(tiny, likes) > 0


async def test_hand_written_pages_equal_the_apis_bytes_and_use_the_same_commands(tiny: Machine) -> None:
    async with page.serving(tiny) as sides:
        assert_ratios(await page.race("page", tiny, sides))
        (entities, people) = [json.loads(b"{" + await page.same(sides, one) + b"}") for one in sides.pages.values()]
        asked = [
            [await commands(tiny, client, one) for client in (sides.plans, sides.by_hand)]
            for one in sides.pages.values()
        ]

    shown = entities["data"]["entities"]
    liked = (4, "LIKE")
    assert [(one["likeCount"], one["viewerReaction"]) for one in shown] == [liked, liked, (3, None), liked, (3, None)]
    assert [one["owner"]["viewerRelation"] for one in shown] == [
        "SELF",
        "FOLLOWED_BY",
        "FOLLOWING",
        "FOLLOWING",
        "FOLLOWING",
    ]
    shown = people["data"]["users"]
    assert [one["followerCount"] for one in shown] == [6, 7, 7, 7]
    assert [len(one["followers"]["nodes"]) for one in shown] == [5] * 4
    assert asked[0] == [{"mget": 4, "hgetall": 2, "zmscore": 3}] * 2
    assert asked[1] == [{"mget": 5, "hgetall": 1, "zmscore": 4, "zrange": 4, "zscore": 4}] * 2


@pytest.mark.prove
async def test_the_hand_written_home_page_equals_the_apis_bytes_and_uses_the_same_commands(tiny: Machine) -> None:
    async with home.serving(tiny) as sides:
        assert_ratios(await page.race("home", tiny, sides))
        (asked,) = sides.pages.values()
        shown = json.loads(b"{" + await page.same(sides, asked) + b"}")["data"]["viewer"]["home"]["nodes"]
        both = [await commands(tiny, client, asked) for client in (sides.plans, sides.by_hand)]

    authors = [person.subject for person in tiny.community.people[1:7]]
    assert sorted(post["author"]["handle"] for post in shown) == authors
    liked = (1, "LIKE")
    seen = [(post["likeCount"], post["viewerReaction"]) for post in shown]
    assert seen == [liked, liked, (0, None), liked, (0, None), liked]
    assert both == [{"pexpire": 1, "zrange": 3, "zscore": 3, "hgetall": 3, "mget": 4, "zmscore": 2}] * 2


@pytest.mark.prove
async def test_hand_written_comments_of_posts_equal_the_apis_bytes_and_use_the_same_commands(tiny: Machine) -> None:
    async with comments.serving(tiny) as sides:
        assert_ratios(await page.race("comments", tiny, sides))
        (asked,) = sides.pages.values()
        shown = json.loads(b"{" + await page.same(sides, asked) + b"}")["data"]["nodes"]
        both = [await commands(tiny, client, asked) for client in (sides.plans, sides.by_hand)]

    assert [(post["likeCount"], post["viewerReaction"], post["commentCount"]) for post in shown] == [
        *((1, "LIKE", 5), (1, "LIKE", 5), (0, None, 5), (1, "LIKE", 5))
    ]
    below = [comment for post in shown for comment in post["comments"]["nodes"]]
    assert len(below) == 12
    assert {comment["viewerReaction"] for comment in below} == {"LIKE", None}
    assert max(comment["likeCount"] for comment in below) > 1
    assert both == [{"hgetall": 2, "mget": 8, "zrange": 4, "zscore": 4, "zmscore": 2}] * 2


@pytest.mark.prove
async def test_cold_pages_of_many_comments_read_the_rows_to_be_cached(tiny: Machine) -> None:
    async with thread.reading(tiny) as (client, connection):
        rows = [result.value for result in await thread.cold(tiny, client, connection)]

    assert rows == [1001 + 21, 101 + 20]  # one of the newest is among the hottest


@pytest.mark.prove
async def test_deep_pages_of_many_comments_cost_few_more_redis_commands(tiny: Machine) -> None:
    async with thread.reading(tiny) as (client, _):
        results = await thread.deep(tiny, client)

    assert {result.what: result.value for result in results if result.baseline is None} == {
        "commands of page 1, HOT": 11,
        "commands of page 60, HOT": 16,
        "commands of page 1, NEWEST": 11,
        "commands of page 60, NEWEST": 11,
    }
    assert_ratios([result for result in results if result.baseline])


@pytest.mark.prove
async def test_following_more_users_costs_no_more_redis_commands_except_outboxes_of_big_accounts(tiny: Machine) -> None:
    results = await following.measure(tiny)

    outboxes = 2 * TINY.big_accounts  # their newest posts, and their floors, without the local cache
    assert [result.value for result in results[:4]] == [17, 17, 17 + outboxes, 17 + outboxes]
    assert_ratios(results[4:])


@pytest.mark.prove
async def test_posts_are_fanned_out_to_every_follower_on_both_sides(tiny: Machine) -> None:
    raced, *delays = await fanout.measure(tiny)

    assert_ratios([raced])
    assert [result.what.rpartition(" ")[2] for result in delays] == ["p50", "p95", "p99", "max"]
    assert 0 < delays[0].value <= delays[3].value


async def test_likes_are_compared_with_the_same_script_called_directly(tiny: Machine) -> None:
    before = await count(tiny, "public.like_log")

    assert_ratios(await mutation.measure(tiny))

    assert await count(tiny, "public.like_log") > before + 60


@pytest.mark.prove
async def test_writes_with_a_receiver_of_events_are_compared_with_writes_without(tiny: Machine) -> None:
    before = await count(tiny, "outgoing_events WHERE kind = 1")

    results = await outgoing.measure(tiny)

    ratios = [result for result in results if result.baseline]
    assert_ratios(ratios)
    assert len(ratios) == 4 * len(DOES)  # two rates, the CPU time, and plain SQL
    rounds = TINY.rounds + 1
    assert await count(tiny, "outgoing_events WHERE kind = 1") >= before + rounds * len(DOES) * TINY.backlog


@pytest.mark.prove
async def test_followers_of_one_account_are_compared_with_those_of_many(tiny: Machine) -> None:
    assert_ratios(await celebrity.measure(tiny))


@pytest.mark.prove
async def test_one_hot_entity_is_compared_with_many_entities(tiny: Machine) -> None:
    results = await hot.measure(replace(tiny, sizes=replace(TINY, round_seconds=1.0)))

    assert_ratios(results)
    low, high = [one.ratio for one in results if "commands" in one.what]
    assert low is not None
    assert high is not None
    assert low < 0.9 < high


@pytest.mark.prove
async def test_searches_for_users_are_measured_at_each_size(tiny: Machine) -> None:
    found = {result.what: result.value for result in await user_search.measure(tiny)}
    assert len(found) == 14
    assert all(value > 0 for value in found.values())
    assert 100 < found["1,000 users: bytes of terms for each user"] < 2000


@pytest.mark.prove
async def test_the_figures_of_the_claims_are_plausible(tiny: Machine) -> None:
    batches, window, bits, wrong, pages, removed, fullest, emptiest, *queries = [
        result.value for result in await claims.measure(tiny)
    ]

    assert 0 < window < batches < 150_000
    assert bits == pytest.approx(959, abs=1)
    assert 30 < wrong < 300  # of 10,000
    assert 5 < pages < 45
    assert removed == 1000
    assert emptiest < 100 < fullest
    assert all(query > 0 for query in queries)


@pytest.mark.prove
async def test_several_processes_are_compared_with_the_ideal(tiny: Machine) -> None:
    results = await fleet.measure(tiny)

    assert_ratios([one for one in results if one.baseline])
    paid = {one.what: one.value for one in results if "µs of CPU of" in one.what}
    assert all(value > 0 for what, value in paid.items() if "api" in what and "journal" not in what)
    assert [one.ratio for one in results if one.what.endswith(": 1 workers")] == [1, 1]


@pytest.mark.prove
async def test_one_busy_user_is_compared_with_many_users(tiny: Machine) -> None:
    assert_ratios(await busy.measure(tiny))


@pytest.mark.prove
async def test_a_cold_page_is_compared_with_bits_and_blocks_of_a_filter(tiny: Machine) -> None:
    *ratios, index, filter_ = await cold.measure(tiny)

    assert_ratios(ratios)
    assert index.value > filter_.value > 0


@pytest.mark.prove
async def test_pages_succeed_during_an_attack(tiny: Machine) -> None:
    results = await bystander.measure(tiny)

    failed = {result.what: result.value for result in results if result.what.startswith("of 1000 pages failed")}
    assert set(failed.values()) == {0}
    assert len(failed) == 1 + len(bystander.ATTACKS)


@pytest.mark.prove
async def test_a_large_account_is_deleted_while_others_send_requests(tiny: Machine) -> None:
    results = {result.what: result for result in await deletion.measure(tiny)}

    assert_ratios([one for one in results.values() if one.what.endswith("during against before")])
    assert results["changes and rows removed"].value >= 600 + 60 + 60


@pytest.mark.prove
async def test_suggestions_are_measured(tiny: Machine) -> None:
    results = {result.what: result.value for result in await suggestions.measure(tiny)}

    assert results["lists/s of a worker, 1,000 users"] > 0
    assert 0 < results["bytes of the largest list, 1,000 users"] < 8192
    assert 0 < results["ms for a request, 1,000 users, p50"] <= results["ms for a request, 1,000 users, max"]


@pytest.mark.prove
async def test_requests_above_capacity_are_answered_or_refused(tiny: Machine) -> None:
    results = await overload.measure(tiny)

    paid = [one for one in results if one.what.startswith("answers for a second of the API's CPU")]
    refused = [one.value for one in results if one.what.startswith("refused")]
    assert len(paid) == len(refused) == 4
    assert_ratios(paid)  # by the second there may be no response yet when the last is sent
    assert all(0 <= percent < 100 for percent in refused)


@pytest.mark.prove
async def test_the_time_to_commit_is_measured_for_every_like(tiny: Machine) -> None:
    results = await persisted.measure(tiny)

    assert [result.what.rpartition(" ")[2] for result in results] == ["p50", "p95", "p99", "max"]
    assert 0 < results[0].value <= results[3].value


def test_results_are_a_table_for_people_and_a_line_for_tools(tmp_path: Path) -> None:
    results = [Result("drain", "entries/s", 600, 1000, 0.6, (0.5, 0.7), "≥ 0.5", met=True)]
    printed = StringIO()

    show(results, Console(file=printed, width=100))
    append(results, tmp_path / "results.jsonl", Load(0.5, 2.5))
    append(results, tmp_path / "results.jsonl", Load(0.5, 2.5))

    (row,) = [line.split() for line in printed.getvalue().splitlines() if "entries/s" in line]
    assert row == ["entries/s", "600", "1,000", "0.600", "0.50", "…", "0.70", "≥", "0.5", "✓"]
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [line["results"][0]["ratio"] for line in lines] == [0.6, 0.6]
    assert lines[0]["machine"]["load"] == {"before": 0.5, "after": 2.5}
