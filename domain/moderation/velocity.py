"""The rule about the number of submissions from one network or device, whoever wrote them.

The rule uses the times of submissions, not the current time, so that checking a submission again gives the same
verdict.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping

from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings

HOUR_MS = 3_600_000


class HourlyCounts:
    """The submissions from each source: a network or a device.

    `stored` has the times of earlier submissions by source. `batch` has the submissions that are judged now: source,
    key and time of each, oldest first. Of those with one key, the last one counts, so that a submission that was edited
    counts once. Submissions without a source do not count. Times are in milliseconds since the Unix epoch.
    """

    def __init__(
        self, stored: Mapping[str, Iterable[int]], batch: Iterable[tuple[str | None, Hashable, int]] = ()
    ) -> None:
        self._last = {key: (source, at_ms) for source, key, at_ms in batch}
        self._times = defaultdict(list, {source: [*times] for source, times in stored.items()})
        for source, at_ms in self._last.values():
            if source is not None:
                self._times[source].append(at_ms)
        for times in self._times.values():
            times.sort()

    def up_to(self, source: str, key: Hashable, at_ms: int) -> int:
        """Returns how many submissions there are from a source in the hour up to a time: the one with this key, at this
        time, and all others.
        """
        times, (own_source, own_ms) = self._times[source], self._last.get(key, (None, 0))
        counts_own = own_source == source and at_ms - HOUR_MS < own_ms <= at_ms
        return bisect_right(times, at_ms) - bisect_right(times, at_ms - HOUR_MS) + (not counts_own)


def check(submission: Submission, settings: ModerationSettings) -> ModerationVerdict:
    """Returns the verdict on the numbers of submissions from the network and the device of a submission."""
    for posts, most, source in (
        (submission.device_posts, settings.device_posts_per_hour, "device"),
        (submission.network_posts, settings.network_posts_per_hour, "network"),
    ):
        if most and posts > most:
            return ModerationVerdict(AuditStatus.PENDING, f"{posts} posts from one {source} within an hour")
    return APPROVED
