"""Untold events: events that users will be notified of, such as likes. A batch stores them in the transaction that
writes its rows.

Input: events that really happened, each once. Output: one row of `untold`. After the commit,
store/notifications/delivery.py turns it into notifications, together with the rows of other batches. So every stored
event is delivered exactly once, even if a process dies, and many similar events cause few writes.
"""

import secrets
from dataclasses import dataclass, field

import orjson
from sqlalchemy import text

from domain.versions import moment_of
from models.counters import EntityRef
from models.likes import Reaction
from models.notifications import NotificationKind
from settings import COMMENTS, USERS
from store.notifications import muted_threads
from store.notifications.marks import Mark
from store.notifications.muted_threads import Notice, Threads
from store.outgoing.events.notifications import NOTIFICATION_READ
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction
from store.postgres.columns import columns

LIKE, FOLLOW, COMMENT, REPLY, MENTION, MODERATION, FOLLOW_REQUEST, FOLLOW_ACCEPTED, REPORT, REPOST, QUOTE, NEW_POST = (
    NotificationKind
)
_LIKE, _FOLLOW, _MODERATION = int(LIKE), int(FOLLOW), int(MODERATION)

_STORE = text("INSERT INTO untold (p, untold_id, notices) VALUES (:p, :id, :notices)")
# A mark is limited to the last delivered notification or, if that is later, to the time at which the mark was made. If
# Postgres has lost its last commits, it may store a mark again before the notifications that the mark is about. Events
# after the mark have later moments. `excluded.prev_moment` is the marked moment. The statement locks the heads of all
# users with marks, so the next statements can write in any order.
_READ = text("""
    INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment, read_alone)
    SELECT user_id, 0, moment, least(moment, made), alone
    FROM unnest(CAST(:users AS bigint[]), CAST(:moments AS bigint[]), CAST(:made AS bigint[]),
                CAST(:alone AS bigint[])) AS w(user_id, moment, made, alone)
    ON CONFLICT (user_id) DO UPDATE SET
        read_moment = greatest(h.read_moment, excluded.read_moment, least(h.moment, excluded.prev_moment)),
        read_alone = h.read_alone + excluded.read_alone
    RETURNING user_id, read_moment
""")
_SEE = text("""
    UPDATE notification_heads h SET seen_moment = greatest(h.seen_moment, least(w.moment, greatest(h.moment, w.made)))
    FROM unnest(CAST(:users AS bigint[]), CAST(:moments AS bigint[]), CAST(:made AS bigint[]))
         AS w(user_id, moment, made)
    WHERE h.user_id = w.user_id
""")
_READ_ALONE = text("""
    UPDATE notifications n SET read_moment = greatest(n.read_moment, least(w.moment, n.moment))
    FROM unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[]), CAST(:moments AS bigint[]))
         AS w(user_id, notification_id, moment)
    WHERE n.user_id = w.user_id AND n.notification_id = w.notification_id
""")


@dataclass(slots=True)
class _Marks:
    """The marks of a user: the furthest read mark and seen mark, each a moment and the time of the mark, and the
    moments of the notifications that were marked alone as read, by id.
    """

    read: tuple[int, int] = 0, 0
    seen: tuple[int, int] = 0, 0
    alone: dict[int, int] = field(default_factory=dict)


