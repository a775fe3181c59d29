"""The rule about the number of submissions from one network or device, whoever wrote them.

The rule uses the times of submissions, not the current time, so that checking a submission again gives the same
verdict.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterable
from operator import itemgetter

from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings

HOUR_MS = 3_600_000


class HourlyCounts:
    """The submissions from each source: a network or a device. Each submission has a source, a key, and a time in
    milliseconds since the Unix epoch.

    A submission that was edited counts once, where and when it was last changed: of those with one key, the last one
    counts. Submissions without a source do not count.
    """

    def __init__(self, submissions: Iterable[tuple[str | None, Hashable, int]]) -> None:
        self._last = {key: (source, at_ms) for source, key, at_ms in submissions}
        self._times: defaultdict[str, list[int]] = defaultdict(list)
        for source, at_ms in sorted(self._last.values(), key=itemgetter(1)):
            if source is not None:
                self._times[source].append(at_ms)

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
