"""The rule about networks and devices: limits how many submissions may come from one network or device in an hour, from
all authors together.

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
    """Counts submissions by source. A source is a network or a device.

    `stored` has the times of earlier submissions, by source. `batch` has the source, key and time of each submission
    that a worker stores now, oldest first. The key identifies the post or comment. Of several submissions with the same
    key, only the last one counts, so that an edited post counts once. Submissions whose source is None do not count.
    Times are in milliseconds since the Unix epoch.
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
        """Returns the number of submissions from a source in the hour up to `at_ms`. The submission with this key at
        this time is always one of them, even if a later edit of the same post or comment is the one that `batch`
        counts.
        """
        times, (own_source, own_ms) = self._times[source], self._last.get(key, (None, 0))
        counts_own = own_source == source and at_ms - HOUR_MS < own_ms <= at_ms
        return bisect_right(times, at_ms) - bisect_right(times, at_ms - HOUR_MS) + (not counts_own)


def check(submission: Submission, settings: ModerationSettings) -> ModerationVerdict:
    """Returns PENDING if more submissions came from the network or the device of this submission than the settings
    allow in an hour, otherwise APPROVED.
    """
    for posts, most, source in (
        (submission.device_posts, settings.device_posts_per_hour, "device"),
        (submission.network_posts, settings.network_posts_per_hour, "network"),
    ):
        if most and posts > most:
            return ModerationVerdict(AuditStatus.PENDING, f"{posts} posts from one {source} within an hour")
    return APPROVED
