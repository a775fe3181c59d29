"""Finds events of a subscription that need not be sent, because the client already has them.

An event is incomplete if it lacks values that a store did not deliver. It is sent at once. The resolver then reads the
changed object again until no value is missing, and each read makes a new event. If the new event is incomplete, too, it
is sent only if it differs from the last one that was sent.
"""

from collections.abc import Hashable
from typing import Any

import orjson

from domain.digests import digest


class IncompleteEvents:
    """Remembers the last incomplete event that one subscription has sent about each changed object. Forgets it when a
    complete event about the object is sent.
    """

    def __init__(self) -> None:
        self._digests: dict[Hashable, str] = {}

    def repeats(self, changed: Hashable, body: dict[str, Any], is_complete: bool) -> bool:
        """Returns whether an event is incomplete and its response body `body` is equal to that of the last incomplete
        event about the same object. Such an event need not be sent. `changed` identifies the object. Remembers an
        incomplete event; after a complete event, forgets the last incomplete one about the object.
        """
        if is_complete:
            self._digests.pop(changed, None)
            return False
        before, self._digests[changed] = self._digests.get(changed), digest(orjson.dumps(body).decode())
        return before == self._digests[changed]
