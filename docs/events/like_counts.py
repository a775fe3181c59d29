"""Keeps a copy of all like counts from the events of a Redis stream. Starts at the beginning of the stream."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import redis


class LikeCounts:
    """The number of likes of each target. Events may come twice, and an old event may come after a newer one."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self._known: dict[tuple[str, str], tuple[int, str]] = {}

    def apply(self, event: dict[str, Any]) -> None:
        """Applies an event. Ignores an event that is not newer than the known reaction of the same user."""
        if event["kind"] != "reaction.changed" or event["data"]["targetId"] is None:
            return
        data, version = event["data"], int(event["version"])
        place = data["userId"], data["targetId"]
        known_version, known = self._known.get(place, (0, "NONE"))
        if version > known_version:
            self._known[place] = version, data["after"]
            self.counts[data["targetId"]] += (data["after"] == "LIKE") - (known == "LIKE")


def events(url: str, stream: str) -> Iterator[dict[str, Any]]:
    """Yields all events of a stream, and waits for new ones."""
    client, last = redis.Redis.from_url(url, decode_responses=True), "0"
    while True:
        answer: Any = client.xread({stream: last}, block=5000)
        for id_, fields in answer[0][1] if answer else ():
            yield json.loads(fields["event"])
            last = id_


if __name__ == "__main__":
    likes = LikeCounts()
    for event in events(sys.argv[1], sys.argv[2]):
        likes.apply(event)
        sys.stdout.write(f"{likes.counts.most_common(10)}\n")
