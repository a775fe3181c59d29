"""Keeps a copy of all like counts, made from Plaudit's outgoing events in a Redis stream. Run it with the URL of Redis
and the name of the stream.
"""

import json
import sys
from collections import Counter
from typing import Any

import redis


class LikeCounts:
    """The number of likes of each target, by the target's id. It stays right if an event comes twice, or if an old
    event comes after a newer one.
    """

    def __init__(self) -> None:
        self.counts, self._ids = Counter[str](), dict[str, str]()
        self._known: dict[str, tuple[int, bool]] = {}

    def apply(self, event: dict[str, Any]) -> str:
        """Counts an event. Returns the id of the target whose count may have changed; "" if the event concerns no
        count.
        """
        if event["kind"] != "reaction.changed":
            return ""
        reaction, version, data = event["id"].rpartition("-")[2], int(event["version"]), event["data"]
        target, (newest, known) = reaction.partition(".")[2], self._known.get(reaction, (0, False))
        if data["targetId"] is None:  # the target was erased
            del self.counts[self._ids.get(target, "")]
        elif version > newest:
            self._ids[target], self._known[reaction] = data["targetId"], (version, data["after"] == "LIKE")
            self.counts[data["targetId"]] += self._known[reaction][1] - known
        return self._ids.get(target, "")


if __name__ == "__main__":
    likes, client, position = LikeCounts(), redis.Redis.from_url(sys.argv[1], decode_responses=True), "0"
    while True:  # the program keeps nothing, so it reads the stream from the beginning
        answer: Any = client.xread({sys.argv[2]: position}, count=1000, block=1000)
        for position, fields in answer[0][1] if answer else ():  # noqa: B007 - of the next call
            changed = likes.apply(json.loads(fields["event"]))
            sys.stdout.write(f"{changed} {likes.counts[changed]}\n" if changed else "")
        sys.stdout.flush()
