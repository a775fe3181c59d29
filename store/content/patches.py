"""Patches: changes of posts, comments, comment settings and pinned posts. Users see their own patches at once, before
they are published to others (models/patches.py).

A patch is in the journal. Until it is published, it is also in a Redis hash of the user who made it, by the id of the
post or comment and the journal id.

Reports, notices, appeals and what moderators decide are appended to the journal in the same way, but are never in the
hash: nobody is shown them before they are stored.
"""

import asyncio
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

import orjson

from domain.versions import entry_id, version_of
from models.comment_settings import SubjectKey
from models.counters import EntityRef
from models.patches import (
    COMMENT_SETTINGS,
    NONE,
    PINNED_POST,
    CommentPatch,
    CommentSettingsPatch,
    Patches,
    PinPatch,
    PostPatch,
    Published,
)
from settings import COMMENTS
from store.groups import grouped
from store.keys import Keys
from store.redis.calls import resolved
from store.redis.client import Redis
from store.scripts import WRITE
from store.write_log import operations
from store.write_log.operations import Operation, Outcome

_MOST_PENDING = 64

K = TypeVar("K", int, SubjectKey)
P = TypeVar("P", PostPatch, CommentPatch, CommentSettingsPatch, PinPatch)


class PatchStore:
    """Appends patches, reports and decisions to the journal. Reads patches back until they are published.

    `kind` is the kind of the journal entry, `entry` its data as JSON, and `operation` the write under whose name the
    outcome is recorded. The methods that append raise RedisDown, and Moved if the journal belongs to another generation
    than this process has; then nothing was appended (`operations.run`).
    """

    def __init__(self, redis: Redis, keys: Keys, journal_max_entries: int) -> None:
        self._redis = redis
        self._keys = keys
        self._journal_bound = journal_max_entries

    async def write(self, actor_id: int, kind: str, ref: EntityRef, operation: Operation, entry: bytes) -> Outcome:
        """Appends a user's change of the object `ref` (a patch, such as an edit of a post) to the journal and to the
        user's unpublished patches. If nothing was appended, the status of the outcome says why. The value of the
        outcome is the id of the post or comment; if the client repeats the operation, the id that was recorded the
        first time. Raises RedisDown, and Moved (see `PatchStore`).
        """
        return await self._write(actor_id, kind, operation, entry, f" {ref.entity_id}", f"{_field(ref)}:")

    async def append(self, actor_id: int, kind: str, operation: Operation, entry: bytes, value: str = "") -> Outcome:
        """Appends a report, a notice, an appeal or a moderator's decision to the journal. If nothing was appended, the
        status of the outcome says why. The value of the outcome is `value`, which begins with a space, or the id of the
        journal entry if it is empty. `pending` does not return the entry. Raises RedisDown, and Moved (see
        `PatchStore`).
        """
        return await self._write(actor_id, kind, operation, entry, value, "")

    async def _write(
        self, actor_id: int, kind: str, operation: Operation, entry: bytes, value: str, field: str
    ) -> Outcome:
        named = [self._keys.patches(actor_id), self._keys.operation(actor_id, operation.name)]
        args = [kind, operation.fingerprint, operation.life_ms, value, self._journal_bound]
        args += [_MOST_PENDING, field, entry]
        return Outcome.parse(await operations.run(self._redis, self._keys, WRITE, actor_id, named, args))

    def pending(self, actor_id: int) -> "asyncio.Future[Patches]":
        """Reads those patches of a user that are not published yet. The command is queued at once, even if the future
        is not awaited. The result is empty while writes go to Postgres and not through the journal.
        """
        if self._redis.is_suspended:
            return resolved(NONE)
        return self._redis("HGETALL", self._keys.patches(actor_id), read=_patches)

    async def sweep(self, published: Iterable[Published]) -> None:
        """Removes published patches from Redis, so that `pending` no longer returns them. Call it when each was
        published longer ago than any request lasts.
        """
        fields = grouped(
            (self._keys.patches(actor_id), f"{_field(ref)}:{entry_id(version)}") for actor_id, ref, version in published
        )
        if fields:
            await self._redis.gather([("HDEL", key, *some) for key, some in fields.items()], write=True)


def _field(ref: EntityRef) -> str:
    return f"{ref.business_id}:{ref.entity_id}"


def _patches(raw: Sequence[bytes]) -> Patches:
    if not raw:
        return NONE
    of_posts: dict[int, list[PostPatch]] = {}
    of_comments: dict[int, list[CommentPatch]] = {}
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
            of_comments.setdefault(int(id_), []).append(CommentPatch.parse(version, said))
        else:
            of_posts.setdefault(int(id_), []).append(PostPatch.parse(version, said))
    return Patches(_ordered(of_posts), _ordered(of_comments), _ordered(settings), _ordered(pins))


def _ordered(by_id: dict[K, list[P]]) -> dict[K, list[P]]:
    return {id_: sorted(some, key=attrgetter("version")) for id_, some in by_id.items()}
