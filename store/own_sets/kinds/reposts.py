"""The own set of the posts that a user reposts."""

from models.counters import CounterKind
from models.reposts import REPOST
from settings import POSTS, Business, Settings
from store.own_sets.kind import DAY_MS, Bounds, Kind, StateCounter, if_any
from store.reactions import reposts

CACHED = 1000
"""The most reposts of a user that are cached as the user's own set. Older reposts are read from Postgres."""


def _bounds(_: Settings, __: Business | None) -> Bounds:
    return Bounds(cap=CACHED, limit=None, idle_ms=30 * DAY_MS)


KIND = Kind(
    REPOST,
    _bounds,
    reposts.own_rows,
    POSTS,
    counters=(StateCounter(CounterKind.REPOSTS, "reposts", if_any, "reposts WHERE {chosen} AND stands", "post_id"),),
)
