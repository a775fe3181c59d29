"""The own set of the users that a user follows, or has asked to follow because they are private."""

from models.boundaries import BLOCK
from models.counters import CounterKind
from models.follows import FOLLOW, FollowState
from settings import USERS
from store.own_sets.kind import Kind, StateCounter, if_state, limited
from store.people import follows
from store.people.boundary_rows import BLOCKER

_FOLLOWERS = StateCounter(
    CounterKind.FOLLOWERS, "followers", if_state(FollowState.FOLLOWS), "followers WHERE {chosen}", "user_id"
)
KIND = Kind(
    FOLLOW,
    limited(lambda settings: settings.people.follow_limit),
    follows.own_rows,
    USERS,
    follows.count,
    guards=(BLOCK, BLOCKER),
    counters=(_FOLLOWERS,),
)
