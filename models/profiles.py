"""Profile texts that wait for the external reviewer."""

from enum import IntEnum

from sqlalchemy import BigInteger, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ProfileField(IntEnum):
    """The texts of a profile. The numbers are stored: never reuse one."""

    HANDLE = 1
    DISPLAY_NAME = 2
    BIO = 3

    @property
    def attribute(self) -> str:
        """Returns the name of the field in a row of `users`."""
        return self.name.lower()

    @property
    def label(self) -> str:
        """Returns the name of the field as the profile's owner reads it."""
        return self.attribute.replace("_", " ")


class ProfileReviewTable(Base):
    """The profile texts that wait for the external reviewer. The texts themselves are in `users`."""

    __tablename__ = "profile_reviews"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    field: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """The user's partition. The worker that owns it asks the reviewer."""
    version: Mapped[int] = mapped_column(BigInteger)
    """The time from which the reviewer is asked, as a journal id. It grows with each new text."""

    __table_args__ = (Index("profile_reviews_due_idx", "partition", "version"), {"info": {"shard": "user_id"}})
