"""Topics: words under which posts are listed. A topic exists as soon as one post with it has been approved. Its name is
spelled as in this post.
"""

import hashlib
from dataclasses import dataclass
from enum import Enum

from sqlalchemy import BigInteger, Boolean, Index, Text, literal_column
from sqlalchemy import text as sql

from domain import topics
from domain.ids import TopicId
from models.base import column, key, table
from models.counters import EntityRef
from models.devices import network
from settings import TOPICS

FOLDED = "translate(replace(name, '\u00df', 'ss'), '\u2019\u2010\u03c2\u200c\u200d\u180e', '''-\u03c3')"
"""The key of a topic (domain/topics.py), as an SQL expression of its stored name. A name is in lower case already, so
only letters with a longer or another folded form differ, such as `\u00df`.
"""

TOPICS_TABLE = table(
    "topics",
    key("topic_id", BigInteger),
    column("name", Text),
    # Whether a moderator holds the topic: only moderators find it in trends and lists of topics.
    column("held", Boolean, server_default=sql("false")),
    # The version of the newest decision about `held`.
    column("held_version", BigInteger, server_default=sql("0")),
    Index(
        "topics_names_idx",
        literal_column(FOLDED).label("folded"),
        postgresql_ops={"folded": "text_pattern_ops"},
    ),
    Index(
        "topics_words_idx",
        literal_column(FOLDED).label("folded"),
        postgresql_using="gin",
        postgresql_ops={"folded": "gin_trgm_ops"},
        # A list of new entries would make searches slow until it is merged, and topics are seldom new.
        postgresql_with={"fastupdate": "off"},
    ),
    shard="topic_id",
)
"""The names of all topics, as the first post of each spells it, and what moderators have decided about them."""


class TopicState(Enum):
    """What moderators have decided about a topic. A held topic is found by moderators only."""

    OPEN = "OPEN"
    HELD = "HELD"


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


class TrendWindow(Enum):
    """The period whose posts a trend counts."""

    HOUR = "HOUR"
    DAY = "DAY"
    WEEK = "WEEK"

    @property
    def length_ms(self) -> int:
        """Returns the length of the window in milliseconds."""
        return {"HOUR": 1, "DAY": 24, "WEEK": 168}[self.value] * 3_600_000


def voice(author_id: int, ip: str | None, *, is_new: bool) -> int:
    """Returns the voice with which an author counts in trends: posts with the same voice count once. The voice of an
    author is the author's id. All new accounts of one network (models/devices.py) share one negative voice. All new
    accounts whose address `ip` is unknown share another one.

    There are 65,536 voices of networks, so thousands of networks share each voice, and a voice does not reveal a
    network.
    """
    if not is_new:
        return author_id
    return ~int.from_bytes(hashlib.blake2b(network(ip).encode(), digest_size=2).digest())


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic. `name` is its name in the spelling that users see. `decided` is the state that the viewer has just given
    it; None if the state must be read.
    """

    name: str
    decided: TopicState | None = None

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
