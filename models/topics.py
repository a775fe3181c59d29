"""Topics: what posts are about. A topic is its name; it exists once a post about it has been approved."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import BigInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import TopicId
from models.base import Base
from models.counters import EntityRef
from settings import TOPICS


class TopicTable(Base):
    """Every topic there is."""

    __tablename__ = "topics"

    topic_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text)

    __table_args__ = {"info": {"shard": "topic_id"}}


SQUARE = ""
"""What all posts are under, whatever they are about: a topic without a name, a counter, or a row in `topics`."""


def topic_id(name: str) -> int:
    """The number that counters know a topic by: 63 bits of its name's digest, so that nobody need ask for it. The
    square's is 0.

    Ten million topics meet each other once in a hundred thousand deployments. Whoever looks for two names that do will
    find some: the second does not come to exist, the first counts its posts, and nobody else's topic is concerned.
    """
    if name == SQUARE:
        return 0
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) >> 1


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic."""

    name: str

    @property
    def global_id(self) -> str:
        """As clients write it."""
        return TopicId.text(self.name)

    @property
    def ref(self) -> EntityRef:
        """Where its counters are."""
        return EntityRef(TOPICS, topic_id(self.name))
