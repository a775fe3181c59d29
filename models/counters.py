"""Counters: one row per entity and kind, for external entities, users, and whatever comes (L3)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Computed, Index, Integer, SmallInteger, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class CounterKind(IntEnum):
    """What is counted. Numbers are stored: never reuse one."""

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
    """Of a subject, replies included."""
    ROOT_COMMENTS = 11
    REPLIES = 12
    """Of a root comment."""


MAGNITUDE = "floor(ln(greatest(value * 2, 1::bigint)::double precision) / ln(2::double precision))::smallint"
"""Which power of two a value has reached, 1 for 1, 0 below. Its indexes are not touched whenever the value changes."""


class EntityRef(NamedTuple):
    """The internal address of anything that can be counted: business and id within it."""

    business_id: int
    entity_id: int


class CounterTable(Base):
    """Absolute values, moved only by transitions that really happened, in the transaction that made them."""

    __tablename__ = "counters"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)
    version: Mapped[int] = mapped_column(BigInteger)
    included: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'"))
    """Per journal partition, the newest event this value includes; forgotten after ten minutes without change."""
    magnitude: Mapped[int] = mapped_column(SmallInteger, Computed(MAGNITUDE, persisted=True))

    __table_args__ = (
        Index("counters_liked_idx", "business_id", text("magnitude DESC"),
              postgresql_where=text(f"kind = {CounterKind.LIKES:d} AND magnitude > 0")),
        {"info": {"shard": "entity_id"}},
    )  # fmt: skip


class DailyLikesTable(Base):
    """Likes given on a day (since the Unix epoch, in UTC), less those taken back on it, whenever they were given."""

    __tablename__ = "daily_likes"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    day: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)
    magnitude: Mapped[int] = mapped_column(SmallInteger, Computed(MAGNITUDE, persisted=True))

    __table_args__ = (
        Index("daily_likes_leaders_idx", "business_id", "day", text("magnitude DESC"),
              postgresql_where=text("magnitude > 0")),
        {"info": {"shard": "entity_id"}},
    )  # fmt: skip


class Counter(NamedTuple):
    """A value together with what it includes, so that a reader can tell whether their own change is in it."""

    value: int
    included: dict[str, int]


_NOTHING = Counter(0, {})


def _value(kind: CounterKind) -> property:
    """A counter as it was published: what everybody sees who has changed nothing about it lately. Never negative."""
    number = int(kind)

    def value(self: "Counts") -> int:
        published = self.kinds.get(number, _NOTHING).value
        return max(0, published)

    return property(value)


@dataclass(frozen=True, slots=True)
class Counts:
    """All counters of one entity as of one moment. `version` only ever grows. A kind nobody touched is absent."""

    version: int
    kinds: dict[int, Counter]

    def get(self, kind: CounterKind) -> Counter:
        """The counter of a kind; zero where nothing has been counted yet."""
        return self.kinds.get(kind, _NOTHING)

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
