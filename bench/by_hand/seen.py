"""What all hand-written pages do: read cached values, and show them with the viewer's own changes in them."""

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from models.counters import Counter, CounterKind, EntityRef
from store import keys, pending
from store.keys import Keys
from store.pending import FOLLOW, Pending

_NONE: tuple[int, dict[str, int]] = (0, {})
_RELATIONS = {
    (False, False): "NONE",
    (True, False): "FOLLOWING",
    (False, True): "FOLLOWED_BY",
    (True, True): "FRIENDS",
}

Counters = dict[str, tuple[int, dict[str, int]]]


def body(raw: bytes) -> Any:
    """A cached value without its version and its second."""
    return orjson.loads(raw.split(b" ", 2)[2])


def waiting(partition: int, raw: dict[bytes, bytes]) -> Pending:
    """The viewer's changes that are on their way."""
    return pending.parse(partition, [part for item in raw.items() for part in item])


def counted(
    counters: Counters, kind: CounterKind, mine: Pending, what: str, ref: EntityRef, weight: Callable[[int], int]
) -> int:
    """A counter of something that the viewer has changed."""
    counter = Counter(*counters.get(str(int(kind)), _NONE))
    return pending.overlay(counter, mine.partition, mine.of(what, ref), weight)


def value(counters: Counters, kind: str) -> int:
    """A counter of anything else."""
    number: int = counters.get(kind, _NONE)[0]
    return number


class Relations:
    """What the viewer and others are to each other: two commands of a pipeline, and how to read their answers."""

    def __init__(self, redis_keys: Keys) -> None:
        self._keys = redis_keys

    def ask(self, pipeline: Any, viewer: int, users: Sequence[int]) -> None:
        """Adds the commands."""
        pipeline.zmscore(self._keys.follows(viewer), [0, *users])
        pipeline.zmscore(keys.followed_by(viewer), users)

    @staticmethod
    def read(viewer: int, users: Sequence[int], answers: Sequence[Any], mine: Pending) -> dict[int, str]:
        """By user."""
        (complete, *follows), marks = answers
        assert complete is not None
        assert None not in marks
        following = {user: score is not None for user, score in zip(users, follows, strict=True)}
        if mine.histories:
            following |= {ref.entity_id: bool(history.latest) for ref, history in mine.all_of(FOLLOW).items()}
        relations = {user: _RELATIONS[following[user], mark > 0] for user, mark in zip(users, marks, strict=True)}
        if viewer in relations:
            relations[viewer] = "SELF"
        return relations
