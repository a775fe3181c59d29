"""Patches: changes of posts and comments, of the settings of comments, and of pinned posts. Their authors see them
before a worker has stored them in Postgres (ADR 18).

A row has the version of the last patch that it includes. So a reader of a row and of patches applies only newer
patches, and none twice, whichever of the two was read first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeVar

from domain.moderation.verdicts import AuditStatus
from domain.versions import moment_of
from models.attachments import Attachment, Attachments, from_plain
from models.comment_settings import CommentPolicy, CommentSettings, SubjectKey
from models.comments import CommentRow
from models.counters import EntityRef
from models.pinned_posts import MOST_PINNED, Pin, PinnedPosts
from models.posts import PostRow

POST = "post"
"""The kind of the journal entries of posts."""
ANNOUNCE = "announce"
"""The value of `op` in the journal entry of a post that announces an entity. It publishes the post, or gives it another
text.
"""
COMMENT = "comment"
"""The kind of the journal entries of comments."""
COMMENT_SETTINGS = "comment_settings"
"""The kind of the journal entries that change settings of comments, and the value of `op` in their data."""
PINNED_POST = "pinned_post"
"""The kind of the journal entries that pin or unpin posts, and the value of `op` in their data."""
_ROLES = ("author", "owner", "moderator")
"""The roles in which users delete comments: as the comment's author, as the owner of its subject, or as a moderator."""

Row = TypeVar("Row")


class Patch(Protocol[Row]):
    """One change that a user made to a post or comment, whose row has the type `Row`."""

    @property
    def version(self) -> int: ...
    @property
    def publishes(self) -> bool: ...
    @property
    def deletes(self) -> bool: ...
    @property
    def detaches(self) -> bool: ...
    @property
    def role(self) -> str | None: ...
    @property
    def texts(self) -> Sequence[str]: ...
    def born(self, id_: int, author_id: int, /) -> Row: ...
    def is_news_to(self, row: Row, /) -> bool: ...
    def applied(self, row: Row, /) -> Row: ...


def overlaid(id_: int, actor_id: int, row: Row | None, patches: Sequence[Patch[Row]]) -> Row | None:
    """Returns the row of a post or comment with a user's patches applied, including those that a worker has not stored
    yet. `row` is the stored row, or None. The result is None if `row` is None and no patch creates the post or comment.
    """
    for patch in patches:
        if row is None and patch.publishes:
            row = patch.born(id_, actor_id)
        elif row is not None and patch.is_news_to(row):
            row = patch.applied(row)
    return row


