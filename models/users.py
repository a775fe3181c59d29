"""Users: their profiles, the identities with which they sign in, and their handles."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from functools import cached_property

from sqlalchemy import BigInteger, Boolean, DateTime, Index, SmallInteger, Text, text

from domain.ids import UserId, ViewerId, born_ms
from domain.moderation.verdicts import Submission
from models.base import at, column, key, nullable, table
from models.counters import EntityRef
from models.deletions import DeletionMode, DeletionRow, DeletionState
from models.profiles import ProfileField
from settings import USERS


class SuspensionMode(IntEnum):
    """The mode of a suspension, which decides what the suspended user cannot do and who can see the user. The numbers
    are stored: never reuse one.
    """

    READ_ONLY = 1
    """The user cannot publish, edit, comment, react, follow, or change the profile."""
    HIDDEN = 2
    """The restrictions of READ_ONLY. In addition, only moderators see the user and the user's content."""
    SHADOW = 3
    """Only moderators see the user and the user's content. The user can still write, and cannot see the suspension."""


USERS_TABLE = table(
    "users",
    key("user_id", BigInteger),
    column("handle", Text),
    column("display_name", Text),
    nullable("avatar_url", Text),
    column("bio", Text, server_default=text("''")),
    column("version", BigInteger, server_default=text("1")),
    column("is_private", Boolean, server_default=text("false")),
    # A `SuspensionMode`; null if the user is not suspended. A worker clears a suspension within a minute of its end.
    nullable("suspended", SmallInteger),
    # Milliseconds since the Unix epoch; null for a suspension without an end.
    nullable("suspended_until_ms", BigInteger),
    nullable("suspension_reason", Text),
    # The newest decision of a moderator to suspend or reinstate the user; 0 without any.
    column("suspension_version", BigInteger, server_default=text("0")),
    # A JSON object as text.
    nullable("custom", Text),
    # The age band that a service states; null if none does.
    nullable("age_band", Text),
    # The language in which the user reads, a tag of BCP 47; null without a choice.
    nullable("language", Text),
    # A `DeletionState`, and a `DeletionMode`; null if nobody has asked to delete the account.
    nullable("deletion", SmallInteger),
    nullable("deletion_mode", SmallInteger),
    # When workers may begin to delete the account, in milliseconds since the Unix epoch.
    nullable("deletion_due_ms", BigInteger),
    # The newest request to delete the account or to cancel the deletion; 0 without any.
    column("deletion_version", BigInteger, server_default=text("0")),
    Index("users_suspension_end_idx", "suspended_until_ms", postgresql_where=text("suspended_until_ms IS NOT NULL")),
    shard="user_id",
)
"""The profiles of all users. `version` grows with every edit of the profile, every suspension, and every change of the
deletion.
"""

IDENTITIES_TABLE = table(
    "identities",
    key("issuer", Text),
    key("subject", Text),
    column("user_id", BigInteger),
    Index("identities_user_idx", "user_id"),
    shard="subject",
)
"""Claims of identities: for each issuer and subject of tokens, the user who signs in with them."""

HANDLES_TABLE = table(
    "handles",
    key("handle", Text),
    column("user_id", BigInteger),
    # When the user changed to another handle; null while the handle is in use. For some time, no other user may then
    # claim the handle.
    nullable("freed_at", DateTime(timezone=True)),
    Index("handles_freed_idx", "user_id", "freed_at", postgresql_where=text("freed_at IS NOT NULL")),
    shard="handle",
)
"""Claims of handles: for each handle, the user who has it, or who had it last."""


@dataclass(frozen=True, slots=True)
class SuspensionRow:
    """A suspension that is in force. `until` is the time of its end; None if it has no end."""

    mode: SuspensionMode
    until: datetime | None
    reason: str


