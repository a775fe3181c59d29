"""Bookmarks of entities, posts and comments: one set for each business."""

from models.bookmarks import BOOKMARK, BOOKMARKS
from settings import Business, Settings
from store.own_sets.kind import DAY_MS, Bounds, Kind, StateCounter, if_any
from store.reactions import bookmarks

CACHED = 1000
"""The most bookmarks of a user in a business that are cached. Older bookmarks are read from Postgres."""
_ROWS = "bookmarks WHERE business_id = :business AND {chosen} AND stands"


def _bounds(_: Settings, __: Business | None) -> Bounds:
    return Bounds(cap=CACHED, limit=None, idle_ms=30 * DAY_MS)


KIND = Kind(
    BOOKMARK,
    _bounds,
    bookmarks.own_rows,
    by_business=True,
    page=bookmarks.marked_page,
    counters=(StateCounter(BOOKMARKS, "bookmarks", if_any, _ROWS),),
)
