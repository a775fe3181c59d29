"""Comments: their changes, their rows, and their cached form.

As with posts (store/content/posts.py), a change is a patch: it creates, edits or deletes a comment. A user may also
delete another user's comment, such as a reply to a post of theirs. That user sees the deletion before the worker has
processed it.
"""

from asyncio import gather
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from models.images import Images, from_plain, plain
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.postgres.client import Postgres
from store.write_log.journal import moment_of

COMMENT = "comment"
"""The kind of the journal entries."""
_FORMAT = 3
"""The format of the cached document. Raise it when the format changes (store/cache/values.py)."""
LIFE_MS = 86_400_000
MOST_HIDDEN = 64
"""How many of an author's hidden comments are shown in lists: the newest."""
_MIRROR = 1 << 53

COLUMNS = """comment_id, subject_business, subject_id, subject_owner, root_id, parent_id, replied_to, author_id, moment,
             text, images::text, status, reason, deleted, edited_ms, floor, answered, content_version, audit_version,
             version, custom"""
_IMAGES = 10
_ROLES = ("author", "owner", "moderator")
"""The roles in which users delete comments."""
BY_ID = text(f"""
    SELECT {COLUMNS} FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_HIDDEN = text(f"""
    SELECT comment_id, subject_business, subject_id, root_id, moment FROM comments
    WHERE author_id = :author AND state = {CommentState.HIDDEN:d}
    ORDER BY moment DESC, comment_id DESC LIMIT {MOST_HIDDEN}
""")  # noqa: S608 - constants


class Beginning(NamedTuple):
    """The fields of a comment that are set once, when it is created."""

    subject: EntityRef
    subject_owner: int | None
    root_id: int | None
    parent_id: int | None
    replied_to: int | None

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "Beginning":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        owner, root, parent, replied_to = numbers = [data[key] for key in ("owner", "root", "parent", "replied_to")]
        if not {int, type(None)}.issuperset(map(type, numbers)):
            raise TypeError(f"{numbers!r} holds something else than ids")
        business_id, entity_id = map(int, data["subject"])
        return cls(EntityRef(business_id, entity_id), owner, root, parent, replied_to)


class CommentPatch(NamedTuple):
    """One change of a comment. `beginning` holds the subject and the parent of a new comment; None means that the
    comment exists. `text`, `images` and `custom` are what the author sets; None leaves them as they are.
    """

    version: int
    beginning: Beginning | None = None
    text: str | None = None
    images: Images | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes it."""
    deletes: bool = False
    role: str | None = None
    """The role of the user who deletes the comment: one of `_ROLES`."""

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentPatch":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        if data["op"] == "delete":
            if (role := data.get("role")) not in _ROLES:
                raise ValueError(f"unknown role {role!r}")
            return cls(version, deletes=True, role=role)
        beginning = None if data["op"] == "edit" else Beginning.parse(data)
        images = None if (given := data.get("images")) is None else from_plain(given)
        patch = cls(version, beginning, data["text"], images, data.get("custom"))
        texts = [patch.text, patch.custom, *(part for image in images or () for part in image)]
        if not {str, type(None)}.issuperset(map(type, texts)) or (beginning and patch.text is None):
            raise TypeError(f"{patch!r} holds something else than texts")
        return patch

    @property
    def publishes(self) -> bool:
        """Tells whether this change creates a comment."""
        return self.beginning is not None

    def born(self, comment_id: int, author_id: int) -> CommentRow:
        """Returns the comment that this change creates."""
        assert self.beginning is not None  # the caller has checked `publishes`
        subject, owner, root, parent, replied_to = self.beginning
        return CommentRow(
            comment_id=comment_id,
            subject_business=subject.business_id,
            subject_id=subject.entity_id,
            subject_owner=owner,
            root_id=root,
            parent_id=parent,
            replied_to=replied_to,
            author_id=author_id,
            moment=moment_of(self.version),
            text=self.text or "",
            images=self.images or (),
            status=AuditStatus.PENDING,
            reason=None,
            deleted=False,
            edited_ms=None,
            floor=None,
            answered=False,
            content_version=self.version,
            audit_version=0,
            version=0,
            custom=self.custom or None,
        )

    @property
    def texts(self) -> list[str]:
        """Returns the texts that moderation reads: the text, and the descriptions of the images."""
        return [one for one in (self.text, *(image.alt for image in self.images or ())) if one]

    def is_news_to(self, row: CommentRow) -> bool:
        """Returns whether this change is a deletion or an edit that the row does not include yet. Nothing changes a
        deleted comment.
        """
        return not (self.publishes or row.deleted) and (self.deletes or self.version > row.content_version)

    def applied(self, row: CommentRow) -> CommentRow:
        """Returns the row of a comment after this deletion or edit, which the row must not include yet.

        After a deletion, the row keeps its content version if that is higher: the deletion may come from another user's
        journal, whose clock differs. If an edit sets only equal values, the row stays as it is, so a pending review of
        the comment stays valid.
        """
        if self.deletes:
            return replace(row, deleted=True, content_version=max(row.content_version, self.version))
        changed = replace(
            row,
            text=row.text if self.text is None else self.text,
            images=row.images if self.images is None else self.images,
            custom=row.custom if self.custom is None else self.custom or None,
        )
        if changed.says == row.says:
            return row
        return replace(changed, edited_ms=self.version >> 20, content_version=self.version)


class Hidden(NamedTuple):
    """A comment that only its author sees in a list: it waits for approval, or was rejected."""

    comment_id: int
    subject: EntityRef
    root_id: int
    """The root comment that this comment replies to; 0 if it is a root comment itself."""
    moment: int


def mirrored(moment: int) -> int:
    """Returns the mirror of a moment: its distance from the greatest moment. With mirrored moments, a newest-first list
    stores the oldest comment first. The mirror of a mirror is the moment itself.
    """
    return _MIRROR - moment


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, CommentRow]:
    """Reads comments by id, including deleted ones."""
    rows = await postgres.read(BY_ID, ids=list(ids))
    return {row.comment_id: from_columns(row) for row in rows}


