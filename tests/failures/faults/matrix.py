"""The list of faults, and how long each lasts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.failures.faults import faults
from tests.failures.faults.faults import Change, Happens
from tests.failures.faults.scene import SETTINGS, Kind, Scene, Store
from tests.support.fault_proxy import Proxy


async def nothing(scene: Scene) -> None:
    """Prepares nothing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the matrix."""

    name: str
    happens: Happens
    seconds: float = 8
    """The duration of the fault in `make prove`."""
    before: Callable[[Scene], Awaitable[None]] = nothing
    forgets: bool = False
    """Whether acknowledged writes may be invisible for a while, because Redis is unavailable or forgets its caches."""
    kind: Kind = "plain"


_NAMES: dict[Store, str] = {"postgres": "Postgres", "redis": "Redis", "cache": "cache"}
_TROUBLE: list[tuple[str, Change, Change]] = [
    ("{} cut off", Proxy.cut, Proxy.open),
    ("{} 500 ms away", faults.slow, faults.fast),
    ("{} silent", Proxy.hold, Proxy.flow),
    ("connections to {} forgotten", Proxy.forget, faults.go_on),
]
_NETWORK = [
    Fault(
        f"{trouble.format(_NAMES[store])}, for {'all' if everywhere else 'one API'}",
        faults.network(store, begins, ends, everywhere=everywhere),
        forgets=store == "redis" and everywhere and begins is not faults.slow,
        kind="cache apart" if store == "cache" else "plain",
    )
    for store in ("postgres", "redis", "cache")
    for trouble, begins, ends in _TROUBLE
    for everywhere in ((True, False) if store != "cache" else (True,))
]
FAULTS = [
    Fault("API killed", faults.kill_api, 3),
    Fault("worker killed", faults.kill_worker, 4),
    Fault("workers killed", faults.kill_workers, 4),
    Fault("APIs and workers killed", faults.kill_all, 2),
    Fault("Postgres killed", faults.kill_postgres, 4),
    Fault("Postgres killed, nothing cached", faults.kill_postgres, 4, faults.forgotten),
    Fault("Redis killed", faults.kill(faults.redis), 8, forgets=True),
    Fault("Postgres and Redis killed", faults.kill_both, 4, forgets=True),
    Fault("cache killed", faults.kill(faults.cache), 8, kind="cache apart"),
    Fault("API stopped", faults.stop(lambda scene: scene.apis[0]), 10),
    Fault("worker stopped", faults.stop(lambda scene: scene.workers[0]), 10),
    Fault("zombie worker", faults.zombie, 4),
    Fault("Postgres stopped", faults.stop(lambda scene: scene.postgres), 10),
    Fault("Redis stopped", faults.stop(faults.redis), 10, forgets=True),
    *_NETWORK,
    Fault("Redis flushed", faults.flush, 2, Scene.rest, forgets=True),
    Fault("Redis emptied", faults.emptied, 2, Scene.rest, forgets=True),
    Fault("Redis restored", faults.restored, 2, faults.copied, forgets=True),
    Fault("cache flushed", faults.flush, 4, kind="cache apart"),
    Fault("Redis out of memory", faults.no_memory, 8, forgets=True),
    Fault("Redis lacks replicas", faults.no_replicas, 8, forgets=True),
    Fault("Redis runs an endless script", faults.endless_script, 8, forgets=True),
    Fault("workers killed, Redis restarted", faults.restarted_alone, 8, forgets=True),
    Fault("Postgres's disk full", faults.disk_full, 8, kind="small disk"),
    Fault("standby promoted", faults.promoted(after=0), 4, forgets=True),
    Fault("standby promoted late", faults.promoted(after=SETTINGS["pending_seconds"] + 1), 4, forgets=True),
    Fault("clock an hour ahead", faults.clock(1), 6),
    Fault("clock an hour behind", faults.clock(-1), 6),
    Fault("rolling restart", faults.restart, 2),
]
