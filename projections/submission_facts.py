"""The facts about submissions (new and edited posts and comments) that the moderation rules need besides the content:
the network and device, how many submissions came from them, and the earlier decisions about the author.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from domain.moderation import author_reputation
from domain.moderation.author_reputation import Decision
from domain.moderation.velocity import HOUR_MS, HourlyCounts
from domain.moderation.verdicts import Submission
from models.base import at, ms
from models.comments import CommentRow
from models.devices import known_network
from models.posts import PostRow
from projections.content_events import ContentChanged
from state import State
from store.moderation import log, submissions
from store.moderation.log import LogLine
from store.moderation.submissions import Source
from store.postgres.client import Transaction
from store.write_log.journal import ClientTrace


class SubmissionFacts:
    """The facts about the submissions of one batch: how many came from each network and device, and earlier decisions
    about the authors. Facts that no moderation rule needs are not read.
    """

    def __init__(
        self,
        names: Mapping[int, str],
        networks: HourlyCounts | None = None,
        devices: HourlyCounts | None = None,
        decisions: Mapping[int, list[Decision]] | None = None,
    ) -> None:
        self._names = names
        self._networks = networks
        self._devices = devices
        self._counts_decisions = decisions is not None
        self._decisions = defaultdict(list, decisions or {})

    @classmethod
    async def read(cls, state: State, transaction: Transaction, changes: Sequence[ContentChanged]) -> "SubmissionFacts":
        """Reads the facts about these new and edited posts and comments, with one query for each kind of fact."""
        settings = state.settings.moderation
        networks = devices = decisions = None
        if settings.network_posts_per_hour:
            networks = await _counts(transaction, "network", changes)
        if settings.device_posts_per_hour:
            devices = await _counts(transaction, "device", changes)
        if settings.rejections:
            decisions = await _decisions(transaction, changes)
        return cls(state.business_names, networks, devices, decisions)

    def about(self, row: PostRow | CommentRow, network: str | None, device: str | None) -> Submission:
        """Returns a post or comment, sent from `network` and `device`, as a submission with all facts about it."""
        submission = described(row, self._names, network, device)
        at_ms = ms(submission.submitted_at)
        record = author_reputation.record_at(self._decisions.get(row.author_id, ()), submission.submitted_at)
        return replace(
            submission,
            network_posts=_count(self._networks, network, row.ref, at_ms),
            device_posts=_count(self._devices, device, row.ref, at_ms),
            rejections=record.rejections,
            accepted_reports=record.accepted_reports,
        )

    def counted_by(self, submission: Submission) -> tuple[str | None, str | None]:
        """Returns the network and the device to store with a submission. Each is None if no rule counts submissions by
        it.
        """
        network = None if self._networks is None else submission.network
        return network, None if self._devices is None else submission.device

    def remember(self, line: LogLine) -> None:
        """Adds the decision that a line of the batch's moderation log states, if any, to the earlier decisions about
        the author.
        """
        if self._counts_decisions and line.user_id is not None and (decision := line.decision):
            self._decisions[line.user_id].append(decision)


def described(
    row: PostRow | CommentRow, names: Mapping[int, str], network: str | None, device: str | None
) -> Submission:
    """Returns a post or comment, sent from `network` and `device`, as a submission that names its business. `names` has
    the names of businesses by id.
    """
    about = row.subject_business if isinstance(row, CommentRow) else row.business_id
    return replace(row.submission, business=names.get(about, ""), network=network, device=device)


def _count(counts: HourlyCounts | None, source: str | None, key: Hashable, at_ms: int) -> int:
    return counts.up_to(source, key, at_ms) if counts is not None and source is not None else 0


async def _counts(transaction: Transaction, source: Source, changes: Sequence[ContentChanged]) -> HourlyCounts:
    """Returns how many submissions came from each network or each device (`source` says which): those of the hour
    before these changes, and the changes themselves.
    """
    new = [(_source(event.trace, source), event.ref, event.version >> 20) for event in changes]
    values, times = {value for value, _, _ in new if value is not None}, [at_ms for _, _, at_ms in new]
    if not values:
        return HourlyCounts({})
    ids = {event.ref.entity_id for event in changes}
    stored = await submissions.times_by(transaction, source, values, min(times) - HOUR_MS, max(times), ids)
    return HourlyCounts(stored, new)


def _source(client: ClientTrace, source: Source) -> str | None:
    return known_network(client.ip) if source == "network" else client.device


async def _decisions(transaction: Transaction, changes: Sequence[ContentChanged]) -> dict[int, list[Decision]]:
    """Returns the earlier decisions about the authors of these changes, by author."""
    if not changes:
        return {}
    times = [at(event.version >> 20) for event in changes]
    span = min(times) - author_reputation.SPAN, max(times)
    return await log.decisions_about(transaction, {event.actor_id for event in changes}, span)
