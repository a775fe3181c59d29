"""Posts: what authors change about them, the rows that become of it, and their cached form.

An author's change is a *patch*: the fields that it sets. It lies in the journal and, until it is published, in a hash
of the author's, by post and journal id. A row tells the version of the last patch in it, so whoever reads a row and
the hash applies what is newer and nothing twice, whichever of the two was read first.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from models.posts import Image, PostRow, plain
from moderation.verdicts import AuditStatus
from store.cache import Cached
from store.journal import entry_id, moment_of, version_of
from store.keys import Keys
from store.operations import Operation, Outcome
from store.postgres import Postgres
from store.redis import Redis
from store.scripts import WRITE

POST, JUDGE = "post", "judge"
"""The kinds of journal entries."""
_MOST_PENDING = 64
LIFE_MS = 86_400_000

COLUMNS = """post_id, author_id, moment, text, images::text, topics, status, reason, deleted, edited_ms,
             content_version, audit_version, version"""
_BY_ID = text(f"SELECT {COLUMNS} FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608 - constants
_BY_KEY = text("SELECT fingerprint, post_id FROM post_keys WHERE author_id = :author AND key = :key")
_BY_KEYS = text("""
    SELECT author_id, key, post_id
    FROM unnest(CAST(:authors AS bigint[]), CAST(:keys AS text[])) AS wanted(author_id, key)
    JOIN post_keys USING (author_id, key)
""")


class Patch(NamedTuple):
    """What one change of an author's sets; None leaves as it is. `publishes` begins a post, `deletes` ends it."""

    version: int
    text: str | None = None
    images: tuple[Image, ...] | None = None
    topics: tuple[str, ...] | None = None
    publishes: bool = False
    deletes: bool = False

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "Patch":
        """From a journal entry's data. Raises KeyError, TypeError or ValueError for what this code has not written."""
        images, topics = data["images"], data["topics"]
        patch = cls(
            version,
            data["text"],
            None if images is None else tuple(Image(*image) for image in images),
            None if topics is None else tuple(topics),
            data["op"] == "publish",
            data["op"] == "delete",
        )
        texts = [patch.text, *(patch.topics or ()), *(part for image in patch.images or () for part in image)]
        if not {str, type(None)}.issuperset(map(type, texts)):
            raise TypeError(f"{patch!r} holds something else than texts")
        return patch

    def born(self, post_id: int, author_id: int) -> PostRow:
        """The post that this one begins."""
        moment = moment_of(self.version)
        nothing: tuple[Any, ...] = ()
        row = PostRow(
            post_id, author_id, moment, "", nothing, nothing, AuditStatus.PENDING, None, False, None, self.version, 0, 0
        )
        return self.applied(row)

    def applied(self, row: PostRow) -> PostRow:
        """A post after this change, which its row does not have yet. What says nothing new leaves it as it is, also
        to those who are deciding about it.
        """
        changed = replace(
            row,
            text=row.text if self.text is None else self.text,
            images=row.images if self.images is None else self.images,
            topic_names=row.topic_names if self.topics is None else self.topics,
        )
        if self.publishes or self.deletes:
            return replace(changed, deleted=row.deleted or self.deletes, content_version=self.version)
        if changed.says == row.says:
            return row
        return replace(changed, edited_ms=self.version >> 20, content_version=self.version)


class Published(NamedTuple):
    """An author's change that everybody who may can see now."""

    author_id: int
    post_id: int
    version: int


Patches = Mapping[int, Sequence[Patch]]
"""What somebody has changed lately, by post, oldest first."""


def overlaid(post_id: int, author_id: int, row: PostRow | None, patches: Sequence[Patch]) -> PostRow | None:
    """A post as its author must see it. One that has vanished from truth, or never came there, is None."""
    for patch in patches:
        if row is None and patch.publishes:
            row = patch.born(post_id, author_id)
        elif row is not None and patch.version > row.content_version:
            row = patch.applied(row)
    return row


