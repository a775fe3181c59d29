"""Tiny sizes for the benchmarks, and checks of their results."""

import math

from bench.machine import Machine
from bench.results import Result
from bench.sizes import Sizes

TINY = Sizes(
    users=60,
    entities=400,
    hot_entities=20,
    connections=4,
    rounds=1,
    round_seconds=0.1,
    backlog=200,
    page_entities=5,
    page_connections=2,
    page_likers=3,
    page_people=4,
    home_posts=6,
    commented_posts=4,
    readers=3,
    likers=5,
    liked_entities=20,
    wrk_connections=4,
    wrk_seconds=1,
    thread=2500,
    deep_page=60,
    stored_reactions=2000,
    followings=30,
    big_accounts=3,
    raced_followers=1100,
    followers=300,
    watched_posts=1,
    step_seconds=0.2,
    paced_per_second=50,
    paced_seconds=0.2,
    changes_per_second=50.0,
    pending=8,
    operations=20,
    busy_users=10,
    busy_per_second=100.0,
    busy_seconds=0.5,
    filtered=10_000,
    second_degree=(5, 20),
    second_degree_rows=2000,
    fleet=2,
    fleet_seconds=0.3,
    fleet_backlog=200,
    imported_reactions=500,
    searched=(1000,),
    searched_users=1000,
    attack_seconds=1.0,
    members=(1000,),
    account=0.01,
    account_seconds=0.3,
)


def assert_ratios(results: list[Result]) -> None:
    for result in results:
        assert result.baseline
        assert result.ratio
        assert math.isclose(result.ratio, result.value / result.baseline)  # one round


async def count(tiny: Machine, table: str) -> int:
    return await value(tiny, f"count(*) FROM {table}")


async def value(tiny: Machine, selected: str) -> int:
    connection = await tiny.connect("public")
    found: int = await connection.fetchval(f"SELECT {selected}")
    await connection.close()
    return found
