"""Events of posts and comments, and of decisions about them."""

from typing import Any, NamedTuple

from domain.moderation.verdicts import AuditStatus
from models.counters import EntityRef
from projections.events.fields import Parsers, check_names, ref_of, trace_of
from settings import COMMENTS, POSTS
from store.content import comments, posts
from store.content.comment_settings import COMMENT_SETTINGS, CommentSettingsPatch
from store.content.comments import COMMENT
from store.content.patches import JUDGE, Patch, Published
from store.content.pinned_posts import PINNED_POST, PinPatch
from store.content.posts import POST
from store.write_log.claims import Claim, Name
from store.write_log.journal import ClientTrace, Entry


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

    @property
    def settled(self) -> Published:
        """Returns the author's patch, which may be removed some time after this event was published."""
        return Published(self.actor_id, self.ref, self.version)


class CommentSettingsChanged(NamedTuple):
    """An event: the author of a post, or the owner of an entity, changed the settings of its comments."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post or entity."""
    patch: CommentSettingsPatch

    @property
    def settled(self) -> Published:
        """Returns the user's patch, which may be removed some time after this event was published."""
        return Published(self.actor_id, self.ref, self.version)


class PinChanged(NamedTuple):
    """An event: a user pinned or unpinned a post."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The post."""
    patch: PinPatch

    @property
    def settled(self) -> Published:
        """Returns the user's patch, which may be removed some time after this event was published."""
        return Published(self.actor_id, self.ref, self.version)


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

    @property
    def settled(self) -> None:
        """Returns None, because a decision is never pending."""


def _parse_post(entry: Entry, data: dict[str, Any]) -> ContentChanged:
    return _content_changed(
        entry, EntityRef(POSTS, int(data["post"])), posts.PostPatch.parse(entry.version, data), data
    )


def _parse_comment(entry: Entry, data: dict[str, Any]) -> ContentChanged:
    return _content_changed(
        entry, EntityRef(COMMENTS, int(data["comment"])), comments.CommentPatch.parse(entry.version, data), data
    )


def _parse_comment_settings(entry: Entry, data: dict[str, Any]) -> CommentSettingsChanged:
    patch = CommentSettingsPatch.parse(entry.version, data)
    return CommentSettingsChanged(entry.partition, entry.version, int(data["actor"]), ref_of(data), patch)


def _parse_pin(entry: Entry, data: dict[str, Any]) -> PinChanged:
    patch = PinPatch.parse(entry.version, data)
    return PinChanged(entry.partition, entry.version, patch.user_id, ref_of(data), patch)


def _content_changed(entry: Entry, ref: EntityRef, patch: Patch[Any], data: dict[str, Any]) -> ContentChanged:
    actor, claim = int(data["actor"]), None
    if patch.publishes:
        claim = Claim(Name(actor, ref.business_id, str(data["key"])), str(data["fingerprint"]), ref.entity_id)
    return ContentChanged(
        entry.partition, entry.version, actor, ref, patch, claim, check_names(data.get("left", ())), trace_of(data)
    )


def _parse_decision(entry: Entry, data: dict[str, Any]) -> ModerationDecided:
    status, reason, reviewer = AuditStatus(data["status"]), f"{data['reason']}", bool(data["reviewer"])
    actor, content = int(data["actor"]), int(data["content"])
    by_reports = bool(data.get("reports"))
    return ModerationDecided(
        *(entry.partition, entry.version, actor, ref_of(data), content, status, reason),
        reviewer=reviewer and not by_reports,
        by_reports=by_reports,
    )


PARSERS: Parsers[ContentChanged | CommentSettingsChanged | PinChanged | ModerationDecided] = {
    POST: _parse_post,
    COMMENT: _parse_comment,
    COMMENT_SETTINGS: _parse_comment_settings,
    PINNED_POST: _parse_pin,
    JUDGE: _parse_decision,
}
"""The parser of each kind of journal entry."""
