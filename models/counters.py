"""Counters: one row per counted object and kind of counter. Posts, comments, users and topics are counted like
entities, each under the number of its own business (L3).
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import BigInteger, Computed, Index, Integer, SmallInteger, text
from sqlalchemy.dialects.postgresql import JSONB

from models.base import column, key, table
from settings import FIRST_REACTION, LAST_REACTION, TOPICS


class CounterKind(IntEnum):
    """The kind of a built-in counter, named after the things that the counter counts. The numbers are stored: never
    reuse one. Numbers from 100 are for counters that businesses define.
    """

    LIKES = 1
    DISLIKES = 2
    VIEWS = 3
    SHARES = 4
    LIKES_RECEIVED = 5
    FOLLOWERS = 6
    FOLLOWING = 7
    FRIENDS = 8
    POSTS = 9
    COMMENTS = 10
    """The comments on a post or entity, including replies."""
    ROOT_COMMENTS = 11
    REPLIES = 12
    """The replies to a root comment."""
    SAVES = 13
    REPOSTS = 14
    QUOTES = 15
    LIKES_BY_OTHER_KINDS = 31
    """The users who count in LIKES, but have given only other kinds of reactions than the like."""


FIRST_KIND_COUNTER = 30
"""A counter of the users who have given a kind of reaction that a business defines has this number plus the id of the
kind: 33 to 80. LIKES and DISLIKES count the other two kinds.
"""

MAGNITUDE = "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint"
"""SQL for the magnitude of a counter's value: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, and so on. The magnitude
changes less often than the value, so an index on it is updated less often.
"""


class EntityRef(NamedTuple):
    """The internal address of anything that has counters: the number of its business, such as 2 for posts, and its id
    within this business.
    """

    business_id: int
    entity_id: int


COUNTERS_TABLE = table(
    "counters",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("kind", SmallInteger),
    column("value", BigInteger),
    column("version", BigInteger),
    # The watermarks: for each journal partition, the version of the newest event that the value includes. A watermark
    # is removed when it is ten minutes old.
    column("included", JSONB, server_default=text("'{}'")),
    column("magnitude", SmallInteger, Computed(MAGNITUDE, persisted=True)),
    Index(
        "counters_liked_idx",
        "business_id",
        text("magnitude DESC"),
        postgresql_where=text(f"kind = {CounterKind.LIKES:d} AND magnitude > 0"),
    ),
    Index(
        "counters_reacted_idx",
        "business_id",
        "kind",
        text("magnitude DESC"),
        postgresql_where=text(
            f"kind BETWEEN {FIRST_KIND_COUNTER + FIRST_REACTION} AND {FIRST_KIND_COUNTER + LAST_REACTION} "
            "AND magnitude > 0"
        ),
    ),
    Index(
        "counters_topics_idx",
        text("magnitude DESC"),
        postgresql_where=text(f"business_id = {TOPICS} AND kind = {CounterKind.POSTS:d} AND magnitude > 0"),
    ),
    shard="entity_id",
    storage={"fillfactor": 85},
)
"""The values of all counters. A transaction changes the value of a counter only if it also changes a row that the
counter counts.
"""

DAILY_LIKES_TABLE = table(
    "daily_likes",
    key("business_id", SmallInteger),
    key("day", Integer),
    key("entity_id", BigInteger),
    column("value", BigInteger),
    column("magnitude", SmallInteger, Computed(MAGNITUDE, persisted=True)),
    Index(
        "daily_likes_leaders_idx", "business_id", "day", text("magnitude DESC"), postgresql_where=text("magnitude > 0")
    ),
    shard="entity_id",
    storage={"fillfactor": 85},
)
"""Likes given on a day, minus the likes taken back on that day. Days are counted from the Unix epoch, in UTC."""

DAILY_REACTIONS_TABLE = table(
    "daily_reactions",
    key("business_id", SmallInteger),
    key("day", Integer),
    # The id of the kind of reaction, which is not a like or dislike.
    key("kind", SmallInteger),
    key("entity_id", BigInteger),
    column("value", BigInteger),
    column("magnitude", SmallInteger, Computed(MAGNITUDE, persisted=True)),
    Index(
        "daily_reactions_leaders_idx",
        "business_id",
        "kind",
        "day",
        text("magnitude DESC"),
        postgresql_where=text("magnitude > 0"),
    ),
    shard="entity_id",
    storage={"fillfactor": 85},
)
"""Reactions of the kinds that businesses define: those given on a day, minus those taken back on that day. Days are as
in `daily_likes`.
"""


class Counter(NamedTuple):
    """The value of a counter, with its watermarks: `included` maps the number of each journal partition, as a text, to
    the version of the newest change that the value includes. Watermarks tell whether the value includes a viewer's
    pending change.
    """

    value: int
    included: dict[str, int]


_NOTHING = Counter(0, {})


def _value(kind: CounterKind) -> "cached_property[int]":
    """Returns a property for `Counts`: the stored value of the counter of this kind, at least 0. It does not include a
    viewer's pending changes.
    """
    number = int(kind)
    return cached_property(lambda counts: max(0, counts.get(number).value))


@dataclass(frozen=True)
class Counts:
    """All counters of one object, read at one time. `version` grows with every change. `kinds` has the counters by
    kind, and lacks those that have never counted anything.
    """

    version: int
    kinds: dict[int, Counter]

    def get(self, kind: int) -> Counter:
        """Returns the counter of a kind, with its watermarks. Its value is zero if nothing has been counted yet."""
        return self.kinds.get(kind, _NOTHING)

    def of(self, counter: int) -> int:
        """Returns the stored value of the counter with the number `counter`, at least 0. It does not include a viewer's
        pending changes.
        """
        return max(0, self.get(counter).value)

    likes = _value(CounterKind.LIKES)
    dislikes = _value(CounterKind.DISLIKES)
    views = _value(CounterKind.VIEWS)
    shares = _value(CounterKind.SHARES)
    likes_received = _value(CounterKind.LIKES_RECEIVED)
    followers = _value(CounterKind.FOLLOWERS)
    following = _value(CounterKind.FOLLOWING)
    friends = _value(CounterKind.FRIENDS)
    posts = _value(CounterKind.POSTS)
    comments = _value(CounterKind.COMMENTS)
    root_comments = _value(CounterKind.ROOT_COMMENTS)
    replies = _value(CounterKind.REPLIES)
    saves = _value(CounterKind.SAVES)
    likes_by_other_kinds = _value(CounterKind.LIKES_BY_OTHER_KINDS)
    reposts = _value(CounterKind.REPOSTS)
    quotes = _value(CounterKind.QUOTES)
