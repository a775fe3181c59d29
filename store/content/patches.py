"""Patches: changes of posts and comments that are not published yet, and are shown to the users who made them (ADR 18).

A patch is in the journal. Until it is published, it is also in a Redis hash of the user who made it, by the id of the
post or comment and the journal id. A row has the version of the last patch that it includes. So a reader of row and
hash applies only newer patches, and none twice, whichever of the two was read first.

Reports, appeals and what moderators decide are appended to the journal in the same way, but are never in the hash:
nobody is shown them before they are stored.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeVar

import orjson

from domain.moderation.verdicts import AuditStatus
from models.comment_settings import SubjectKey
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from settings import COMMENTS
from store.content import comments, posts
from store.content.comment_settings import COMMENT_SETTINGS, CommentSettingsPatch
from store.content.pinned_posts import PINNED_POST, PinPatch
from store.groups import grouped
from store.keys import Keys
from store.redis.calls import resolved
from store.redis.client import Redis
from store.scripts import WRITE
from store.write_log import operations
from store.write_log.journal import entry_id, version_of
from store.write_log.operations import Operation, Outcome

JUDGE = "judge"
"""The kind of the journal entries of decisions about posts and comments, which also decide their reports."""
REPORT = "report"
"""The kind of the journal entries of reports."""
RESOLVE = "resolve"
"""The kind of the journal entries of decisions about reports that leave the reported target as it is."""
APPEAL = "appeal"
"""The kind of the journal entries of appeals."""
WARN = "warn"
"""The kind of the journal entries of warnings of users."""
SUSPEND = "suspend"
"""The kind of the journal entries of suspensions of users, and of their ends by moderators."""
_MOST_PENDING = 64

Row = TypeVar("Row")
K = TypeVar("K", int, SubjectKey)
P = TypeVar("P", posts.PostPatch, comments.CommentPatch, CommentSettingsPatch, PinPatch)


class Patch(Protocol[Row]):
    """One change that a user made to a post or comment (a `Row`)."""

    @property
    def version(self) -> int: ...
    @property
    def publishes(self) -> bool: ...
    @property
    def deletes(self) -> bool: ...
    @property
    def role(self) -> str | None: ...
    @property
    def texts(self) -> Sequence[str]: ...
    def born(self, id_: int, author_id: int, /) -> Row: ...
    def is_news_to(self, row: Row, /) -> bool: ...
    def applied(self, row: Row, /) -> Row: ...


def overlaid(id_: int, actor_id: int, row: Row | None, patches: Sequence[Patch[Row]]) -> Row | None:
    """Returns the row of a post or comment with a user's unpublished patches applied. The result is None if the row is
    not in Postgres and no patch creates it.
    """
    for patch in patches:
        if row is None and patch.publishes:
            row = patch.born(id_, actor_id)
        elif row is not None and patch.is_news_to(row):
            row = patch.applied(row)
    return row


class Patches(NamedTuple):
    """The unpublished patches of one user, oldest first: of posts and comments, by their ids."""

    posts: Mapping[int, Sequence[posts.PostPatch]]
    comments: Mapping[int, Sequence[comments.CommentPatch]]
    settings: Mapping[SubjectKey, Sequence[CommentSettingsPatch]]
    """Changes of the settings of comments, by the post or entity that is commented on."""
    pins: Mapping[int, Sequence[PinPatch]]
    """Changes of the user's pinned posts, by the id of the user."""


NONE = Patches({}, {}, {}, {})


class Published(NamedTuple):
    """A patch whose result is published: all users who may see the post or comment see the change."""

    actor_id: int
    ref: EntityRef
    version: int


