"""Posts into rows: what authors changed and moderators decided, in order; what that made visible, or ceased to be so,
moves outboxes, topics and counters, and asks for fan-out. All in the transaction of the batch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ids import born_ms
from models.counters import CounterKind, EntityRef
from models.posts import PostRow
from models.topics import SQUARE, TopicRow, topic_id
from moderation import risk
from moderation.verdicts import AuditStatus, History, Submission, Trace
from settings import USERS
from state import State
from store import claims, journal, keys, lists, outboxes, post_rows, posts, timelines, topics
from store.counts import Moves
from store.lists import Item
from store.postgres import Transaction
from workers.events import Judged, Wrote


@dataclass(slots=True)
class Change:
    """What a batch has made of a post: its row before, None for a new one, and after."""

    before: PostRow | None
    after: PostRow
    partition: int
    trace: journal.Trace | None = None
    """Where a new one came from."""
    remembered: Trace | None = None
    """What risk rules compare later ones with, where its author has changed it."""
    judged: int | None = None
    """The version of the change that moderation judged, or was; None where nothing was judged."""

    @property
    def appears(self) -> bool:
        """Whether everybody may see it from now on."""
        return self.after.is_public and not (self.before and self.before.is_public)

    @property
    def disappears(self) -> bool:
        """Whether only its author may see it from now on, or nobody."""
        return self.before is not None and self.before.is_public and not self.after.is_public

    @property
    def rejected(self) -> bool:
        """Whether its author is to be told that it was rejected."""
        was = self.before and self.before.status
        return self.judged is not None and self.after.status is AuditStatus.REJECTED is not was


async def apply(state: State, transaction: Transaction, events: Sequence[Wrote | Judged], moves: Moves) -> None:
    """Writes what became of every post of the batch, and adds what moved to `moves`."""
    claimed = await claims.claim(transaction, [e.claim for e in events if isinstance(e, Wrote) and e.claim])
    kept = [event for event in events if isinstance(event, Judged) or not event.claim or event.ref in claimed]
    rows = await post_rows.lock(transaction, {event.ref.entity_id for event in kept})
    histories = await _histories(state, transaction, kept)
    changes: dict[int, Change] = {}
    for event in kept:
        post_id = event.ref.entity_id
        row = changes[post_id].after if post_id in changes else rows.get(post_id)
        if (after := _after(event, row)) is not None:
            change = changes.setdefault(post_id, Change(rows.get(post_id), after, event.partition))
            change.after = after
            if isinstance(event, Wrote):
                _look(state, event, row, change, histories)
            else:
                change.judged = event.version
    if changes:
        await _write(state, transaction, [changes[post_id] for post_id in sorted(changes)], moves)


def _after(event: Wrote | Judged, row: PostRow | None) -> PostRow | None:
    """The row that an event makes of another, None where it changes nothing: it is old, or not for this post.

    Raises ValueError for one that is ahead of truth: what it follows upon was refused, or lost by a failover. It is
    put aside then, to be tried again after that.
    """
    if isinstance(event, Wrote) and event.patch.publishes:
        return event.patch.born(event.ref.entity_id, event.actor_id) if row is None else None
    if row is None:
        raise ValueError(f"post {event.ref.entity_id} has no row yet")
    if row.deleted:
        return None
    if isinstance(event, Wrote):
        newer = event.version > row.content_version and event.actor_id == row.author_id
        return event.patch.applied(row) if newer else None
    return _judged(event, row)


def _judged(event: Judged, row: PostRow) -> PostRow | None:
    """A row after a decision, None where it was about something else, or another one stands."""
    if event.content_version > row.content_version:
        raise ValueError(f"post {event.ref.entity_id} does not say yet what was decided about")
    if event.content_version < row.content_version:
        return None
    if event.reviewer:  # leaves the version alone: a moderator's decision wins, whichever of the two comes first
        return replace(row, status=event.status, reason=event.reason) if row.awaits_review else None
    if event.version <= row.audit_version:
        return None
    return replace(row, status=event.status, reason=event.reason, audit_version=event.version)


async def _histories(state: State, transaction: Transaction, events: Iterable[Wrote | Judged]) -> dict[int, History]:
    """What authors have submitted lately, by author."""
    authors = sorted({event.actor_id for event in events if isinstance(event, Wrote) and not event.patch.deletes})
    since_ms = state.now_ms() - int(state.settings.moderation.window * 1000)
    return await outboxes.histories(transaction, authors, since_ms, state.settings.moderation.traces) if authors else {}


def _look(state: State, event: Wrote, was: PostRow | None, change: Change, histories: dict[int, History]) -> None:
    """What an author has changed is judged anew; an edit that says the same as before lifts no judgement."""
    if event.patch.publishes:
        change.trace = event.trace
    row = change.after
    if event.patch.deletes or (was and was.says == row.says):
        return
    submission = submission_of(row)
    history = histories.setdefault(row.author_id, History())
    verdict = state.moderation.first_look(submission, history)
    change.remembered = risk.trace(submission)
    histories[row.author_id] = history.after(change.remembered)
    change.judged = event.version
    change.after = replace(
        row, status=verdict.status, reason=verdict.reason or None, audit_version=max(row.audit_version, event.version)
    )


def submission_of(row: PostRow) -> Submission:
    """A post as moderation is shown it."""
    return Submission(
        kind="post",
        id=row.post_id,
        author_id=row.author_id,
        author_created_at=_time(born_ms(row.author_id)),
        text=row.text,
        image_urls=tuple(image.url for image in row.images),
        topics=row.topic_names,
        submitted_at=_time(row.content_version >> 20),
    )


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


async def _write(state: State, transaction: Transaction, changes: Sequence[Change], moves: Moves) -> None:
    for change in changes:
        change.after = replace(change.after, version=max(change.after.version + 1, change.after.newest))
    await post_rows.write(transaction, [(change.after, change.trace) for change in changes])
    await outboxes.write(transaction, [(change.after, change.remembered) for change in changes])
    await _write_topics(transaction, changes, moves)
    for change in changes:
        author = EntityRef(USERS, change.after.author_id)
        moves.add(author, CounterKind.POSTS, change.appears - change.disappears, change.partition)
    await outboxes.ask_for_fanout(
        transaction,
        [change.after for change in changes if change.appears or (change.before and change.after.deleted)],
        state.keys.partition_of,
        state.settings.push_followers,
    )
    waiting = [change.after for change in changes if change.after.awaits_review]
    await post_rows.ask_for_review(transaction, waiting, state.keys.partition_of)
    await post_rows.tell_authors(transaction, [(c.after, c.judged) for c in changes if c.rejected and c.judged])


async def _write_topics(transaction: Transaction, changes: Sequence[Change], moves: Moves) -> None:
    """Where it can be found by topic: what is new there, and what has gone."""
    there: list[tuple[str, PostRow]] = []
    gone: list[tuple[str, PostRow]] = []
    for change in changes:
        before, after = _shown(change.before), _shown(change.after)
        there += [(name, change.after) for name in sorted(after - before)]
        gone += [(name, change.after) for name in sorted(before - after)]
        for name in (after ^ before) - {SQUARE}:
            moves.add(TopicRow(name).ref, CounterKind.POSTS, 1 if name in after else -1, change.partition)
    await topics.write(transaction, there, gone)


def _shown(row: PostRow | None) -> set[str]:
    """The topics under which everybody finds a post, and the square."""
    return {SQUARE, *row.topic_names} if row and row.is_public else set()


async def written(state: State, events: Sequence[Wrote | Judged]) -> list[PostRow]:
    """What the rows of these posts say by now."""
    ids = sorted({event.ref.entity_id for event in events})
    return list((await posts.by_id(state.postgres, ids)).values()) if ids else []


def counted(rows: Iterable[PostRow], events: Iterable[Wrote | Judged]) -> set[EntityRef]:
    """Whose counters events about these posts may have moved: their authors', and those of topics, also such as an
    edit has left.
    """
    topics = {name for row in rows for name in row.topic_names}
    topics |= {name for event in events if isinstance(event, Wrote) for name in event.left}
    return {TopicRow(name).ref for name in topics} | {EntityRef(USERS, row.author_id) for row in rows}


async def publish(state: State, rows: Sequence[PostRow]) -> None:
    """Rows to cached posts, and to the lists that are cached."""
    await state.cache.publish([(keys.post(row.post_id), posts.encode(row)) for row in rows], posts.LIFE_MS)
    public = [row for row in rows if row.is_public]
    known = {name for row in public for name in row.topic_names}
    await state.cache.publish([(keys.topic(name), topics.encode(True)) for name in sorted(known)], topics.LIFE_MS)
    await lists.publish(state.cache, _places(rows).items(), cap=state.settings.cached_posts)
    await timelines.publish_pulled(state.cache, await timelines.pulled_among(state.postgres, public))


def _places(rows: Iterable[PostRow]) -> Mapping[str, list[Item]]:
    """The lists that posts are in by now; those that are deleted, the lists that they may have been in.

    What is rejected stays in lists, and is left out by their readers: it may be approved again.
    """
    found: dict[str, list[Item]] = {}
    for row in rows:
        item = Item(outboxes.inbox_moment(row), row.post_id)
        places = [keys.own(row.author_id)]
        if row.is_public or row.deleted:
            places += [keys.outbox(row.author_id), keys.square()]
            places += [keys.under(topic_id(name)) for name in row.topic_names]
        for key in places:
            found.setdefault(key, []).append(item)
    return found
