"""Posts: their authors' changes, their rows, and their cached form.

An author's change is a *patch*: the fields that it sets (store/content/patches.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.images import Image, from_plain, plain
from models.posts import PostRow
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.postgres.client import Postgres
from store.write_log.journal import moment_of

POST = "post"
"""The kind of the journal entries."""
_FORMAT = 2
"""The format of the cached document. Raise it when the format changes (store/cache/values.py)."""

COLUMNS = """post_id, author_id, moment, text, images::text, topics, status, reason, deleted, edited_ms,
             content_version, audit_version, version, custom"""
BY_ID = text(f"SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants


class PostPatch(NamedTuple):
    """The fields that one change of an author sets; None leaves a field as it is. `publishes` creates the post,
    `deletes` deletes it.
    """

    version: int
    text: str | None = None
    images: tuple[Image, ...] | None = None
    topics: tuple[str, ...] | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes it."""
    publishes: bool = False
    deletes: bool = False

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "PostPatch":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        images, topics = data["images"], data["topics"]
        patch = cls(
            version,
            data["text"],
            None if images is None else from_plain(images),
            None if topics is None else tuple(topics),
            data.get("custom"),
            data["op"] == "publish",
            data["op"] == "delete",
        )
        texts = [
            patch.text,
            patch.custom,
            *(patch.topics or ()),
            *(part for image in patch.images or () for part in image),
        ]
        if not {str, type(None)}.issuperset(map(type, texts)):
            raise TypeError(f"{patch!r} holds something else than texts")
        return patch

    def born(self, post_id: int, author_id: int) -> PostRow:
        """Returns the post that this change creates."""
        moment = moment_of(self.version)
        nothing: tuple[Any, ...] = ()
        row = PostRow(
            post_id, author_id, moment, "", nothing, nothing, AuditStatus.PENDING, None, False, None, self.version, 0, 0
        )
        return self.applied(row)

    @property
    def role(self) -> str:
        """Returns the role of the user who deletes a post. Only the author can delete a post."""
        return "author"

    @property
    def texts(self) -> list[str]:
        """Returns the texts that moderation reads: the text, the descriptions of the images, and the topics."""
        return [one for one in (self.text, *(i.alt for i in self.images or ()), *(self.topics or ())) if one]

    def is_news_to(self, row: PostRow) -> bool:
        """Tells whether the row of a post does not include this change yet. Later changes never undo a deletion."""
        return self.version > row.content_version or (self.deletes and not row.deleted)

    def applied(self, row: PostRow) -> PostRow:
        """Returns the row of a post after this change, which the row must not include yet. If the change sets only
        equal values, the row stays as it is, so a pending review of the post stays valid.
        """
        changed = replace(
            row,
            text=row.text if self.text is None else self.text,
            images=row.images if self.images is None else self.images,
            topic_names=row.topic_names if self.topics is None else self.topics,
            custom=row.custom if self.custom is None else self.custom or None,
        )
        if self.publishes or self.deletes:
            content_version = max(row.content_version, self.version)
            return replace(changed, deleted=row.deleted or self.deletes, content_version=content_version)
        if changed.says == row.says:
            return row
        return replace(changed, edited_ms=self.version >> 20, content_version=self.version)


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, PostRow]:
    """Reads posts by id, including deleted ones."""
    rows = await postgres.read(BY_ID, ids=list(ids))
    return {row.post_id: from_columns(row) for row in rows}


def from_columns(row: Sequence[Any]) -> PostRow:
    """Converts a result row with the columns of COLUMNS to a post."""
    return _row([*row[:4], orjson.loads(row[4]), *row[5:]])


def _row(columns: Sequence[Any]) -> PostRow:
    post_id, author_id, moment, written, images, topics, status, *rest = columns
    return PostRow(post_id, author_id, moment, written, from_plain(images), tuple(topics), AuditStatus(status), *rest)


def encode(post: PostRow | None) -> Cached:
    """Encodes a post for the cache. None, which means that there is no such post, is cached too."""
    if post is None:
        return Cached(0, b"null", format=_FORMAT)
    columns = {**asdict(post), "images": plain(post.images)}
    return Cached(post.version, orjson.dumps([*columns.values()]), format=_FORMAT)


def decode(cached: Cached) -> PostRow | None:
    """Decodes what `encode` returns."""
    columns = orjson.loads(cached.body_in(_FORMAT))
    return None if columns is None else _row(columns)


CODEC = Codec("posts", keys.post, encode, decode, absent=None)
"""How posts are cached."""


async def publish(cache: Cache, rows: Iterable[PostRow], life_ms: int) -> None:
    """Replaces the cached copies of these posts that are not newer than these rows."""
    await cache.publish([(keys.post(row.post_id), encode(row)) for row in rows], life_ms)
