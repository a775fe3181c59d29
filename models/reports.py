"""Reports of users about content, and the cases of the moderation queue, which moderators decide."""

from datetime import datetime
from enum import Enum
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, Integer, SmallInteger, Text, text

from domain.moderation.reports import CaseSource, ReportReason
from models.base import at, column, key, nullable, table
from models.counters import EntityRef

TRUSTED_WEIGHT = 1 << 40
"""The weight of an open notice of a trusted flagger in the case of its target. It exceeds the weight of all reports of
a target together, so such cases come first in the order by weight. Other notices have no weight.
"""
CONTENT = CaseSource.RULES | CaseSource.WORDS | CaseSource.REVIEWER
"""The sources of a case that mean that moderation holds the post or comment until it is approved."""

REPORTS_TABLE = table(
    "reports",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("reporter_id", BigInteger),
    # The author or owner of the target; null for an entity without owner.
    nullable("author_id", BigInteger),
    column("version", BigInteger),
    column("reason", SmallInteger),
    nullable("note", Text),
    column("weight", SmallInteger),
    # The network from which the report was sent: an IPv4 address or an IPv6 prefix. Null if the address is unknown.
    nullable("network", Text),
    # The number of a ReportStatus.
    column("status", SmallInteger),
    Index("reports_newest_idx", "business_id", "entity_id", "status", text("version DESC")),
    Index("reports_network_idx", "business_id", "entity_id", "network", postgresql_where=text("status = 0")),
    Index("reports_made_idx", "reporter_id", "status"),
    Index("reports_received_idx", "author_id", "status"),
    Index("reports_decided_idx", "version", postgresql_where=text("status <> 0")),
    shard="entity_id",
)
"""The last report of each reporter about each target. A target is a post, comment, user, entity or collection."""

CASES_TABLE = table(
    "cases",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The business of the subject for a comment, otherwise the business of the target.
    column("about", SmallInteger),
    # The author or owner of the target; null for an entity without owner.
    nullable("author_id", BigInteger),
    # When the case was opened or resolved last: a moment, which orders the queue.
    column("moment", BigInteger),
    # The set of CaseSource. 0: the case is resolved.
    column("sources", SmallInteger),
    # The number of open reports, and the total weight of open reports and notices.
    column("reports", Integer),
    column("weight", BigInteger),
    # The moderator who works on the case, and the end of the assignment in Unix milliseconds.
    nullable("assignee_id", BigInteger),
    nullable("assigned_until_ms", BigInteger),
    # The moment at which the post or comment began to wait for approval; null if it does not wait.
    nullable("held_moment", BigInteger),
    Index("cases_queue_idx", "moment", "entity_id", postgresql_where=text("sources <> 0")),
    Index("cases_weight_idx", text("weight DESC"), text("entity_id DESC"), postgresql_where=text("sources <> 0")),
    Index(
        "cases_held_idx",
        text("coalesce(held_moment, moment)"),
        "entity_id",
        postgresql_where=text("sources & 7 <> 0"),
    ),
    Index("cases_resolved_idx", "moment", "entity_id", postgresql_where=text("sources = 0")),
    shard="entity_id",
)
"""The moderation queue: one row (a case) for each post, comment, user, entity or collection that has ever waited
for a moderator.
"""


class ReportRow(NamedTuple):
    """A report as moderators see it. `version` is its journal id, which contains its time."""

    reporter_id: int
    version: int
    reason: ReportReason
    note: str | None

    @property
    def created_at(self) -> datetime:
        """Returns when the report was made."""
        return at(self.version >> 20)


class CaseStatus(Enum):
    """Whether a case waits for a moderator."""

    OPEN = "open"
    RESOLVED = "resolved"


class CaseAssignment(Enum):
    """A filter of the moderation queue: the cases that are assigned to the moderator who asks (MINE), or all cases that
    are not assigned to any other moderator (UNASSIGNED).
    """

    MINE = "mine"
    UNASSIGNED = "unassigned"


class CaseOrder(Enum):
    """The order of the moderation queue."""

    OLDEST = "oldest"
    NEWEST = "newest"
    MOST_REPORTED = "most reported"


class CaseRow(NamedTuple):
    """A case of the moderation queue: a post, comment, user, entity or collection (`ref`) about which a moderator must
    decide, or has decided. `sources` says why.

    `about` is the number of the business of the target; for a comment, that of its subject. `author_id` is the author
    or owner of the target. `reports` is the number of open reports, and `weight` the total weight of open reports and
    notices. `moment` orders the queue.
    """

    ref: EntityRef
    about: int
    author_id: int | None
    moment: int
    sources: CaseSource
    reports: int
    weight: int
    assignee_id: int | None
    assigned_until_ms: int | None
    held_moment: int | None = None
    """The moment at which the post or comment began to wait for approval; None if it does not wait."""

    @property
    def is_open(self) -> bool:
        """Returns whether the case waits for a moderator."""
        return self.sources != CaseSource(0)

    @property
    def changed_at(self) -> datetime:
        """Returns the time at which the case was last opened or resolved."""
        return at(self.moment >> 10)

    @property
    def assigned_until(self) -> datetime | None:
        """Returns the time at which the assignment to a moderator ends; None if no moderator is assigned."""
        return at(self.assigned_until_ms) if self.assignee_id and self.assigned_until_ms else None

    def at_time(self, now_ms: int) -> "CaseRow":
        """Returns the case as it is at the time `now_ms`, in milliseconds since the Unix epoch: without an assignment
        that has ended.
        """
        ended = (self.assigned_until_ms or 0) <= now_ms
        return self._replace(assignee_id=None) if ended else self

    def changed(
        self,
        moment: int,
        author_id: int | None = None,
        *,
        content: CaseSource | None = None,
        has_appeal: bool | None = None,
        has_notice: bool | None = None,
        reports: int = 0,
        weight: int = 0,
    ) -> "CaseRow":
        """Returns the case after a change. If the change opens or resolves the case, `moment` becomes its moment. If
        the post or comment waits for approval from now on, `moment` becomes its `held_moment`.

        `content` has the reasons why the post or comment waits for approval; it is empty if the post or comment does
        not wait. `has_appeal` is whether there is an open appeal, and `has_notice` whether there is an open notice. If
        one of the three is None, this part of the case stays as it is. `reports` and `weight` are added to the number
        of open reports, and to the total weight of open reports and notices.
        """
        count = max(0, self.reports + reports)
        sources = self.sources & CONTENT if content is None else content
        if count:
            sources |= CaseSource.REPORTS
        if self.sources & CaseSource.APPEAL if has_appeal is None else has_appeal:
            sources |= CaseSource.APPEAL
        if self.sources & CaseSource.NOTICE if has_notice is None else has_notice:
            sources |= CaseSource.NOTICE
        held = (self.held_moment or moment) if sources & CONTENT else None
        return self._replace(
            author_id=author_id or self.author_id,
            moment=moment if bool(sources) != self.is_open else self.moment,
            sources=sources,
            reports=count,
            weight=max(0, self.weight + weight),
            held_moment=held,
        )