class PostPatch(NamedTuple):
    """One change of a post by its author. A field that is None stays as it is. `publishes` means that the change
    creates the post, `deletes` that it deletes the post.
    """

    version: int
    text: str | None = None
    images: tuple[Attachment, ...] | None = None
    topics: tuple[str, ...] | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes the custom data."""
    publishes: bool = False
    deletes: bool = False
    quote: tuple[int, int] | None = None
    """The post that a new post quotes, and its author; None if it quotes none."""
    detaches: bool = False
    """Whether the author of the quoted post detaches the post from it."""
    about: EntityRef | None = None
    """The entity to which a new post refers. No edit changes it."""
    announces: bool = False
    """Whether the post announces this entity. Then the change publishes the post, or edits it if it exists."""
    content_warning: str | None = None
    """The content warning; an empty text removes it."""
    labels: int | None = None
    """The author's labels, as bits."""

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "PostPatch":
        """Returns the change in the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is
        malformed.
        """
        images, topics = data["images"], data["topics"]
        patch = cls(
            version,
            data["text"],
            None if images is None else from_plain(images),
            None if topics is None else tuple(topics),
            data.get("custom"),
            data["op"] in ("publish", ANNOUNCE),
            data["op"] == "delete",
            (int(quote[0]), int(quote[1])) if (quote := data.get("quote")) else None,
            data["op"] == "detach",
            None if (about := data.get("about")) is None else EntityRef(*map(int, about)),
            data["op"] == ANNOUNCE,
            *_labels(data),
        )
        texts = [patch.text, patch.custom, patch.content_warning, *(patch.topics or ())]
        if not {str, type(None)}.issuperset(map(type, texts)):
            raise TypeError(f"{patch!r} holds something else than texts")
        return patch

    def born(self, post_id: int, author_id: int) -> PostRow:
        """Returns the post that this change creates, before moderation."""
        moment = moment_of(self.version)
        nothing: tuple[Any, ...] = ()
        row = PostRow(
            post_id, author_id, moment, "", nothing, nothing, AuditStatus.PENDING, None, False, None, self.version, 0, 0
        )
        quote_of, quote_owner = self.quote or (None, None)
        return replace(self._changed(row), quote_of=quote_of, quote_owner=quote_owner)

    @property
    def role(self) -> str:
        """Returns the role of the user who deletes a post. Only the author can delete a post."""
        return "author"

    @property
    def texts(self) -> list[str]:
        """Returns the new texts that moderation reads: the text, the content warning, the alternative texts of the
        images, and the topics.
        """
        alts = [image.alt for image in self.images or ()]
        return [one for one in (self.text, self.content_warning, *alts, *(self.topics or ())) if one]

    def is_news_to(self, row: PostRow) -> bool:
        """Tells whether this change edits or deletes a post or detaches a quote, and the row does not include it yet.
        A deletion is always final, and so is the detachment of a quote.
        """
        if self.detaches:
            return not (row.detached or row.deleted)
        if self.publishes and not self.announces:
            return False
        return self.version > row.content_version or (self.deletes and not row.deleted)

    def applied(self, row: PostRow) -> PostRow:
        """Returns the row of a post after this edit or deletion. Call it only if `is_news_to` is true for the row. If
        an edit sets only equal values, the row stays as it is, so that a pending review of the post stays valid.
        """
        if self.detaches:
            return replace(row, detached=True)
        changed = self._changed(row)
        if self.deletes:
            return replace(changed, deleted=True, content_version=max(row.content_version, self.version))
        if changed.says == row.says:
            return row
        return replace(changed, edited_ms=self.version >> 20, content_version=self.version)

    def _changed(self, row: PostRow) -> PostRow:
        """Returns a row with the content of this change, and otherwise as it was."""
        return replace(
            row,
            text=row.text if self.text is None else self.text,
            mentioned=row.mentioned if self.text in (None, row.text) else None,
            images=row.images if self.images is None else self.images,
            topic_names=row.topic_names if self.topics is None else self.topics,
            custom=row.custom if self.custom is None else self.custom or None,
            about_business=self.about.business_id if self.about else row.about_business,
            about_id=self.about.entity_id if self.about else row.about_id,
            announces=self.announces or row.announces,
            **_labeled(self, row),
        )


def _labels(data: Mapping[str, Any]) -> tuple[str | None, int | None]:
    """Returns the content warning and the author's labels in the data of a journal entry; None for a value that the
    entry does not set.
    """
    labels = data.get("labels")
    return data.get("warning"), None if labels is None else int(labels)


def _labeled(patch: "PostPatch | CommentPatch", row: PostRow | CommentRow) -> dict[str, Any]:
    """Returns the fields of a row about its content warning and the author's labels, after a change."""
    warning, labels = patch.content_warning, patch.labels
    return {
        "content_warning": row.content_warning if warning is None else warning or None,
        "labels": row.labels if labels is None else labels,
    }


class Beginning(NamedTuple):
    """The fields of a comment that are set only when it is created: its subject and the subject's owner, its root
    comment, the comment that it answers, and the author of that comment.
    """

    subject: EntityRef
    subject_owner: int | None
    root_id: int | None
    parent_id: int | None
    replied_to: int | None

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "Beginning":
        """Returns these fields from the data of a journal entry. Raises KeyError, TypeError or ValueError if the data
        is malformed.
        """
        owner, root, parent, replied_to = numbers = [data[key] for key in ("owner", "root", "parent", "replied_to")]
        if not {int, type(None)}.issuperset(map(type, numbers)):
            raise TypeError(f"{numbers!r} holds something else than ids")
        business_id, entity_id = map(int, data["subject"])
        return cls(EntityRef(business_id, entity_id), owner, root, parent, replied_to)


