"""Comments: their rows, and their cached form."""

from asyncio import gather
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.attachments import from_plain, plain
from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from models.facets import mentioned_from
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.postgres.client import Postgres

_FORMAT = 5
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
LIFE_MS = 86_400_000
MOST_HIDDEN = 64
"""How many of an author's hidden comments are shown in lists: the newest."""
_MIRROR = 1 << 53

COLUMNS = """comment_id, subject_business, subject_id, subject_owner, root_id, parent_id, replied_to, author_id, moment,
             text, images::text, status, reason, deleted, edited_ms, floor, answered, content_version, audit_version,
             version, custom, mentioned::text, content_warning, labels, moderator_labels, labels_version"""
_IMAGES, _MENTIONED = 10, 21
"""The places of `images` and `mentioned` among the columns, which are in the order of the fields of CommentRow."""
BY_ID = text(f"""
    SELECT {COLUMNS} FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_HIDDEN = text(f"""
    SELECT comment_id, subject_business, subject_id, root_id, moment FROM comments
    WHERE author_id = :author AND state = {CommentState.HIDDEN:d}
    ORDER BY moment DESC, comment_id DESC LIMIT {MOST_HIDDEN}
""")  # noqa: S608 - constants


class Hidden(NamedTuple):
    """A comment that only its author sees in lists, because it waits for approval or was rejected. Its `moment` is its
    place in lists.
    """

    comment_id: int
    subject: EntityRef
    root_id: int
    """The root comment that this comment replies to; 0 if it is a root comment itself."""
    moment: int


def mirrored(moment: int) -> int:
    """Returns the greatest possible moment minus `moment`. Lists begin with the greatest moment, so a list of mirrored
    moments begins with the oldest comment. Mirroring twice gives the moment itself.
    """
    return _MIRROR - moment


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, CommentRow]:
    """Reads comments by id, including deleted ones. Ids without a comment are left out."""
    rows = await postgres.read(BY_ID, ids=list(ids))
    return {row.comment_id: from_columns(row) for row in rows}


def from_columns(columns: Sequence[Any]) -> CommentRow:
    """Converts a result row with the columns of COLUMNS to a comment."""
    row = list(columns)
    row[_IMAGES] = orjson.loads(row[_IMAGES])
    row[_MENTIONED] = row[_MENTIONED] and orjson.loads(row[_MENTIONED])
    return _row(row)


def _row(columns: Sequence[Any]) -> CommentRow:
    row = list(columns)
    images, status = row[_IMAGES : _IMAGES + 2]
    row[_IMAGES : _IMAGES + 2] = from_plain(images), AuditStatus(status)
    row[_MENTIONED] = mentioned_from(row[_MENTIONED])
    return CommentRow(*row)


def encode(comment: CommentRow | None) -> Cached:
    """Encodes a comment for the cache. None, which means that there is no such comment, is cached too."""
    if comment is None:
        return Cached(0, b"null", format=_FORMAT)
    columns = {**asdict(comment), "images": plain(comment.images)}
    return Cached(comment.version, orjson.dumps([*columns.values()]), format=_FORMAT)


def decode(cached: Cached) -> CommentRow | None:
    """Returns the comment that `encode` has encoded, or None. Raises OtherFormat if the value is encoded in another
    format.
    """
    columns = orjson.loads(cached.body_in(_FORMAT))
    return None if columns is None else _row(columns)


async def hidden(postgres: Postgres, authors: Sequence[int]) -> dict[int, tuple[Hidden, ...]]:
    """Reads each author's hidden comments, which only the author sees in lists: the newest MOST_HIDDEN of each author,
    newest first. Nearly all calls have one author: the viewer.
    """
    each = await gather(*(postgres.read(_HIDDEN, author=author) for author in authors))
    return {author: tuple(map(_hidden, rows)) for author, rows in zip(authors, each, strict=True)}


def _hidden(columns: Sequence[Any]) -> Hidden:
    comment_id, business_id, entity_id, root_id, moment = columns
    return Hidden(comment_id, EntityRef(business_id, entity_id), root_id, moment)


def encode_hidden(some: Sequence[Hidden]) -> Cached:
    """Encodes an author's hidden comments for the cache. The value has no version: a worker that changes a hidden
    comment removes the cached value.
    """
    return Cached(0, orjson.dumps([[id_, [*subject], root_id, moment] for id_, subject, root_id, moment in some]))


def decode_hidden(cached: Cached) -> tuple[Hidden, ...]:
    """Returns the hidden comments that `encode_hidden` has encoded."""
    rows = orjson.loads(cached.body)
    return tuple(
        Hidden(comment_id, EntityRef(*subject), root_id, moment) for comment_id, subject, root_id, moment in rows
    )


CODEC = Codec("comments", keys.comment, encode, decode, absent=None)
"""How comments are cached."""

HIDDEN_CODEC: Codec[int, tuple[Hidden, ...]] = Codec(
    "hidden_comments", keys.hidden_comments, encode_hidden, decode_hidden, absent=()
)
"""How the hidden comments of authors are cached."""


async def publish(cache: Cache, rows: Iterable[CommentRow], life_ms: int) -> None:
    """Replaces the cached copies of these comments, unless they are newer, and sets their lifetimes to `life_ms`.
    Comments that are not cached stay uncached. Raises RedisDown.
    """
    await cache.publish([(keys.comment(row.comment_id), encode(row)) for row in rows], life_ms)


async def void_hidden(cache: Cache, authors: Iterable[int]) -> None:
    """Removes the cached hidden comments of these authors, because they have changed, and cancels running fills of
    them. Raises RedisDown.
    """
    await cache.void([keys.hidden_comments(author_id) for author_id in authors])
