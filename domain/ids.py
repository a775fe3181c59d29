"""Ids: how they are generated, and the form in which clients write them.

Internal ids are 63-bit integers in order of time: 41 bits of milliseconds, 10 bits with the number of the process that
made the id (its node number), and 12 bits of sequence. Until 2088, every id has nineteen decimal digits. So ids have
the same order as numbers, as texts, and as scores in Redis.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import ClassVar
from zlib import crc32

from domain import texts, topics
from domain.errors import BadInput, Unavailable

EPOCH_MS = 1_546_300_800_000  # 2019-01-01T00:00:00Z
_NODE_BITS, _SEQUENCE_BITS = 10, 12
_PAST_NODES = 8
NODES = (1 << _NODE_BITS) - _PAST_NODES
"""The number of node numbers that processes can lease. The others are for ids of imported objects (`past_ids`)."""
_PAST = NODES << _SEQUENCE_BITS
_PAST_PLACES = _PAST_NODES << _SEQUENCE_BITS
_EARLIEST_MS = 946_684_800_000  # 2000-01-01T00:00:00Z
# The 41 bits of an id cannot contain a time before 2019 (`EPOCH_MS`). Objects that were made from January 2000 to
# January 2019 have ids with a time from 4 to 17 January 2019, one millisecond for 512. Of the 15 bits that the eight
# nodes have, 9 tell which of these 512 milliseconds is meant, and 6 distinguish objects that were made in the same one.
# All of these ids have sixteen digits, and all other ids of `past_ids` have more.
_OLD_BITS, _OLD_PLACE_BITS = 9, 6
_OLD_START_MS = 3 * 86_400_000
_OLD_UNTIL_MS = EPOCH_MS + 31 * 86_400_000
_OLD_END_MS = _OLD_START_MS + (_OLD_UNTIL_MS - _EARLIEST_MS >> _OLD_BITS) + 1


def wall_clock_ms() -> int:
    """Returns the current time in milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def born_ms(internal_id: int) -> int:
    """Returns the time at which the object with an internal id was made, in milliseconds since the Unix epoch. For an
    id of `past_ids`, this can be a time from the year 2000 on.
    """
    ms, place = divmod(internal_id, 1 << (_NODE_BITS + _SEQUENCE_BITS))
    if _OLD_START_MS <= ms < _OLD_END_MS and place >= _PAST:
        return _EARLIEST_MS + (ms - _OLD_START_MS << _OLD_BITS) + (place - _PAST >> _OLD_PLACE_BITS)
    return ms + EPOCH_MS


def first_id_at(ms: int) -> int:
    """Returns the lowest internal id that can be made at `ms`, in milliseconds since the Unix epoch."""
    return (ms - EPOCH_MS) << (_NODE_BITS + _SEQUENCE_BITS)


def past_ids(ms: int, name: str) -> Iterator[int]:
    """Yields ids for an object that was made at the time `ms` in the past, in milliseconds since the Unix epoch. The
    caller takes the first id that no other object of the type has. The same `name` leads to the same ids, in the same
    order. Only this function makes them.

    The first ids contain the time `ms`, the next ones slightly later times. `born_ms` returns the time that an id
    contains. Times before 2000 become 2000. Ids are in order of their times.
    """
    for step in count():
        time, place = max(ms, _EARLIEST_MS) + step * step // 2, crc32(f"{step} {name}".encode())
        if time >= _OLD_UNTIL_MS:
            yield time - EPOCH_MS << (_NODE_BITS + _SEQUENCE_BITS) | _PAST + place % _PAST_PLACES
        else:
            since, rest = divmod(time - _EARLIEST_MS, 1 << _OLD_BITS)
            place = (rest << _OLD_PLACE_BITS) + place % (1 << _OLD_PLACE_BITS)
            yield _OLD_START_MS + since << (_NODE_BITS + _SEQUENCE_BITS) | _PAST + place


class IdGenerator:
    """Makes unique ids while this process holds the lease of a node number, even if the clock steps back.

    `node` is the leased number, and `valid_until_ms` the end of the lease in milliseconds since the Unix epoch.
    `NodeLease` (store/write_log/id_leases.py) sets both.
    """

    def __init__(self, now_ms: Callable[[], int] = wall_clock_ms) -> None:
        self._now_ms = now_ms
        self._last_ms = 0
        self._sequence = 0
        self.node: int | None = None
        self.valid_until_ms = 0

    def __call__(self) -> int:
        """Returns a new id. Raises Unavailable while this process has no leased node number."""
        now = max(self._now_ms(), self._last_ms)
        if self.node is None or now > self.valid_until_ms:
            raise Unavailable("New ids cannot be issued right now.")
        if now > self._last_ms:
            self._sequence = 0
        else:
            self._sequence += 1
            if self._sequence >> _SEQUENCE_BITS:
                now, self._sequence = now + 1, 0
        self._last_ms = now
        return (now - EPOCH_MS) << (_NODE_BITS + _SEQUENCE_BITS) | self.node << _SEQUENCE_BITS | self._sequence


