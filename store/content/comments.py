"""Comments: what people change about them, the rows that become of it, and their cached form.

As with posts (store/content/posts.py), a change is a patch. There are two: one begins a comment, one ends it, and
that may be another's: who deletes a comment is shown that it is gone before its author's worker knows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from store import keys
from store.cache.values import Cache, Cached
from store.postgres.client import Postgres
from store.write_log.journal import moment_of

COMMENT = "comment"
"""The kind of journal entries."""
_FORMAT = 1
"""Of the cached form: raise it when the form changes (store/cache/values.py)."""
LIFE_MS = 86_400_000
MOST_HIDDEN = 64
"""How many of an author's comments that nobody else sees are shown in lists: the newest."""
_MIRROR = 1 << 53

COLUMNS = """comment_id, subject_business, subject_id, subject_owner, root_id, parent_id, replied_to, author_id, moment,
             text, status, reason, deleted, floor, answered, content_version, audit_version, version"""
_STATUS = 10
_ROLES = ("author", "owner", "moderator", None)
"""In which a comment is deleted; None in entries of an earlier version."""
_BY_ID = text(f"""
    SELECT {COLUMNS} FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_HIDDEN = text(f"""
    SELECT c.author_id, c.comment_id, c.subject_business, c.subject_id, c.root_id, c.moment
    FROM unnest(CAST(:authors AS bigint[])) AS wanted(author_id)
    CROSS JOIN LATERAL (
        SELECT * FROM comments WHERE author_id = wanted.author_id AND state = {CommentState.HIDDEN:d}
        ORDER BY moment DESC, comment_id DESC LIMIT {MOST_HIDDEN}
    ) AS c
""")  # noqa: S608 - constants


class Beginning(NamedTuple):
    """What is said once and for all when a comment is written."""

    subject: EntityRef
    subject_owner: int | None
    root_id: int | None
    parent_id: int | None
    replied_to: int | None
    text: str

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "Beginning":
        """From a journal entry's data. Raises KeyError, TypeError or ValueError for what this code has not written."""
        if type(data["text"]) is not str:
            raise TypeError(f"{data['text']!r} is no text")
        owner, root, parent, replied_to = numbers = [data[key] for key in ("owner", "root", "parent", "replied_to")]
        if not {int, type(None)}.issuperset(map(type, numbers)):
            raise TypeError(f"{numbers!r} holds something else than ids")
        business_id, entity_id = map(int, data["subject"])
        return cls(EntityRef(business_id, entity_id), owner, root, parent, replied_to, data["text"])


class CommentPatch(NamedTuple):
    """One change of a comment: how it begins; None where it ends."""

    version: int
    beginning: Beginning | None
    role: str | None = None
    """Of whoever ends it: author, owner or moderator; None in entries of an earlier version."""

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "CommentPatch":
        """From a journal entry's data. Raises KeyError, TypeError or ValueError for what this code has not written."""
        if data["op"] != "delete":
            return cls(version, Beginning.parse(data))
        if (role := data.get("role")) not in _ROLES:
            raise ValueError(f"unknown role {role!r}")
        return cls(version, None, role)

    @property
    def publishes(self) -> bool:
        """Whether it begins a comment."""
        return self.beginning is not None

    @property
    def deletes(self) -> bool:
        """Whether it ends one."""
        return self.beginning is None

    def born(self, comment_id: int, author_id: int) -> CommentRow:
        """The comment that this one begins."""
        assert self.beginning is not None  # it `publishes`
        subject, owner, root, parent, replied_to, said = self.beginning
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
            text=said,
            status=AuditStatus.PENDING,
            reason=None,
            deleted=False,
            floor=None,
            answered=False,
            content_version=self.version,
            audit_version=0,
            version=0,
        )

    def is_news_to(self, row: CommentRow) -> bool:
        """Whether a row does not have this change yet: what is deleted stays so."""
        return not self.publishes and not row.deleted

    def applied(self, row: CommentRow) -> CommentRow:
        """A comment after this change, which ends it. It may be another's, in a journal with another clock."""
        return replace(row, deleted=True, content_version=max(row.content_version, self.version))


class Hidden(NamedTuple):
    """A comment that its author finds in a list, and nobody else: it waits for approval, or was rejected."""

    comment_id: int
    subject: EntityRef
    root_id: int
    """0 for a root."""
    moment: int


def mirrored(moment: int) -> int:
    """A moment for lists that are oldest first: as lists order by it, the oldest are the newest. Its own inverse."""
    return _MIRROR - moment


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, CommentRow]:
    """The comments of these ids, deleted ones too."""
    rows = await postgres.read(_BY_ID, ids=list(ids))
    return {row.comment_id: from_columns(row) for row in rows}


def from_columns(columns: Sequence[Any]) -> CommentRow:
    """A row of COLUMNS."""
    return CommentRow(*[*columns[:_STATUS], AuditStatus(columns[_STATUS]), *columns[_STATUS + 1 :]])


def encode(comment: CommentRow | None) -> Cached:
    """A comment for the cache; None is remembered too."""
    body = orjson.dumps(comment and astuple(comment))
    return Cached(comment.version if comment else 0, body, format=_FORMAT)


def decode(cached: Cached) -> CommentRow | None:
    """The inverse of `encode`."""
    columns = orjson.loads(cached.body_in(_FORMAT))
    return None if columns is None else from_columns(columns)


async def hidden(postgres: Postgres, authors: Sequence[int]) -> dict[int, tuple[Hidden, ...]]:
    """Of each author's comments that nobody else sees the newest, newest first."""
    found: dict[int, list[Hidden]] = {author: [] for author in authors}
    for author_id, comment_id, business_id, entity_id, root_id, moment in await postgres.read(_HIDDEN, authors=authors):
        found[author_id].append(Hidden(comment_id, EntityRef(business_id, entity_id), root_id, moment))
    return {author: tuple(some) for author, some in found.items()}


def encode_hidden(some: Sequence[Hidden]) -> Cached:
    """An author's hidden comments for the cache. They have no version: whoever changes them voids what is cached."""
    return Cached(0, orjson.dumps([[id_, [*subject], root_id, moment] for id_, subject, root_id, moment in some]))


def decode_hidden(cached: Cached) -> tuple[Hidden, ...]:
    """The inverse of `encode_hidden`."""
    rows = orjson.loads(cached.body)
    return tuple(
        Hidden(comment_id, EntityRef(*subject), root_id, moment) for comment_id, subject, root_id, moment in rows
    )


cache_key = keys.comment
"""Names the cached form of a comment."""

hidden_key = keys.hidden_comments
"""Names the cached list of an author's hidden comments."""


async def publish(cache: Cache, rows: Iterable[CommentRow]) -> None:
    """Replaces older cached forms of these comments."""
    await cache.publish([(keys.comment(row.comment_id), encode(row)) for row in rows], LIFE_MS)


async def void_hidden(cache: Cache, authors: Iterable[int]) -> None:
    """Removes the cached lists of these authors' hidden comments, which have changed."""
    await cache.void([keys.hidden_comments(author_id) for author_id in authors])
