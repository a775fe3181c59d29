"""Functions that several hand-written pages use: they read cached values, and apply the viewer's pending changes."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

from models.counters import Counter, CounterKind, EntityRef
from models.follows import FOLLOW, FollowState
from models.likes import REACT, Reaction
from store import keys
from store.cache.lists import ROOM
from store.keys import Keys
from store.write_log import pending
from store.write_log.pending import Pending

_NONE: tuple[int, dict[str, int]] = (0, {})
_RELATIONS = {
    (False, False): "NONE",
    (True, False): "FOLLOWING",
    (False, True): "FOLLOWED_BY",
    (True, True): "FRIENDS",
}

Counters = dict[str, tuple[int, dict[str, int]]]
Item = tuple[int, int]
"""A member of a list: its moment or hot score, and its id."""


def body(raw: bytes) -> Any:
    """Returns a cached value without what precedes it in Redis: version, time and format."""
    text = raw.split(b" ", 2)[2]
    return orjson.loads(text.split(b" ", 1)[1] if text.startswith(b"#") else text)


def waiting(partition: int, raw: dict[bytes, bytes]) -> Pending:
    """Returns the viewer's pending changes from the hash in which Redis has them. `partition` is that of the viewer."""
    return Pending(partition, pending.parse([part for item in raw.items() for part in item]))


def counted(
    counters: Counters, kind: CounterKind, mine: Pending, what: str, ref: EntityRef, weight: Callable[[int], int]
) -> int:
    """Returns the value of the counter of this kind, including the viewer's pending changes of the kind `what` about
    the object `ref`. `weight` returns how much a state, such as LIKE, counts.
    """
    counter = Counter(*counters.get(str(int(kind)), _NONE))
    shown = pending.overlay(counter, mine.partition, mine.among(what, [ref]).values(), weight)
    assert shown is not None
    return shown


def value(counters: Counters, kind: str) -> int:
    """Returns the value of the counter of this kind without pending changes; 0 if there is no such counter."""
    number: int = counters.get(kind, _NONE)[0]
    return number


def newest_of(pipeline: Any, key: str, count: int) -> None:
    """Adds the commands to a pipeline that read the newest `count` items of the cached list `key`, and the list's
    floor, below which it is incomplete.
    """
    pipeline.zrange(key, "+inf", "(0", desc=True, byscore=True, offset=0, num=count + ROOM, withscores=True)
    pipeline.zscore(key, 0)


def above(items: list[tuple[bytes, float]], floor: float | None, count: int) -> list[Item]:
    """Returns the newest `count` items of a cached list, which is complete above `floor`. Fails if there are fewer,
    unless the list is complete.
    """
    assert floor is not None
    newest = [(int(moment), int(member)) for member, moment in items[:count] if moment > floor]
    assert len(newest) == count or floor == 0
    return newest


def time_of(ms: int) -> str:
    """Returns a time, given in milliseconds since the Unix epoch, as the API writes it."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def merged(lists: Iterable[list[Item]], count: int) -> list[Item]:
    """Returns the newest `count` items of several lists, each item once."""
    return sorted({item for items in lists for item in items}, reverse=True)[:count]


def overlaid(ref: EntityRef, node: dict[str, Any], counters: Counters, mine: Pending) -> None:
    """Changes the response object of a post or comment so that it includes the viewer's pending reaction."""
    for history in mine.among(REACT, [ref]).values():
        node["likeCount"] = counted(counters, CounterKind.LIKES, mine, REACT, ref, lambda s: s == Reaction.LIKE)
        if "dislikeCount" in node:
            node["dislikeCount"] = counted(
                counters, CounterKind.DISLIKES, mine, REACT, ref, lambda s: s == Reaction.DISLIKE
            )
        node["viewerReaction"] = (None, "LIKE", "DISLIKE")[history.latest]


class Relations:
    """Reads the follows between the viewer and other users, in both directions, with two commands in a pipeline."""

    def __init__(self, redis_keys: Keys) -> None:
        self._keys = redis_keys

    def ask(self, pipeline: Any, viewer: int, users: Sequence[int]) -> None:
        """Adds the two commands that read the follows to a pipeline. `read` takes the replies."""
        pipeline.zmscore(self._keys.own_set("follow", viewer), [0, *users])
        pipeline.zmscore(keys.followed_by(viewer), users)

    @staticmethod
    def read(viewer: int, users: Sequence[int], answers: Sequence[Any], mine: Pending) -> dict[int, str]:
        """Returns the viewer's relation to each user, such as `FOLLOWING`, by user. `answers` are the replies to the
        two commands of `ask`, and `mine` are the viewer's pending follows.
        """
        (complete, *follows), marks = answers
        assert complete is not None
        assert None not in marks
        following = {user: score is not None and score > 0 for user, score in zip(users, follows, strict=True)}
        if mine.histories:
            following |= {
                ref.entity_id: history.latest == FollowState.FOLLOWS for ref, history in mine.all_of(FOLLOW).items()
            }
        relations = {user: _RELATIONS[following[user], mark > 0] for user, mark in zip(users, marks, strict=True)}
        if viewer in relations:
            relations[viewer] = "SELF"
        return relations
