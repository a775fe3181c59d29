"""Posts: their rows, and their cached form."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.attachments import from_plain, plain
from models.facets import mentioned_from
from models.posts import PostRow
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.postgres.client import Postgres

_FORMAT = 5
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""

COLUMNS = """post_id, author_id, moment, text, images::text, topics, status, reason, deleted, edited_ms,
             content_version, audit_version, version, custom, mentioned::text, quote_of, quote_owner, detached,
             about_business, about_id, announces, content_warning, labels, moderator_labels,
             labels_version"""
_IMAGES, _MENTIONED = 4, 14
"""The places of `images` and `mentioned` among the columns, which are in the order of the fields of PostRow."""
BY_ID = text(f"SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, PostRow]:
    """Reads posts by id, including deleted ones. Ids without a post are left out."""
    rows = await postgres.read(BY_ID, ids=list(ids))
    return {row.post_id: from_columns(row) for row in rows}


def from_columns(row: Sequence[Any]) -> PostRow:
    """Converts a result row with the columns of COLUMNS to a post."""
    columns = list(row)
    for place in (_IMAGES, _MENTIONED):
        columns[place] = columns[place] and orjson.loads(columns[place])
    return _row(columns)


def _row(columns: Sequence[Any]) -> PostRow:
    fields = list(columns)
    images, topics, status = fields[_IMAGES : _IMAGES + 3]
    fields[_IMAGES : _IMAGES + 3] = from_plain(images), tuple(topics), AuditStatus(status)
    fields[_MENTIONED] = mentioned_from(fields[_MENTIONED])
    return PostRow(*fields)


def encode(post: PostRow | None) -> Cached:
    """Encodes a post for the cache. None, which means that there is no such post, is cached too."""
    if post is None:
        return Cached(0, b"null", format=_FORMAT)
    columns = {**asdict(post), "images": plain(post.images)}
    return Cached(post.version, orjson.dumps([*columns.values()]), format=_FORMAT)


def decode(cached: Cached) -> PostRow | None:
    """Returns the post that `encode` has encoded, or None. Raises OtherFormat if the value is encoded in another
    format.
    """
    columns = orjson.loads(cached.body_in(_FORMAT))
    return None if columns is None else _row(columns)


CODEC = Codec("posts", keys.post, encode, decode, absent=None)
"""How posts are cached."""


async def publish(cache: Cache, rows: Iterable[PostRow], life_ms: int) -> None:
    """Replaces the cached copies of these posts, unless they are newer, and sets their lifetimes to `life_ms`. Posts
    that are not cached stay uncached. Raises RedisDown.
    """
    await cache.publish([(keys.post(row.post_id), encode(row)) for row in rows], life_ms)
