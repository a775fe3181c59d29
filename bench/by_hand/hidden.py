"""Finds the users who are hidden from a viewer: by a block or mute, by a suspension, or because their account is
private.
"""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from bench.by_hand.seen import body
from models.boundaries import MUTE
from models.content_follows import CONTENT_FOLLOW
from models.muted_words import MUTED_WORDS
from store import keys
from store.keys import Keys
from store.people.boundary_rows import BLOCKER, OWN
from store.scripts import BOUNDARIES

_NONE: frozenset[int] = frozenset()


class HiddenUsers:
    """Reads the blocks and mutes of viewers in the same way as the API: the whole sets once, and then only whether they
    have changed.
    """

    def __init__(self, redis_keys: Keys) -> None:
        self._keys = redis_keys
        self._known: dict[int, tuple[bytes, frozenset[int]]] = {}

    @staticmethod
    def ask_viewer(pipeline: Any, viewer: int) -> None:
        """Adds the command that reads the viewer's profile to a pipeline. `check_viewer` takes the reply."""
        pipeline.mget([keys.user(viewer)])

    @staticmethod
    def check_viewer(answer: list[bytes]) -> None:
        """Fails if the viewer is suspended. `answer` is the reply to the command of `ask_viewer`."""
        assert body(answer[0])["suspended"] is None

    def ask(self, pipeline: Any, viewer: int) -> None:
        """Adds the command that reads the viewer's blocks and mutes to a pipeline."""
        own_keys = self._keys
        own = [own_keys.own_set(kind, viewer) for kind in (*OWN, BLOCKER)]
        states = [own_keys.own_states(kind, viewer) for kind in (MUTE, CONTENT_FOLLOW, MUTED_WORDS)]
        sets = [*own, *states, own_keys.boundaries(viewer)]
        stamp, _ = self._known.get(viewer, (b"", _NONE))
        pipeline.evalsha(BOUNDARIES.sha, len(sets), *sets, stamp)

    def read(self, viewer: int, answer: list[Any]) -> frozenset[int]:
        """Returns the users that blocks and mutes hide from the viewer. `answer` is the reply to the
        command of `ask`.
        """
        stamp, *sets = answer
        assert isinstance(stamp, bytes), "the blocks of the viewer are not cached"
        if sets:
            blocks, mutes, *_, blockers, _ = sets
            self._known[viewer] = stamp, frozenset(chain.from_iterable(map(_members, (blocks, mutes, blockers))))
        return self.known(viewer)

    def known(self, viewer: int) -> frozenset[int]:
        """Returns what `read` has last returned for a viewer."""
        return self._known[viewer][1]

    @staticmethod
    def check(viewer: int, users: Iterable[Mapping[str, Any]], hidden: frozenset[int]) -> None:
        """Fails if the viewer may not see one of these users, whose cached profiles are `users`, because no page of the
        benchmark has hidden users. `hidden` is the result of `read`.
        """
        for user in users:
            assert user["user_id"] not in hidden
            assert user["suspended"] is None
            assert not user["is_private"] or user["user_id"] == viewer


def _members(scored: list[bytes]) -> Iterable[int]:
    """Returns the users in a set of blocks or mutes, given as alternating users and marks. Leaves out users whose mark
    is not positive, which means that they do not block the viewer.
    """
    return (int(user) for user, mark in zip(scored[::2], scored[1::2], strict=True) if float(mark) > 0)
