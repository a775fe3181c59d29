"""The events of one subscription, as they are sent.

An event that lacks something because of a store is sent at once. The resolver then reads the changed object again until
nothing is missing. What it reads in between is sent only if it differs from what was sent.
"""

from collections.abc import Hashable
from typing import Any

import orjson

from domain.digests import digest


class IncompleteEvents:
    """The incomplete events that a subscription has sent: the last one of each changed object, until a complete one
    follows.
    """

    def __init__(self) -> None:
        self._digests: dict[Hashable, str] = {}

    def repeats(self, changed: Hashable, body: dict[str, Any], is_complete: bool) -> bool:
        """Returns whether an event is as incomplete as the last one of the same object, and has the same values. Then
        the event need not be sent.
        """
        if is_complete:
            self._digests.pop(changed, None)
            return False
        before, self._digests[changed] = self._digests.get(changed), digest(orjson.dumps(body).decode())
        return before == self._digests[changed]
