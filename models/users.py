"""Users: profiles, the identities that sign in as them, and their handles."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, DateTime, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import UserId, ViewerId, born_ms
from domain.moderation.verdicts import Submission
from models.base import Base, at
from models.counters import EntityRef
from models.profiles import ProfileField
from settings import USERS


class UserTable(Base):
    """Profiles. `version` grows with every edit."""

    __tablename__ = "users"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    handle: Mapped[str] = mapped_column(Text)
    display_name: Mapped[str] = mapped_column(Text)
    avatar_url: Mapped[str | None] = mapped_column(Text)
    bio: Mapped[str] = mapped_column(Text, server_default=text("''"))
    version: Mapped[int] = mapped_column(BigInteger, server_default=text("1"))

    __table_args__ = {"info": {"shard": "user_id"}}


class IdentityTable(Base):
    """A claim: the user who has an identity, which is the issuer and subject of a token."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "subject"}}


class HandleTable(Base):
    """A claim: the user who has a handle, or who had it last."""

    __tablename__ = "handles"

    handle: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)
    freed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """When the user changed to another handle; null while the handle is in use. For some time, no other user may then
    claim the handle.
    """

    __table_args__ = (
        Index("handles_freed_idx", "user_id", "freed_at", postgresql_where=text("freed_at IS NOT NULL")),
        {"info": {"shard": "handle"}},
    )


@dataclass(frozen=True, slots=True)
class UserRow:
    """A profile as all users may see it."""

    user_id: int
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    version: int

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return UserId.text(self.user_id)

    @property
    def ref(self) -> EntityRef:
        """Returns the reference under which the user's counters are stored."""
        return EntityRef(USERS, self.user_id)

    def submission(self, field: ProfileField, at_ms: int) -> Submission:
        """Returns a text of the profile in the form in which moderation receives it."""
        return Submission(
            kind=field.attribute,
            id=self.user_id,
            author_id=self.user_id,
            author_created_at=self.created_at,
            text=getattr(self, field.attribute),
            image_urls=(),
            image_alts=(),
            topics=(),
            submitted_at=at(at_ms),
        )

    @property
    def created_at(self) -> datetime:
        """Returns when the user first signed in. The id contains this time."""
        return at(born_ms(self.user_id))


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """The signed-in user."""

    user_id: int

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return ViewerId.text(self.user_id)