class UntoldEvents:
    """Collects the notification events of a batch. Leaves out events that users cause for themselves, and events in
    threads that the notified user mutes. `version` is always that of the journal entry.
    """

    def __init__(self) -> None:
        self._notices: list[tuple[Notice, Threads | None]] = []
        self._marks: dict[int, _Marks] = {}

    def liked(
        self, owner_id: int | None, ref: EntityRef, actor_id: int, version: int, kinds: int = Reaction.LIKE
    ) -> None:
        """Adds the event that the user `actor_id` reacts to the object `ref` for the first time. `kinds` is the set of
        the kinds of reactions (models/likes.py). The owner of the object, `owner_id`, is notified; without an owner,
        adds nothing.
        """
        if owner_id and owner_id != actor_id:
            threads = None if ref.business_id == COMMENTS else (ref,)
            self._notices.append(((_LIKE, owner_id, *ref, actor_id, version, None, 0, kinds), threads))

    def reposted(self, author_id: int | None, ref: EntityRef, actor_id: int, version: int) -> None:
        """Adds the event that the user `actor_id` reposts the post `ref` for the first time. The author of the post,
        `author_id`, is notified.
        """
        if author_id and author_id != actor_id:
            self._notices.append(((int(REPOST), author_id, *ref, actor_id, version, None, 0), (ref,)))

    def followed(self, user_id: int, actor_id: int, version: int) -> None:
        """Adds the event that the user `actor_id` follows the user `user_id`, who is notified, for the first time."""
        self._notices.append(((_FOLLOW, user_id, USERS, user_id, actor_id, version, None, 0), ()))

    def asked_to_follow(self, user_id: int, actor_id: int, version: int) -> None:
        """Adds the event that the user `actor_id` asks to follow the private user `user_id`, who is notified."""
        self._notices.append(((int(FOLLOW_REQUEST), user_id, USERS, user_id, actor_id, version, None, 0), ()))

    def accepted(self, user_id: int, actor_id: int, version: int) -> None:
        """Adds the event that the user `actor_id` accepts the follow request of the user `user_id`, who is notified."""
        self._notices.append(((int(FOLLOW_ACCEPTED), user_id, USERS, user_id, actor_id, version, None, 0), ()))

    def said(
        self,
        kind: NotificationKind,
        user_id: int | None,
        ref: EntityRef,
        actor_id: int,
        version: int,
        threads: Threads = (),
        comment_id: int = 0,
    ) -> None:
        """Adds the event that a post or comment by the user `actor_id` has become public. The user `user_id` is
        notified; without a user, adds nothing. `threads` are those that contain the post or comment. `comment_id` is
        the comment, if `kind` is COMMENT or REPLY.

        `kind` is COMMENT for a comment on the user's object `ref`, REPLY for a reply to the user's comment `ref`, and
        MENTION for a post or comment `ref` that mentions the user. NEW_POST is for a post `ref` by an author about
        whose posts the user wants notifications. A post or comment causes at most one MENTION and one NEW_POST for a
        user. If one text causes several of the other events for a user, only one is delivered: REPLY, else COMMENT,
        else MENTION.
        """
        if user_id and user_id != actor_id:
            self._notices.append(((int(kind), user_id, *ref, actor_id, version, None, comment_id), threads))

    def moderated(self, user_id: int, ref: EntityRef, version: int, message: str) -> None:
        """Adds a moderation decision, such as a rejection, about a post, comment or profile text of the user `user_id`,
        who is notified. `message` is the text of the notification. Each decision is a notification of its own, also if
        the user mutes the thread.
        """
        self._notices.append(((_MODERATION, user_id, *ref, 0, version, message, 0), ()))

    def report_decided(self, user_id: int, ref: EntityRef, version: int, message: str) -> None:
        """Adds the outcome of the report of the object `ref` by the user `user_id`, who is notified. `message` is the
        text of the notification.
        """
        self._notices.append(((int(REPORT), user_id, *ref, 0, version, message, 0), ()))

    def marked(self, user_id: int, mark: Mark, version: int) -> None:
        """Adds a mark of the user, such as a read mark."""
        marks, made = self._marks.setdefault(user_id, _Marks()), moment_of(version)
        if mark.notification_id is not None:
            alone = mark.notification_id
            marks.alone[alone] = max(mark.moment, marks.alone.get(alone, 0))
        elif mark.seen:
            marks.seen = max((mark.moment, made), marks.seen)
        else:
            marks.read = max((mark.moment, made), marks.read)

    async def write(self, transaction: Transaction, p: int, events_out: OutgoingEvents | None = None) -> None:
        """Stores the collected events as one row in the partition `p`. The worker that owns this partition delivers
        them. Also stores the collected marks. Adds those that say what is read to the outgoing events `events_out`, if
        given.
        """
        if self._notices and (notices := await muted_threads.wanted(transaction, self._notices)):
            await transaction.execute(_STORE, p=p, id=secrets.randbits(63), notices=orjson.dumps(notices))
        if self._marks:
            await self._write_marks(transaction, events_out)

    async def _write_marks(self, transaction: Transaction, events_out: OutgoingEvents | None) -> None:
        # sorted, because other transactions may lock the heads of some of these users
        marks = sorted(self._marks.items())
        rows = [(user, *one.read, len(one.alone)) for user, one in marks]
        read = await transaction.execute(_READ, **columns(rows, "users", "moments", "made", "alone"))
        if seen := [(user, *one.seen) for user, one in marks if one.seen[0]]:
            await transaction.execute(_SEE, **columns(seen, "users", "moments", "made"))
        if alone := [(user, id_, moment) for user, one in marks for id_, moment in one.alone.items()]:
            await transaction.execute(_READ_ALONE, **columns(alone, "users", "ids", "moments"))
        if events_out:
            through = dict(map(tuple, read))
            for user_id, one in marks:
                if one.read[0]:
                    moment = through[user_id]
                    events_out.add(NOTIFICATION_READ, user_id, USERS, moment, (user_id,), moment=moment)
            for user_id, id_, moment in alone:
                key = user_id, id_
                events_out.add(NOTIFICATION_READ, user_id, USERS, moment, key, moment=through[user_id])
