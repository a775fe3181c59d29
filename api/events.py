"""Finds events of a subscription that the client already has.

An event with values that a store could not deliver is sent at once. The resolver then reads the changed object again
until no value is missing. An incomplete event in between is sent only if it differs from the last one that was sent.
"""

from collections.abc import Hashable
from typing import Any

import orjson

from domain.digests import digest


class IncompleteEvents:
    """The last incomplete event that a subscription has sent about each changed object, until it sends a complete event
    about the object.
    """

    def __init__(self) -> None:
        self._digests: dict[Hashable, str] = {}

    def repeats(self, changed: Hashable, body: dict[str, Any], is_complete: bool) -> bool:
        """Returns whether an event is incomplete and equal to the last incomplete event about the same object,
        `changed`. Such an event need not be sent. `body` is the response body of the event. Remembers an incomplete
        event, and forgets the remembered one at a complete event.
        """
        if is_complete:
            self._digests.pop(changed, None)
            return False
        before, self._digests[changed] = self._digests.get(changed), digest(orjson.dumps(body).decode())
        return before == self._digests[changed]
