"""Concurrent requests: the orders in which they may have run, and the responses that each order permits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.reaction_model import NAMES, Acknowledged, Request, States, others


@dataclass
class Trial:
    """One order in which concurrent requests may have run."""

    end: Acknowledged
    codes: dict[int, str | None]
    after: dict[int, set[int]]
    """For each request, the reactions of its author to its thing from this request on."""

    @classmethod
    def of(cls, start: Acknowledged, requests: Sequence[Request], order: Sequence[int]) -> "Trial":
        trial = cls(start.copy(), {}, {})
        for i in order:
            trial.codes[i] = trial.end.apply(requests[i])
            trial.after[i] = set()
            for done, states in trial.after.items():
                states.add(trial.end.states.get((requests[done].user, requests[done].thing.id), 0))
        return trial

    def explains(self, payloads: Sequence[Any], shown: dict[str, States]) -> bool:
        """Returns whether this order leads to these payloads and these reactions."""
        # A request with two errors may return either code, so this compares only whether there is an error.
        codes_agree = all(bool(code) == bool(code_of(payloads[i])) for i, code in self.codes.items())
        seen = {place: state for states in shown.values() for place, state in states.items()}
        return codes_agree and all(self.end.states.get(place, 0) == state for place, state in seen.items())


def check_view(shown: dict[str, Any], request: Request, own: set[int], copies: Sequence[States]) -> None:
    """Checks the counts and the reaction that one of several concurrent requests returned."""
    assert reaction_of(shown) in own, (request, shown, own)
    for name, state in (("likeCount", 1), ("dislikeCount", 2)):
        allowed = {others(copy, request.user, request.thing, state) + (one == state) for copy in copies for one in own}
        assert shown[name] in allowed, (request, shown, allowed)


def reaction_of(shown: dict[str, Any]) -> int:
    return next(state for state, name in NAMES.items() if name == shown["viewerReaction"])


def code_of(payload: dict[str, Any]) -> str | None:
    """Returns the code of a payload's user error, None if it has none."""
    return payload["userErrors"][0]["code"] if payload["userErrors"] else None
