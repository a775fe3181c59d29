"""Events of posts and comments, and of decisions about them."""

from typing import Any, NamedTuple

from domain.moderation.verdicts import AuditStatus
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
    """The post or comment. Also the key of its counters."""
    patch: Patch[Any]
    claim: Claim | None
    """The claim of a publication to its idempotency key. None for edits and deletions."""
    left: tuple[str, ...]
    """The topics that the post had before an edit of its topics."""
    trace: ClientTrace

    @property
    def edits(self) -> bool:
        """Returns whether the actor edited the post or comment."""
        return not (self.patch.publishes or self.patch.deletes)


class ModerationDecided(NamedTuple):
    """An event: a moderator or the external reviewer decided about a post or comment, whose content had the version
    `content_version`.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or comment. Also the key of its counters."""
    content_version: int
    status: AuditStatus
    reason: str
    reviewer: bool
    """Whether the external reviewer decided. Its decision counts only while the post or comment waits for review."""
    by_reports: bool = False
    """Whether many reports hide the post or comment. They do not hide what a moderator has approved."""

    @property
    def by_moderator(self) -> bool:
        """Returns whether a moderator decided."""
        return not self.reviewer and not self.by_reports


ContentEvent = ContentChanged | ModerationDecided