@dataclass(frozen=True, slots=True)
class _NumberedId:
    """The base class of ids that consist of a type and a number, such as `User:7`."""

    id: int
    type_name: ClassVar[str]

    def __str__(self) -> str:
        return self.text(self.id)

    @classmethod
    def text(cls, id: int) -> str:  # noqa: A002 - of the class
        """Returns the text of the id with the number `id`, such as `User:7`."""
        return f"{cls.type_name}:{id}"


class UserId(_NumberedId):
    """The id of a user, such as `User:7`."""

    __slots__ = ()
    type_name = "User"


class ViewerId(_NumberedId):
    """The id of a viewer, such as `Viewer:7`: the private data of user 7."""

    __slots__ = ()
    type_name = "Viewer"


class PostId(_NumberedId):
    """The id of a post, such as `Post:123`."""

    __slots__ = ()
    type_name = "Post"
    business: ClassVar[str] = "post"


class NotificationId(_NumberedId):
    """The id of a notification, such as `Notification:123`."""

    __slots__ = ()
    type_name = "Notification"


@dataclass(frozen=True, slots=True)
class EntityId:
    """The id of an entity, such as `Entity:video:BV1x`. It consists of the name of the entity's business, which is a
    line of content such as videos, and of the entity's key in the system that owns it.
    """

    business: str
    key: str

    def __str__(self) -> str:
        return self.text(self.business, self.key)

    @staticmethod
    def text(business: str, key: str) -> str:
        """Returns the text of an entity's id, such as `Entity:video:BV1x`."""
        return f"Entity:{business}:{key}"


@dataclass(frozen=True, slots=True)
class CommentId:
    """The id of a comment, such as `Comment:2.456`. It consists of the number of the business of the comment's subject
    (2 for posts) and of the comment's own number.

    The id of the subject is not included, because the viewer may not be allowed to see the subject.
    """

    subject_business: int
    id: int
    business: ClassVar[str] = "comment"

    def __str__(self) -> str:
        return self.text(self.subject_business, self.id)

    @staticmethod
    def text(subject_business: int, id: int) -> str:  # noqa: A002 - of the class
        """Returns the text of a comment's id, such as `Comment:2.456`."""
        return f"Comment:{subject_business}.{id}"


@dataclass(frozen=True, slots=True)
class CollectionId:
    """The id of a collection, such as `Collection:7.456`: the number of its owner, and the collection's own number."""

    owner_id: int
    id: int

    def __str__(self) -> str:
        return self.text(self.owner_id, self.id)

    @staticmethod
    def text(owner_id: int, id: int) -> str:  # noqa: A002 - of the class
        """Returns the text of a collection's id, such as `Collection:7.456`."""
        return f"Collection:{owner_id}.{id}"


@dataclass(frozen=True, slots=True)
class StatementId:
    """The id of a statement of reasons, such as `Statement:7.456`: the number of the user whom it is for, and the
    statement's own number.
    """

    user_id: int
    id: int

    def __str__(self) -> str:
        return self.text(self.user_id, self.id)

    @staticmethod
    def text(user_id: int, id: int) -> str:  # noqa: A002 - of the class
        """Returns the text of a statement's id, such as `Statement:7.456`."""
        return f"Statement:{user_id}.{id}"


@dataclass(frozen=True, slots=True)
class TopicId:
    """The id of a topic, such as `Topic:cats`. It contains the key of the topic's name (domain/topics.py)."""

    key: str

    def __str__(self) -> str:
        return self.text(self.key)

    @staticmethod
    def text(key: str) -> str:
        """Returns the text of a topic's id, such as `Topic:cats`."""
        return f"Topic:{key}"


GlobalId = UserId | ViewerId | EntityId | PostId | CommentId | CollectionId | StatementId | TopicId | NotificationId

KEY = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_BUSINESS = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST_ID = len(EntityId.text("b" * 32, "k" * 64))
"""The length in characters of the longest possible id, which is that of an entity."""
_NUMBER = re.compile(r"[1-9][0-9]{0,18}")
_NUMBERED = {kind.type_name: kind for kind in (UserId, ViewerId, PostId, NotificationId)}


@lru_cache(10_000)
def parse_id(text: str) -> GlobalId:
    """Returns the parts of an id that a client has sent. Raises BadInput if the id is malformed."""
    match text.split(":") if len(text) <= LONGEST_ID else []:
        case [kind, number] if kind in _NUMBERED and _is_id(number):
            return _NUMBERED[kind](int(number))
        case ["Comment", numbers] if len(parts := numbers.split(".")) == 2 and all(map(_is_id, parts)):
            return CommentId(*map(int, parts))
        case ["Collection", numbers] if len(parts := numbers.split(".")) == 2 and all(map(_is_id, parts)):
            return CollectionId(*map(int, parts))
        case ["Statement", numbers] if len(parts := numbers.split(".")) == 2 and all(map(_is_id, parts)):
            return StatementId(*map(int, parts))
        case ["Entity", business, key] if _BUSINESS.fullmatch(business) and KEY.fullmatch(key):
            return EntityId(business, key)
        case ["Topic", name] if (spelling := topics.spelling(name)) and topics.key(spelling) == name:
            return TopicId(name)
    raise BadInput(f"{texts.quoted(text)} is not an id.")


def _is_id(number: str) -> bool:
    return _NUMBER.fullmatch(number) is not None and int(number) < 1 << 63
