"""Users: profile, the identities that sign in as them, and the handles they hold."""

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
    """Claim: which user a token's (issuer, subject) is."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "subject"}}


class HandleTable(Base):
    """Claim: who holds a handle, or held it last."""

    __tablename__ = "handles"

    handle: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger)
    freed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    """Since when its owner has another handle. For a while nobody else may claim it."""

    __table_args__ = (
        Index("handles_freed_idx", "user_id", "freed_at", postgresql_where=text("freed_at IS NOT NULL")),
        {"info": {"shard": "handle"}},
    )


@dataclass(frozen=True, slots=True)
class UserRow:
    """A profile as everybody may see it."""

    user_id: int
    handle: str
    display_name: str
    avatar_url: str | None
    bio: str
    version: int

    @property
    def global_id(self) -> str:
        """As clients write it."""
        return UserId.text(self.user_id)

    @property
    def ref(self) -> EntityRef:
        """Where their counters are."""
        return EntityRef(USERS, self.user_id)

    def submission(self, field: ProfileField, at_ms: int) -> Submission:
        """A text of the profile as moderation is shown it."""
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
        """When they were first seen: their id tells."""
        return at(born_ms(self.user_id))


@dataclass(frozen=True, slots=True)
class ViewerRow:
    """The signed-in person, from their own side."""

    user_id: int

    @property
    def global_id(self) -> str:
        """As clients write it."""
        return ViewerId.text(self.user_id)
