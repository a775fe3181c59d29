"""Counters: one row per entity and kind, for external entities, users, and whatever comes (L3)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, SmallInteger, text
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

    __table_args__ = {"info": {"shard": "entity_id"}}


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
