"""The own set of the topics and entities that a user follows. The text of a topic is its name."""

from models.content_follows import CONTENT_FOLLOW, CONTENT_FOLLOWERS
from settings import FIRST_EXTERNAL, TOPICS
from store.own_sets.kind import Kind, StateCounter, if_any, limited
from store.people import boundary_rows

_ROWS = "content_follows WHERE business_id = :business AND {chosen} AND stands"
KIND = Kind(
    CONTENT_FOLLOW,
    limited(lambda settings: settings.people.content_follow_limit),
    boundary_rows.own_rows(CONTENT_FOLLOW),
    businesses=lambda business_id: business_id == TOPICS or business_id >= FIRST_EXTERNAL,
    count=boundary_rows.count(CONTENT_FOLLOW),
    counters=(StateCounter(CONTENT_FOLLOWERS, "content_followers", if_any, _ROWS),),
    is_boundary=True,
)
