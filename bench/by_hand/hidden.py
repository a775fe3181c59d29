"""Users who are hidden from the viewer: by a block, a mute, a suspension, or because their account is private."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from store.keys import Keys
from store.scripts import BOUNDARIES

_NONE: frozenset[int] = frozenset()


class HiddenUsers:
    """Reads the blocks and mutes of viewers as the API does: the whole sets once, then only whether they changed."""

    def __init__(self, redis_keys: Keys) -> None:
        self._keys = redis_keys
        self._known: dict[int, tuple[bytes, frozenset[int]]] = {}

    def ask(self, pipeline: Any, viewer: int) -> None:
        """Adds the command to a pipeline."""
        keys = self._keys
        own = [keys.own_set(kind, viewer) for kind in ("block", "mute", "thread", "blocker")]
        sets = [*own, keys.own_states("mute", viewer), keys.boundaries(viewer)]
        stamp, _ = self._known.get(viewer, (b"", _NONE))
        pipeline.evalsha(BOUNDARIES.sha, len(sets), *sets, stamp)

    def read(self, viewer: int, answer: list[Any]) -> frozenset[int]:
        """Returns the hidden users from the reply to the command."""
        stamp, *sets = answer
        assert isinstance(stamp, bytes), "the blocks of the viewer are not cached"
        if sets:
            blocks, mutes, _, blockers = sets
            self._known[viewer] = stamp, frozenset(chain.from_iterable(map(_members, (blocks, mutes, blockers))))
        return self.known(viewer)

    def known(self, viewer: int) -> frozenset[int]:
        """Returns what `read` returned last for a viewer."""
        return self._known[viewer][1]

    @staticmethod
    def check(viewer: int, users: Iterable[Mapping[str, Any]], hidden: frozenset[int]) -> None:
        """Checks that the viewer may see these users and their posts. The pages of the benchmark have no hidden users.
        `users` are profiles, and `hidden` the result of `read`.
        """
        for user in users:
            assert user["user_id"] not in hidden
            assert user["suspended"] is None
            assert not user["is_private"] or user["user_id"] == viewer


def _members(scored: list[bytes]) -> Iterable[int]:
    """Returns the users of a set. A mark that is not positive says that a user does not block the viewer."""
    return (int(user) for user, mark in zip(scored[::2], scored[1::2], strict=True) if float(mark) > 0)
