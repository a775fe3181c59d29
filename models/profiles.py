"""Profile texts that wait for the decision of the external reviewer."""

from enum import IntEnum

from sqlalchemy import BigInteger, Index, SmallInteger

from models.base import column, key, table


class ProfileField(IntEnum):
    """The texts of a profile that moderation checks, and the avatar. The numbers are stored: never reuse one."""

    HANDLE = 1
    DISPLAY_NAME = 2
    BIO = 3
    AVATAR = 4
    """Only the external reviewer checks it."""

    @property
    def attribute(self) -> str:
        """Returns the name of the column with this text, or with the URL of the avatar, in the table `users`."""
        return "avatar_url" if self is ProfileField.AVATAR else self.kind

    @property
    def kind(self) -> str:
        """Returns the name of this field in requests to the external reviewer, such as `display_name`."""
        return self.name.lower()

    @property
    def label(self) -> str:
        """Returns the name of this text in messages to the owner of the profile, such as `display name`."""
        return self.kind.replace("_", " ")


PROFILE_REVIEWS_TABLE = table(
    "profile_reviews",
    key("user_id", BigInteger),
    key("field", SmallInteger),
    # The user's partition. The worker that owns it asks the reviewer.
    column("partition", SmallInteger),
    # The time from which the reviewer is asked, as a journal id. It grows with each new text.
    column("version", BigInteger),
    Index("profile_reviews_due_idx", "partition", "version"),
    shard="user_id",
)
"""The profile texts that wait for the external reviewer. The texts themselves are in `users`."""
