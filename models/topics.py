"""Topics: words under which posts are listed. A topic exists as soon as one post with it has been approved. Its name is
spelled as in this post.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import BigInteger, Text

from domain import topics
from domain.ids import TopicId
from models.base import column, key, table
from models.counters import EntityRef
from settings import TOPICS

TOPICS_TABLE = table(
    "topics",
    key("topic_id", BigInteger),
    column("name", Text),
    shard="topic_id",
)
"""The names of all topics, as the first post of each spells it."""


SQUARE = ""
"""The name of the topic that contains all public posts. It has no counters and no row in `topics`."""


def topic_id(name: str) -> int:
    """Returns the id of a topic: 63 bits of the digest of the topic's key, so that the id need not be looked up. All
    spellings of a name have the same key (domain/topics.py). The square, which lists all public posts, has the id 0.

    Among ten million topics, two have the same id in about one of 100,000 deployments. An attacker can search for two
    such names. The second topic is then not created and its posts are counted in the first one; other topics are not
    affected.
    """
    if name == SQUARE:
        return 0
    return int.from_bytes(hashlib.blake2b(topics.key(name).encode(), digest_size=8).digest()) >> 1


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic. `name` is its name in the spelling that users see."""

    name: str

    @property
    def key(self) -> str:
        """Returns the key of the topic, which is the same for all spellings of its name."""
        return topics.key(self.name)

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return TopicId.text(self.key)

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the topic, under which its counters are stored."""
        return EntityRef(TOPICS, topic_id(self.name))