class Posts:
    """Where authors' changes are acknowledged, and read back until they are published."""

    def __init__(self, redis: Redis, keys: Keys, postgres: Postgres, journal_bound: int) -> None:
        self._redis = redis
        self._keys = keys
        self._postgres = postgres
        self._journal_bound = journal_bound

    async def write(self, actor_id: int, post_id: int, operation: Operation, entry: bytes) -> Outcome:
        """Acknowledges a patch. The outcome's value is the post's id, or that of the first time."""
        return await self._write(actor_id, POST, post_id, operation, entry, f"{post_id}:")

    async def judge(self, moderator_id: int, post_id: int, operation: Operation, entry: bytes) -> Outcome:
        """Acknowledges a decision of moderation."""
        return await self._write(moderator_id, JUDGE, post_id, operation, entry, "")

    async def _write(
        self, actor_id: int, kind: str, post_id: int, operation: Operation, entry: bytes, field: str
    ) -> Outcome:
        keys = [
            self._keys.journal(self._keys.partition_of(actor_id)),
            self._keys.posts(actor_id),
            self._keys.operation(actor_id, *operation.name),
        ]
        args = [kind, operation.fingerprint, operation.life_ms, f" {post_id}", self._journal_bound]
        return Outcome.parse(await self._redis.run(WRITE, keys, [*args, _MOST_PENDING, field, entry]))

    def pending(self, author_id: int) -> "asyncio.Future[Patches]":
        """What an author has changed lately. One command, sent when this is called."""
        return self._redis("HGETALL", self._keys.posts(author_id), read=_patches)

    async def sweep(self, published: Iterable[Published]) -> None:
        """Drops changes that have been published for longer than any request lives."""
        fields: dict[str, list[str]] = {}
        for author_id, post_id, version in published:
            fields.setdefault(self._keys.posts(author_id), []).append(f"{post_id}:{entry_id(version)}")
        if fields:
            await self._redis.gather([("HDEL", key, *some) for key, some in fields.items()], write=True)

    async def published_under(self, author_id: int, key: str) -> tuple[str, int] | None:
        """The fingerprint and the post of an idempotency key of any age; None for one that is new to truth."""
        rows = await self._postgres.read(_BY_KEY, author=author_id, key=key)
        return (rows[0].fingerprint, rows[0].post_id) if rows else None


async def by_keys(postgres: Postgres, keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """The posts of idempotency keys, by author and digest; those that were published under one."""
    rows = await postgres.read(_BY_KEYS, authors=[author for author, _ in keys], keys=[key for _, key in keys])
    return {(row.author_id, row.key): row.post_id for row in rows}


def judgement(moderator_id: int, post: PostRow, status: AuditStatus, reason: str, *, reviewer: bool = False) -> bytes:
    """What the journal says of a decision about a post as it is; `reviewer` where no person has made it."""
    about = {"actor": moderator_id, "post": post.post_id, "content": post.content_version, "reviewer": reviewer}
    return orjson.dumps({**about, "status": int(status), "reason": reason})


def _patches(raw: Sequence[bytes]) -> Patches:
    found: dict[int, list[Patch]] = {}
    for field, data in zip(raw[::2], raw[1::2], strict=True):
        post_id, _, journal_id = field.partition(b":")
        found.setdefault(int(post_id), []).append(Patch.parse(version_of(journal_id), orjson.loads(data)))
    return {post_id: sorted(patches) for post_id, patches in found.items()}


async def by_id(postgres: Postgres, ids: Sequence[int]) -> dict[int, PostRow]:
    """The posts of these ids, deleted ones too."""
    rows = await postgres.read(_BY_ID, ids=list(ids))
    return {row.post_id: from_columns(row) for row in rows}


def from_columns(row: Sequence[Any]) -> PostRow:
    """A row of COLUMNS."""
    return _row([*row[:4], orjson.loads(row[4]), *row[5:]])


def _row(columns: Sequence[Any]) -> PostRow:
    post_id, author_id, moment, written, images, topics, status, *rest = columns
    pictures = tuple(Image(*image) for image in images)
    return PostRow(post_id, author_id, moment, written, pictures, tuple(topics), AuditStatus(status), *rest)


def encode(post: PostRow | None) -> Cached:
    """A post for the cache; None is remembered too."""
    if post is None:
        return Cached(0, b"null")
    columns = {**asdict(post), "images": plain(post.images)}
    return Cached(post.version, orjson.dumps([*columns.values()]))


def decode(cached: Cached) -> PostRow | None:
    """The inverse of `encode`."""
    columns = orjson.loads(cached.body)
    return None if columns is None else _row(columns)
