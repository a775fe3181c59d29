"""Search: the index of posts, comments and entities, and the objects that a worker must index again."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, SmallInteger, text
from sqlalchemy.dialects.postgresql import TSVECTOR

from domain.ids import born_ms
from domain.search import Terms, terms_of
from models.base import column, key, table
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.topics import topic_id

SEARCH_DOCUMENTS_TABLE = table(
    "search_documents",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("moment", BigInteger),
    # The terms of the text, with their positions, and labels (domain/search.py).
    column("terms", TSVECTOR),
    Index("search_documents_terms_idx", "terms", postgresql_using="gin"),
    Index("search_documents_newest_idx", "business_id", text("moment DESC"), text("entity_id DESC")),
    shard="entity_id",
)
"""The index for search: the public posts, the public comments, and the entities with a title. Workers write the index.
They can rebuild it from the rows of posts, comments and entities.
"""

SEARCH_DUE_TABLE = table(
    "search_due",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("version", BigInteger),
    shard="entity_id",
)
"""The posts, comments and entities that have changed since a worker has indexed them, with the version of the change. A
transaction that changes an object only adds a row to this table, so it never waits for the worker.
"""

HAS_IMAGE = "^image"
Searchable = PostRow | CommentRow | EntityRow


class Document(NamedTuple):
    """What the index has about one post, comment or entity. Documents are listed by their moments."""

    ref: EntityRef
    moment: int
    terms: Terms


def texts_of(row: Searchable) -> list[str]:
    """Returns the texts in which words are searched: the text and the descriptions of attachments, or the title."""
    if isinstance(row, EntityRow):
        return [row.title] if row.title else []
    return [row.text, *(one.alt for one in row.images if one.alt)]


def of_author(user_id: int) -> str:
    """Returns the label of the posts and comments that a user has written, and of the entities that a user owns."""
    return f"@{user_id}"


def of_topic(name: str) -> str:
    """Returns the label of the posts, comments and entities with a topic."""
    return f"#{topic_id(name)}"


def about(subject: EntityRef) -> str:
    """Returns the label of the comments on a post or an entity."""
    return f">{subject.business_id}:{subject.entity_id}"


def is_searchable(row: Searchable) -> bool:
    """Returns whether the index has a row: public posts and comments, and entities that have a title."""
    return bool(row.title and not row.removed) if isinstance(row, EntityRow) else row.is_public


def document_of(row: Searchable, stems: Mapping[str, str]) -> Document:
    """Returns the document of a post, comment or entity. `stems` has the stems of words; others stay as they are."""
    if isinstance(row, EntityRow):
        labels = [of_topic(name) for name in row.topic_names]
        labels += [of_author(row.owner_id)] if row.owner_id else []
        moment = born_ms(row.entity_id) << 10
    else:
        labels = [of_author(row.author_id), *map(of_topic, row.named_topics)]
        labels += [HAS_IMAGE] if row.pictures else []
        labels += [about(row.subject)] if isinstance(row, CommentRow) else []
        moment = row.moment
    return Document(row.ref, moment, terms_of(texts_of(row), labels, stems))
