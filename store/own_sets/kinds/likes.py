"""The own sets of a user's likes and dislikes: one set for each business, which is a line of content such as videos."""

from models.counters import CounterKind
from models.likes import REACT, Reaction
from settings import Business, Settings
from store.own_sets.kind import DAY_MS, Bounds, Kind, StateCounter, if_state
from store.reactions import likes

_ROWS = "reactions WHERE business_id = :business AND {chosen} AND state ="


def _bounds(_: Settings, business: Business | None) -> Bounds:
    assert business
    return Bounds(business.recent_reactions, None, business.reactions_idle_days * DAY_MS)


KIND = Kind(
    REACT,
    _bounds,
    likes.own_rows,
    by_business=True,
    page=likes.likes_page,
    counters=(
        StateCounter(CounterKind.LIKES, "likes", if_state(Reaction.LIKE), f"{_ROWS} {Reaction.LIKE:d}"),
        StateCounter(CounterKind.DISLIKES, "dislikes", if_state(Reaction.DISLIKE), f"{_ROWS} {Reaction.DISLIKE:d}"),
    ),
)
