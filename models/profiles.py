"""Profile texts that wait for the external reviewer."""

from enum import IntEnum

from sqlalchemy import BigInteger, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ProfileField(IntEnum):
    """The texts of a profile. The numbers are those in the table."""

    HANDLE = 1
    DISPLAY_NAME = 2
    BIO = 3

    @property
    def attribute(self) -> str:
        """What it is called in a row of users."""
        return self.name.lower()

    @property
    def label(self) -> str:
        """What its owner reads."""
        return self.attribute.replace("_", " ")


class ProfileReviewTable(Base):
    """Profile texts that wait for the external reviewer, as the row of the user has them."""

    __tablename__ = "profile_reviews"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    field: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """The user's: whoever owns it asks."""
    version: Mapped[int] = mapped_column(BigInteger)
    """Grows with each new text. The time from which the reviewer is to be asked, as journal ids have it."""

    __table_args__ = (Index("profile_reviews_due_idx", "partition", "version"), {"info": {"shard": "user_id"}})