@dataclass(frozen=True)
class UserRow:
    """A user's profile. All users may see it, except the language and the fields of the suspension. `suspended`
    is the number of a SuspensionMode; None if the user is not suspended. `deletion` and `deletion_mode` are the numbers
    of a DeletionState and a DeletionMode; None if nobody has asked to delete the account. A row object never changes
    (see `PostRow` in models/posts.py).
    """

    user_id: int
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    version: int
    is_private: bool = False
    suspended: int | None = None
    suspended_until_ms: int | None = None
    suspension_reason: str | None = None
    custom: str | None = None
    deletion: int | None = None
    deletion_mode: int | None = None
    deletion_due_ms: int | None = None
    age_band: str | None = None
    """The age band that a service states; None if none does. Only the user may see it."""
    language: str | None = None

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return UserId.text(self.user_id)

    def suspension(self, now_ms: int) -> SuspensionRow | None:
        """Returns the user's suspension if one is in force at the time `now_ms`, in milliseconds since the Unix epoch;
        otherwise None.
        """
        if self.suspended is None or (self.suspended_until_ms is not None and self.suspended_until_ms <= now_ms):
            return None
        until = None if self.suspended_until_ms is None else at(self.suspended_until_ms)
        return SuspensionRow(SuspensionMode(self.suspended), until, self.suspension_reason or "")

    @property
    def deleting(self) -> DeletionRow | None:
        """Returns the deletion of the account that is pending or running or has ended; None if there is none."""
        if self.deletion is None:
            return None
        assert self.deletion_mode is not None
        assert self.deletion_due_ms is not None
        return DeletionRow(DeletionState(self.deletion), DeletionMode(self.deletion_mode), at(self.deletion_due_ms))

    @property
    def is_deleted(self) -> bool:
        """Tells whether a deletion hides the user and the user's content. At the end of a deletion with the mode
        ANONYMIZE, the content is visible again.
        """
        return self.deletion is not None and (
            self.deletion != DeletionState.DONE or self.deletion_mode == DeletionMode.ERASE
        )

    @property
    def is_open(self) -> bool:
        """Tells whether all users may see this user and the user's content, apart from blocks: the account is neither
        private, nor suspended, nor deleted.
        """
        return self.suspended is None and not self.is_private and self.deletion is None

    def is_hidden(self, now_ms: int) -> bool:
        """Tells whether a suspension or a deletion hides the user and the user's content from other users at the time
        `now_ms`, in milliseconds since the Unix epoch.
        """
        if self.is_deleted:
            return True
        found = None if self.suspended is None else self.suspension(now_ms)
        return found is not None and found.mode is not SuspensionMode.READ_ONLY

    @property
    def is_counted(self) -> bool:
        """Tells whether the counters of topics include the posts of this user, because all users may see them. A
        suspension that has ended counts until a worker clears it.
        """
        return not (self.is_private or self.is_deleted) and self.suspended in (None, SuspensionMode.READ_ONLY)

    @cached_property
    def ref(self) -> EntityRef:
        """Returns the reference of the user, under which the user's counters are stored."""
        return EntityRef(USERS, self.user_id)

    @property
    def settings_key(self) -> tuple[int, str]:
        """Returns the key under which it is stored who may quote the posts of the user (models/quotes.py)."""
        return USERS, str(self.user_id)

    def submission(self, field: ProfileField, at_ms: int) -> Submission:
        """Returns a text of the profile, or the avatar, as the submission that moderation checks. `at_ms` is the time
        of the submission, in milliseconds since the Unix epoch.
        """
        avatar = self.avatar_url if field is ProfileField.AVATAR else None
        return Submission(
            kind=field.kind,
            id=self.user_id,
            author_id=self.user_id,
            author_created_at=self.created_at,
            text="" if field is ProfileField.AVATAR else getattr(self, field.attribute),
            image_urls=(avatar,) if avatar else (),
            image_alts=(),
            topics=(),
            submitted_at=at(at_ms),
            avatar=self.avatar_url,
        )

    @property
    def created_at(self) -> datetime:
        """Returns the time at which the user was created, by the first sign-in or by a service. The user's id contains
        this time.
        """
        return at(born_ms(self.user_id))


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """The signed-in user, as the object that has this user's private data."""

    user_id: int

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return ViewerId.text(self.user_id)
