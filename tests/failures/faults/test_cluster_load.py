"""A Redis Cluster under load, while slots move, nodes come and go, and masters die: each acknowledged change is stored
once, and the users of other masters hardly wait.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from sqlalchemy import text

from dependencies.redis import key_slot
from state import opened
from store.keys import Keys
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.cluster_faults import FAULTS, OVER_TLS, ClusterFault
from tests.failures.faults.cluster_scene import ClusterScene, cluster_scene
from tests.failures.faults.history import Fate, History, Op
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

ROUNDS = int(os.environ.get("PLAUDIT_FAULT_ROUNDS", "10"))
NORMAL = 2.0, 3.0
"""Seconds of normal load before the fault."""
MORE = 100
"""How many writes are acknowledged after the fault."""
USERS, PAUSE = 8, 0.2
_LOGGED = text("SELECT source, count(*) FROM like_log WHERE source = ANY(:names) GROUP BY source")


class Seen(NamedTuple):
    """The results of one round."""

    acknowledged: int
    lost: int
    """Acknowledged changes that are not in the log."""
    twice: int
    """Changes that are in the log more than once."""
    refused: int
    """How often a write of a user of another journal was not acknowledged and had to be repeated."""
    others: float
    """The longest time, in seconds, in which no user of another journal had a write acknowledged. 0 if there was no
    such user.
    """
    wait: float
    """The longest time, in seconds, that one write of such a user took."""
    silence: float
    """The longest time, in seconds, without any acknowledgement."""


Row = tuple[str, list[Seen]]


@pytest.fixture(scope="module")
def table() -> Iterator[list[Row]]:
    """Collects the results of all rounds and prints them at the end."""
    rows: list[Row] = []
    yield rows
    print("\n" + "\n".join(_line(name, seen) for name, seen in rows))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ClusterScene]:
    async with cluster_scene(tmp_path_factory.mktemp("cluster")) as one:
        yield one


async def round_of(scene: ClusterScene, fault: ClusterFault, name: str) -> Seen:
    """Runs load before, during and after a fault. Returns the measurements."""
    await asyncio.to_thread(scene.await_replicas)
    async with working(scene.deployment, name, users=USERS, pause=PAUSE) as history:
        await asyncio.sleep(random.uniform(*NORMAL))
        known, began = len(history.broken), time.time()
        slots = await asyncio.to_thread(fault.happens, scene)
        ended = time.time()
        await scene.ready()
        if fault.forgets:
            history.broken[known:] = [line for line in history.broken[known:] if "was answered with" in line]
        await history.grows(MORE)
    seen = await measured(scene.deployment, history, slots, began, ended)
    print(_line(fault.name, [seen]), flush=True)
    await assert_consistent(scene.deployment, history)
    return seen


async def measured(deployment: Deployment, history: History, slots: set[int], began: float, ended: float) -> Seen:
    """Computes the results of a round. `slots` are those that the fault affected."""
    keys = Keys(deployment.settings.partitions)
    done = [op for op in history.ops if op.fate is Fate.ACKNOWLEDGED]
    changed = {op.name for op in done if op.was != op.state}
    async with opened(deployment.settings, "counting", makes_ids=False) as state:
        async with asyncio.timeout(60):
            while True:
                logged = dict(await state.postgres.read(_LOGGED, names=[op.name for op in history.ops]))
                if changed <= logged.keys() or time.time() > ended + 30:
                    break
                await asyncio.sleep(0.2)
    repeated = Counter(name for user in history.users for name in user.client.repeated)
    others = [op for op in done if key_slot(keys.journal(keys.partition_of(op.user_id)).encode()) not in slots]
    return Seen(
        len(done),
        len(changed - logged.keys()),
        sum(count > 1 for count in logged.values()),
        sum(repeated[op.name] for op in others),
        _silence(others, began, ended) if others else 0.0,
        max((op.acknowledged_at - op.began_at for op in others if began <= op.acknowledged_at), default=0.0),
        _silence(done, began, ended),
    )


def _silence(done: list[Op], began: float, ended: float) -> float:
    """Returns the longest time without an acknowledgement between two times."""
    moments = [began, *sorted(op.acknowledged_at for op in done if began < op.acknowledged_at < ended), ended]
    return max(after - before for before, after in pairwise(moments))


@pytest.mark.prove
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_cluster_under_load_stores_each_acknowledged_change_once(
    scene: ClusterScene, fault: ClusterFault, table: list[Row]
) -> None:
    seen = [await round_of(scene, fault, f"c{FAULTS.index(fault)}x{number}") for number in range(ROUNDS)]
    table.append((fault.name, seen))
    assert not any(one.twice for one in seen)


@pytest.mark.prove
@pytest.mark.timeout(1800)
async def test_a_cluster_over_tls_stores_each_acknowledged_change_once(tmp_path: Path, table: list[Row]) -> None:
    async with cluster_scene(tmp_path, tls=True) as scene:
        for happens in OVER_TLS:
            fault = ClusterFault(f"{happens.__name__.replace('_', ' ')}, over TLS", happens)
            seen = [await round_of(scene, fault, f"tls{OVER_TLS.index(happens)}x{number}") for number in range(ROUNDS)]
            table.append((fault.name, seen))
            assert not any(one.lost or one.twice for one in seen)


def _line(name: str, seen: list[Seen]) -> str:
    """Returns a row of the table: sums of the first four columns, and the worst value of the others."""
    sums = [sum(one[column] for one in seen) for column in range(4)]
    worst = [max(one[column] for one in seen) for column in range(4, 7)]
    return f"| {name} | {' | '.join(map(str, sums))} | {' | '.join(f'{one:.1f}' for one in worst)} |"