class CommentPatch(NamedTuple):
    """One change of a comment. `beginning` holds the subject and the parent of a new comment; None means that the
    comment exists. `text`, `images` and `custom` are what the author sets; None leaves them as they are.

    A user may also delete another user's comment, such as a comment on the user's own post. The user who deletes the
    comment sees the deletion before a worker has stored it.
    """

    version: int
    beginning: Beginning | None = None
    text: str | None = None
    images: Attachments | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes the custom data."""
    deletes: bool = False
    role: str | None = None
    """The role of the user who deletes the comment: `author`, `owner` or `moderator`; None if the change does not
    delete.
    """
    content_warning: str | None = None
    """The content warning; an empty text removes it."""
    labels: int | None = None
    """The author's labels, as bits."""

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentPatch":
        """Returns the change in the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is
        malformed.
        """
        if data["op"] == "delete":
            if (role := data.get("role")) not in _ROLES:
                raise ValueError(f"unknown role {role!r}")
            return cls(version, deletes=True, role=role)
        beginning = None if data["op"] == "edit" else Beginning.parse(data)
        images = None if (given := data.get("images")) is None else from_plain(given)
        patch = cls(version, beginning, data["text"], images, data.get("custom"), False, None, *_labels(data))
        texts = [patch.text, patch.custom, patch.content_warning]
        if not {str, type(None)}.issuperset(map(type, texts)) or (beginning and patch.text is None):
            raise TypeError(f"{patch!r} holds something else than texts")
        return patch

    @property
    def detaches(self) -> bool:
        """Returns False: comments quote nothing."""
        return False

    @property
    def publishes(self) -> bool:
        """Tells whether this change creates a comment."""
        return self.beginning is not None

    def born(self, comment_id: int, author_id: int) -> CommentRow:
        """Returns the comment that this change creates, before moderation. Call it only if `publishes` is true."""
        assert self.beginning is not None  # the caller has checked `publishes`
        subject, owner, root, parent, replied_to = self.beginning
        return CommentRow(
            comment_id=comment_id,
            subject_business=subject.business_id,
            subject_id=subject.entity_id,
            subject_owner=owner,
            root_id=root,
            parent_id=parent,
            replied_to=replied_to,
            author_id=author_id,
            moment=moment_of(self.version),
            text=self.text or "",
            images=self.images or (),
            status=AuditStatus.PENDING,
            reason=None,
            deleted=False,
            edited_ms=None,
            floor=None,
            answered=False,
            content_version=self.version,
            audit_version=0,
            version=0,
            custom=self.custom or None,
            content_warning=self.content_warning or None,
            labels=self.labels or 0,
        )

    @property
    def texts(self) -> list[str]:
        """Returns the new texts that moderation reads: the text, the content warning, and the alternative texts of the
        images.
        """
        alts = [image.alt for image in self.images or ()]
        return [one for one in (self.text, self.content_warning, *alts) if one]

    def is_news_to(self, row: CommentRow) -> bool:
        """Tells whether this change is a deletion or an edit that the row does not include yet. Nothing changes a
        deleted comment.
        """
        return not (self.publishes or row.deleted) and (self.deletes or self.version > row.content_version)

    def applied(self, row: CommentRow) -> CommentRow:
        """Returns the row of a comment after this deletion or edit. Call it only if `is_news_to` is true for the row.

        After a deletion, the row keeps its content version if that is higher: the deletion may come from another user's
        journal, whose clock differs. If an edit sets only equal values, the row stays as it is, so that a pending
        review of the comment stays valid.
        """
        if self.deletes:
            return replace(row, deleted=True, content_version=max(row.content_version, self.version))
        changed = replace(
            row,
            text=row.text if self.text is None else self.text,
            mentioned=row.mentioned if self.text in (None, row.text) else None,
            images=row.images if self.images is None else self.images,
            custom=row.custom if self.custom is None else self.custom or None,
            **_labeled(self, row),
        )
        if changed.says == row.says:
            return row
        return replace(changed, edited_ms=self.version >> 20, content_version=self.version)