class PatchStore:
    """Appends patches, reports and decisions to the journal. Reads patches back until they are published."""

    def __init__(self, redis: Redis, keys: Keys, journal_max_entries: int) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_max_entries

    async def write(self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Appends a patch to the journal. The outcome's value is the id of the post or comment; if the client repeats
        the operation, the id that was recorded the first time.
        """
        return await self._write(actor_id, kind, operation, entry, f" {ref.entity_id}", f"{_field(ref)}:")

    async def append(self, actor_id: int, kind: str, operation: Operation, entry: bytes) -> Outcome:
        """Appends a report, an appeal or what a moderator decides to the journal. None of them is pending. The value of
        the outcome is the id of the entry.
        """
        return await self._write(actor_id, kind, operation, entry, "", "")

    async def _write(
        self, actor_id: int, kind: str, operation: Operation, entry: bytes, value: str, field: str
    ) -> Outcome:
        named = [self._keys.patches(actor_id), self._keys.operation(actor_id, operation.digest)]
        args = [kind, operation.fingerprint, operation.life_ms, value, self._journal_bound]
        args += [_MOST_PENDING, field, entry]
        return Outcome.parse(await operations.run(self._redis, self._keys, WRITE, actor_id, named, args))

    def pending(self, actor_id: int) -> "asyncio.Future[Patches]":
        """Reads the unpublished patches of a user. The command is queued at once, even if the future is not awaited.
        Returns no patches while writes are direct.
        """
        if self._redis.is_suspended:
            return resolved(NONE)
        return self._redis("HGETALL", self._keys.patches(actor_id), read=_patches)

    async def sweep(self, published: Iterable[Published]) -> None:
        """Removes published patches from Redis. Call it when each was published longer ago than any request lasts."""
        fields = grouped(
            (self._keys.patches(actor_id), f"{_field(ref)}:{entry_id(version)}") for actor_id, ref, version in published
        )
        if fields:
            await self._redis.gather([("HDEL", key, *some) for key, some in fields.items()], write=True)


def judgement(
    moderator_id: int,
    about: PostRow | CommentRow,
    status: AuditStatus,
    reason: str,
    *,
    reviewer: bool = False,
    by_reports: bool = False,
) -> bytes:
    """Returns the journal entry, as JSON, of a moderation decision about the current content of a post or comment.
    `reviewer` tells that the external reviewer decided, and `by_reports` that many reports hide it. Workers that do not
    know `reports` take it for a decision of the reviewer, which has no effect on approved content.
    """
    business_id, entity_id = about.ref
    what = {"actor": moderator_id, "business": business_id, "entity": entity_id, "content": about.content_version}
    who = {"reviewer": True, "reports": True} if by_reports else {"reviewer": reviewer}
    return orjson.dumps({**what, **who, "status": int(status), "reason": reason})


def _field(ref: EntityRef) -> str:
    return f"{ref.business_id}:{ref.entity_id}"


def _patches(raw: Sequence[bytes]) -> Patches:
    if not raw:
        return NONE
    of_posts: dict[int, list[posts.PostPatch]] = {}
    of_comments: dict[int, list[comments.CommentPatch]] = {}
    settings: dict[SubjectKey, list[CommentSettingsPatch]] = {}
    pins: dict[int, list[PinPatch]] = {}
    for field, data in zip(raw[::2], raw[1::2], strict=True):
        business, id_, journal_id = field.split(b":")
        version, said = version_of(journal_id), orjson.loads(data)
        if said["op"] == COMMENT_SETTINGS:
            patch = CommentSettingsPatch.parse(version, said)
            settings.setdefault(patch.subject, []).append(patch)
        elif said["op"] == PINNED_POST:
            pin = PinPatch.parse(version, said)
            pins.setdefault(pin.user_id, []).append(pin)
        elif int(business) == COMMENTS:
            of_comments.setdefault(int(id_), []).append(comments.CommentPatch.parse(version, said))
        else:
            of_posts.setdefault(int(id_), []).append(posts.PostPatch.parse(version, said))
    return Patches(_ordered(of_posts), _ordered(of_comments), _ordered(settings), _ordered(pins))


def _ordered(by_id: dict[K, list[P]]) -> dict[K, list[P]]:
    return {id_: sorted(some, key=attrgetter("version")) for id_, some in by_id.items()}
