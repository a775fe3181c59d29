"""Events about posts and comments: their changes, and moderation decisions about them."""

from typing import Any, NamedTuple

from domain.moderation.verdicts import AuditStatus, LabelVerdict
from models.counters import EntityRef
from models.patches import Patch
from store.write_log.claims import Claim
from store.write_log.journal import ClientTrace


class ContentChanged(NamedTuple):
    """An event: an actor published, edited or deleted a post or comment."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or comment. Its counters have this key, too."""
    patch: Patch[Any]
    claim: Claim | None
    """For a new post or comment, the claim to its idempotency key: the first one that claims a key is stored. None for
    edits and deletions.
    """
    left: tuple[str, ...]
    """The topics that a post had before its topics were edited; otherwise empty."""
    trace: ClientTrace

    @property
    def edits(self) -> bool:
        """Returns whether the event is an edit, rather than a publication, a deletion or the detachment of a quote."""
        return not (self.patch.publishes or self.patch.deletes or self.patch.detaches)


class ModerationDecided(NamedTuple):
    """An event: a moderator, the external reviewer, or many reports decided about the version `content_version` of the
    content of a post or comment.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or comment. Its counters have this key, too."""
    content_version: int
    status: AuditStatus
    reason: str
    reviewer: bool
    """Whether the external reviewer decided. Its decision counts only while the post or comment waits for review."""
    by_reports: bool = False
    """Whether many reports hide the post or comment. Such a decision does not hide what a moderator has approved."""
    match: str | None = None
    """What the external reviewer says about known illegal content; None for all other decisions."""
    ground: str | None = None
    """The name of the ground that a moderator names; None for none."""
    labels: tuple[LabelVerdict, ...] = ()
    """The labels that the external reviewer sets. They are added to those that moderators have set."""

    @property
    def by_moderator(self) -> bool:
        """Returns whether a moderator decided."""
        return not self.reviewer and not self.by_reports


class LabelsSet(NamedTuple):
    """An event: a moderator set the labels of moderators on a post, comment or entity."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post, comment or entity. Its counters have this key, too."""
    labels: int
    """The labels, as bits. They replace those that moderators have set before."""
    reason: str
    ground: str | None = None
    """The name of the ground that the moderator names; None for none."""


ContentEvent = ContentChanged | ModerationDecided | LabelsSet
