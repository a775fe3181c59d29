"""The rule about the number of submissions from one network or device, whoever wrote them.

The rule uses the times of submissions, not the current time, so that checking a submission again gives the same
verdict.
"""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Hashable, Iterable

from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings

HOUR_MS = 3_600_000


class HourlyCounts:
    """Counts the submissions from each source (a network or a device) in an hour. A submission that was edited counts
    once, at the time of its newest text.

    `known` are the submissions so far: source, key and time in milliseconds since the Unix epoch of each.
    """

    def __init__(self, known: Iterable[tuple[str, Hashable, int]] = ()) -> None:
        self._times: defaultdict[str, list[int]] = defaultdict(list)
        self._places: dict[Hashable, tuple[str, int]] = {}
        for source, key, at_ms in known:
            self._times[source].append(at_ms)
            self._places[key] = source, at_ms
        for times in self._times.values():
            times.sort()

    def add(self, source: str, key: Hashable, at_ms: int) -> int:
        """Adds a submission. Returns how many there are from this source in the hour up to this time, including this
        submission.
        """
        if earlier := self._places.get(key):
            self._times[earlier[0]].remove(earlier[1])
        self._places[key] = source, at_ms
        times = self._times[source]
        insort(times, at_ms)
        return bisect_right(times, at_ms) - bisect_right(times, at_ms - HOUR_MS)


def check(submission: Submission, settings: ModerationSettings) -> ModerationVerdict:
    """Returns the verdict on the numbers of submissions from the network and the device of a submission."""
    for posts, most, source in (
        (submission.device_posts, settings.device_posts_per_hour, "device"),
        (submission.network_posts, settings.network_posts_per_hour, "network"),
    ):
        if most and posts > most:
            return ModerationVerdict(AuditStatus.PENDING, f"{posts} posts from one {source} within an hour")
    return APPROVED