class CommentSettingsPatch(NamedTuple):
    """One change of the settings of the comments on a post or entity (`subject`). A setting that is None stays as it
    is.
    """

    version: int
    subject: SubjectKey
    policy: CommentPolicy | None = None
    pinned_id: int | None = None
    """The id of the comment to pin. It replaces the pinned comment."""
    unpinned_id: int | None = None
    """The id of the comment to unpin. Nothing changes while another comment is pinned."""

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentSettingsPatch":
        """Returns the change in the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is
        malformed.
        """
        policy, pinned, unpinned = data.get("policy"), data.get("pinned"), data.get("unpinned")
        if type(data["key"]) is not str or not {int, type(None)}.issuperset(map(type, (pinned, unpinned))):
            raise TypeError(f"{data['key']!r} is no key, or {pinned!r} or {unpinned!r} no comment")
        if (policy, pinned, unpinned) == (None, None, None):
            raise ValueError("no setting is changed")
        subject = int(data["business"]), data["key"]
        return cls(version, subject, None if policy is None else CommentPolicy(policy), pinned, unpinned)

    def applied(self, settings: CommentSettings) -> CommentSettings:
        """Returns the settings after this change. If `settings` include the change already, returns
        them as they are.
        """
        if self.policy is not None and self.version > settings.policy_version:
            settings = replace(settings, policy=self.policy, policy_version=self.version)
        if self.version <= settings.pin_version:
            return settings
        if self.pinned_id is not None:
            return replace(settings, pinned_id=self.pinned_id, pin_version=self.version)
        # An unpin keeps the version, because a pin between the two may come later from a journal.
        return replace(settings, pinned_id=0) if self.unpinned_id == settings.pinned_id else settings


class PinPatch(NamedTuple):
    """A change in which a user pins a post to the profile (`pinned`) or unpins it. `replaced` are posts that a pin
    unpins at the same time.
    """

    version: int
    user_id: int
    post_id: int
    pinned: bool
    replaced: tuple[int, ...]

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "PinPatch":
        """Returns the change in the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is
        malformed.
        """
        pinned, replaced = data["pinned"], tuple(data["replaced"])
        if type(pinned) is not bool or not {int}.issuperset(map(type, replaced)):
            raise TypeError(f"{pinned!r} is no bool, or {replaced!r} has something else than ids")
        return cls(version, int(data["actor"]), int(data["entity"]), pinned, replaced)

    def applied(self, pins: PinnedPosts) -> PinnedPosts:
        """Returns the pinned posts after this change. If `pins` include the change already, returns
        them as they are.
        """
        if self.version <= pins.version:
            return pins
        others = [id_ for id_ in pins.post_ids if id_ != self.post_id and id_ not in self.replaced]
        return PinnedPosts(tuple([self.post_id, *others][:MOST_PINNED] if self.pinned else others), self.version)

    def change(self, pins: dict[int, Pin]) -> None:
        """Applies this change to `pins`, which has all pins of the user by post id. If more than MOST_PINNED posts are
        pinned then, because two requests arrived at the same time, unpins the oldest.
        """
        wanted = {**dict.fromkeys(self.replaced, False), self.post_id: self.pinned}
        for post_id, pinned in wanted.items():
            if post_id not in pins or self.version > pins[post_id].version:
                pins[post_id] = Pin(self.version, pinned)
        newest = sorted((post_id for post_id, pin in pins.items() if pin.pinned), key=pins.__getitem__, reverse=True)
        for post_id in newest[MOST_PINNED:]:
            pins[post_id] = Pin(self.version, False)


class Patches(NamedTuple):
    """The patches of one user that workers have not stored and published yet, oldest first. `posts` and `comments` have
    them by the id of the post or comment.
    """

    posts: Mapping[int, Sequence[PostPatch]]
    comments: Mapping[int, Sequence[CommentPatch]]
    settings: Mapping[SubjectKey, Sequence[CommentSettingsPatch]]
    """The changes of settings of comments, by the post or entity to which the settings belong."""
    pins: Mapping[int, Sequence[PinPatch]]
    """The changes of the user's pinned posts. The only key is the id of the user."""


NONE = Patches({}, {}, {}, {})


class Published(NamedTuple):
    """Identifies a patch that is published, so that all users who may see the post or comment `ref` see the change.
    `actor_id` is the user who made it.
    """

    actor_id: int
    ref: EntityRef
    version: int