def from_columns(columns: Sequence[Any]) -> CommentRow:
    """Converts a result row with the columns of COLUMNS to a comment."""
    return _row([*columns[:_IMAGES], orjson.loads(columns[_IMAGES]), *columns[_IMAGES + 1 :]])


def _row(columns: Sequence[Any]) -> CommentRow:
    images, status, *rest = columns[_IMAGES:]
    return CommentRow(*[*columns[:_IMAGES], from_plain(images), AuditStatus(status), *rest])


def encode(comment: CommentRow | None) -> Cached:
    """Encodes a comment for the cache. None, which means that there is no such comment, is cached too."""
    if comment is None:
        return Cached(0, b"null", format=_FORMAT)
    columns = {**asdict(comment), "images": plain(comment.images)}
    return Cached(comment.version, orjson.dumps([*columns.values()]), format=_FORMAT)


def decode(cached: Cached) -> CommentRow | None:
    """Decodes what `encode` returns."""
    columns = orjson.loads(cached.body_in(_FORMAT))
    return None if columns is None else _row(columns)


async def hidden(postgres: Postgres, authors: Sequence[int]) -> dict[int, tuple[Hidden, ...]]:
    """Reads the newest hidden comments of each author, newest first. Nearly all calls have one author: the viewer."""
    each = await gather(*(postgres.read(_HIDDEN, author=author) for author in authors))
    return {author: tuple(map(_hidden, rows)) for author, rows in zip(authors, each, strict=True)}


def _hidden(columns: Sequence[Any]) -> Hidden:
    comment_id, business_id, entity_id, root_id, moment = columns
    return Hidden(comment_id, EntityRef(business_id, entity_id), root_id, moment)


def encode_hidden(some: Sequence[Hidden]) -> Cached:
    """Encodes an author's hidden comments for the cache. The value has no version: a worker that changes a hidden
    comment voids the cached value.
    """
    return Cached(0, orjson.dumps([[id_, [*subject], root_id, moment] for id_, subject, root_id, moment in some]))


def decode_hidden(cached: Cached) -> tuple[Hidden, ...]:
    """Decodes what `encode_hidden` returns."""
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
    """Replaces the cached copies of these comments that are not newer than these rows."""
    await cache.publish([(keys.comment(row.comment_id), encode(row)) for row in rows], life_ms)


async def void_hidden(cache: Cache, authors: Iterable[int]) -> None:
    """Removes the cached hidden comments of these authors, because they have changed."""
    await cache.void([keys.hidden_comments(author_id) for author_id in authors])
