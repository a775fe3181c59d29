"""What a batch has to tell users: collected while rows are written, and stored in the same transaction.

Enters: things that really happened, each once. Leaves: a row of `untold`, which store/notifications/delivery.py makes
notifications of once the batch is committed, together with those of other batches. So whatever is stored is told,
once, whoever dies in between; and where very much happens, what is alike is written seldom.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import text

from models.counters import EntityRef
from models.notifications import NotificationKind
from settings import USERS
from store.postgres.client import Transaction
from store.write_log.journal import moment_of

LIKE, FOLLOW, COMMENT, REPLY, MENTION, MODERATION = NotificationKind
_LIKE, _FOLLOW, _MODERATION = int(LIKE), int(FOLLOW), int(MODERATION)
Notice = Sequence[Any]
"""Kind, user, business, entity, actor (0: nobody who is named), version, and the message where it has its own."""

_STORE = text("INSERT INTO untold (p, untold_id, notices) VALUES (:p, :id, :notices)")
# A mark holds as far as the user has been notified, or as far as the moment at which it was made: a Postgres that has
# lost its last commits may store a mark again before the notifications that it is about, and whatever happens after a
# mark was made has a later moment. `excluded.prev_moment` is what was marked.
_READ = text("""
    INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment)
    SELECT user_id, 0, moment, least(moment, made)
    FROM unnest(CAST(:users AS bigint[]), CAST(:moments AS bigint[]), CAST(:made AS bigint[]))
         AS w(user_id, moment, made)
    ON CONFLICT (user_id) DO UPDATE SET
        read_moment = greatest(h.read_moment, excluded.read_moment, least(h.moment, excluded.prev_moment))
""")


class NotificationOutbox:
    """Handed around like `Moves`: whoever finds that something has happened says so. Nobody is told what they did
    themselves. Versions are those of the journal entries.
    """

    def __init__(self) -> None:
        self._notices: list[Notice] = []
        self._read: dict[int, tuple[int, int]] = {}

    def liked(self, owner_id: int | None, ref: EntityRef, actor_id: int, version: int) -> None:
        """Somebody likes something of a user's, and never did before."""
        if owner_id and owner_id != actor_id:
            self._notices.append((_LIKE, owner_id, *ref, actor_id, version, None))

    def followed(self, user_id: int, actor_id: int, version: int) -> None:
        """Somebody follows a user, and never did before."""
        self._notices.append((_FOLLOW, user_id, USERS, user_id, actor_id, version, None))

    def said(self, kind: NotificationKind, user_id: int | None, ref: EntityRef, actor_id: int, version: int) -> None:
        """Something that everybody may read for the first time: a COMMENT on what a user owns (`ref`), a REPLY to
        their comment (`ref`), a MENTION of them in something (`ref`; they are told of each once, for ever). Who would
        be told of one thing said as several of these is told the weightiest: REPLY, else COMMENT, else MENTION.
        """
        if user_id and user_id != actor_id:
            self._notices.append((int(kind), user_id, *ref, actor_id, version, None))

    def moderated(self, user_id: int, ref: EntityRef, version: int, message: str) -> None:
        """Something of a user's is not what it was to everybody, and why. Each decision is told on its own."""
        self._notices.append((_MODERATION, user_id, *ref, 0, version, message))

    def read(self, user_id: int, moment: int, version: int) -> None:
        """Marks a user's notifications as read, from the one of this moment down."""
        self._read[user_id] = max((moment, moment_of(version)), self._read.get(user_id, (0, 0)))

    async def write(self, transaction: Transaction, p: int) -> None:
        """Everything, for the owner of a partition to tell."""
        if self._notices:
            notices = orjson.dumps(self._notices)
            await transaction.execute(_STORE, p=p, id=secrets.randbits(63), notices=notices)
        if self._read:
            users = sorted(self._read)  # others may lock the heads of some of them
            moments, made = zip(*map(self._read.__getitem__, users), strict=True)
            await transaction.execute(_READ, users=users, moments=moments, made=made)
