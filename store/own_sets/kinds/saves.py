"""The own set of the entities, posts and comments that a user saves. The state is the collection of the save."""

from models.collections import COLLECTION
from models.counters import CounterKind
from models.saves import SAVE
from settings import Business, Settings
from store.own_sets.kind import DAY_MS, Bounds, Kind, StateCounter, if_any
from store.reactions import saves

_ROWS = "saves WHERE business_id = :business AND {chosen} AND collection_id <> 0"


def _bounds(settings: Settings, _: Business | None) -> Bounds:
    return Bounds(settings.caches.saves, None, 30 * DAY_MS)


KIND = Kind(
    SAVE,
    _bounds,
    saves.own_rows,
    within=COLLECTION,
    counters=(StateCounter(CounterKind.SAVES, "saves", if_any, _ROWS),),
)
