"""Which faults there are, and how long each lasts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.faults.faults import (
    Change,
    Happens,
    cache,
    clock,
    copied,
    disk_full,
    emptied,
    fast,
    flow,
    flush,
    forget,
    go_on,
    hold,
    kill,
    kill_all,
    kill_api,
    kill_both,
    kill_postgres,
    kill_worker,
    kill_workers,
    network,
    no_memory,
    promoted,
    redis,
    restart,
    restored,
    slow,
    stop,
    stop_postgres,
    zombie,
)
from tests.faults.proxy import Proxy
from tests.faults.scene import Kind, Scene, Store


async def nothing(scene: Scene) -> None:
    """No preparation."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the matrix."""

    name: str
    happens: Happens
    seconds: float = 8
    """How long it lasts in `make prove`."""
    before: Callable[[Scene], Awaitable[None]] = nothing
    forgets: bool = False
    """Whether for a while nobody knows what has just been acknowledged: it is in a Redis that nobody can read."""
    kind: Kind = "plain"


_NAMES: dict[Store, str] = {"postgres": "Postgres", "redis": "Redis", "cache": "cache"}
_TROUBLE: list[tuple[str, Change, Change]] = [
    ("{} cut off", Proxy.cut, Proxy.open),
    ("{} 500 ms away", slow, fast),
    ("{} silent", hold, flow),
    ("connections to {} forgotten", forget, go_on),
]
_NETWORK = [
    Fault(
        f"{trouble.format(_NAMES[store])}, for {'all' if everywhere else 'one API'}",
        network(store, begins, ends, everywhere=everywhere),
        forgets=store == "redis" and everywhere and begins is not slow,
        kind="cache apart" if store == "cache" else "plain",
    )
    for store in ("postgres", "redis", "cache")
    for trouble, begins, ends in _TROUBLE
    for everywhere in ((True, False) if store != "cache" else (True,))
]
FAULTS = [
    Fault("API killed", kill_api, 3),
    Fault("worker killed", kill_worker, 4),
    Fault("workers killed", kill_workers, 4),
    Fault("APIs and workers killed", kill_all, 2),
    Fault("Postgres killed", kill_postgres, 4),
    Fault("Redis killed", kill(redis), 8, forgets=True),
    Fault("Postgres and Redis killed", kill_both, 4, forgets=True),
    Fault("cache killed", kill(cache), 8, kind="cache apart"),
    Fault("API stopped", stop(lambda scene: scene.apis[:1]), 10),
    Fault("worker stopped", stop(lambda scene: scene.workers[:1]), 10),
    Fault("zombie worker", zombie, 4),
    Fault("Postgres stopped", stop_postgres, 10),
    Fault("Redis stopped", stop(lambda scene: [scene.redis]), 10, forgets=True),
    *_NETWORK,
    Fault("Redis flushed", flush, 2, Scene.rest, forgets=True),
    Fault("Redis emptied", emptied, 2, Scene.rest, forgets=True),
    Fault("Redis restored", restored, 2, copied, forgets=True),
    Fault("cache flushed", flush, 4, kind="cache apart"),
    Fault("Redis out of memory", no_memory, 8),
    Fault("Postgres's disk full", disk_full, 8, kind="small disk"),
    Fault("standby promoted", promoted, 4),
    Fault("clock an hour ahead", clock(1), 6),
    Fault("clock an hour behind", clock(-1), 6),
    Fault("rolling restart", restart, 2),
]
