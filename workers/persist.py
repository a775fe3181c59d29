"""A batch of journal entries into Postgres: one transaction, in which the data and the heads move together."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy.exc import SQLAlchemyError

import metrics
from models.counters import EntityRef
from settings import COMMENTS, POSTS
from state import State
from store import dead_letters
from store.counts import Moves
from store.journal import Entry
from store.notices import Notices
from store.postgres import Transaction, is_refusal
from workers import comments, follows, likes, posts, records
from workers.events import Event, Followed, Judged, Malformed, Reacted, Recorded, Seen, Wrote, parse
from workers.partitions import Partition, advance
from workers.written import Looks

log = structlog.get_logger(__name__)

Letters = list[tuple[Entry, str]]
Place = tuple[int, int]
"""An entry's partition and version."""


@dataclass(frozen=True, slots=True)
class Late:
    """Of entries that come after what was written directly: those that are done already, and what mends the others."""

    done: Collection[Place]
    mend: Callable[[Transaction, Sequence[Event]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of entries: the events that are in the tables, whose counters moved, and what was refused."""

    events: list[Event]
    moved: set[EntityRef]
    refused: list[Entry]

    def __add__(self, other: "Written") -> "Written":
        return Written(self.events + other.events, self.moved | other.moved, self.refused + other.refused)


NOTHING = Written([], set(), [])


async def persist(
    state: State, owned: Mapping[int, Partition], entries: Sequence[Entry], late: Late | None = None
) -> Written:
    """Writes entries that are in order within their partitions and beyond their heads; and what follows if they are
    `late`.

    What the database refuses is found by halving and put among the dead letters; its neighbours are not held up.
    Raises Fenced when a partition is no longer ours, PostgresDown when trying again is right; then nothing of the
    failed half was written, and heads tell how far the rest came.
    """
    if not entries:
        return NOTHING
    try:
        return await _commit(state, owned, entries, None, late)
    except (SQLAlchemyError, ValueError, TypeError) as error:
        if isinstance(error, SQLAlchemyError) and not is_refusal(error):
            raise
        if len(entries) == 1:
            return await _commit(state, owned, entries, str(error), late)
        middle = len(entries) // 2
        written = await persist(state, owned, entries[:middle], late)
        return written + await persist(state, owned, entries[middle:], late)


async def _commit(
    state: State,
    owned: Mapping[int, Partition],
    entries: Sequence[Entry],
    refusal: str | None,
    late: Late | None,
) -> Written:
    wanted = [entry for entry in entries if (entry.partition, entry.version) not in late.done] if late else entries
    events, letters = ([], [(entry, refusal) for entry in wanted]) if refusal else _parsed(wanted)
    heads = {entry.partition: entry.version for entry in entries}
    with metrics.COMMIT_SECONDS.time():
        async with state.postgres.transaction() as transaction:
            await advance(transaction, {p: (owned[p].epoch, owned[p].head, head) for p, head in heads.items()})
            await dead_letters.write(transaction, letters)
            moved = await apply(state, transaction, events)
            if late:
                await late.mend(transaction, events)
    for p, head in heads.items():
        owned[p].head = head
    metrics.BATCH_ENTRIES.observe(len(entries))
    for entry, error in letters:
        metrics.DEAD_LETTERS.inc()
        log.error("dead letter", partition=entry.partition, version=entry.version, error=error)
    return Written(events, moved, [entry for entry, _ in letters])


async def apply(state: State, transaction: Transaction, events: Sequence[Event]) -> set[EntityRef]:
    """Rows first, then what users are to be told, counters last, because everybody meets there. Returns whose counters
    moved.
    """
    through: dict[int, int] = {}
    for event in events:
        through[event.partition] = max(event.version, through.get(event.partition, 0))
    moves, notices = Moves(through), Notices()
    if reacted := [event for event in events if isinstance(event, Reacted)]:
        await likes.apply(transaction, reacted, moves, notices)
    if followed := [event for event in events if isinstance(event, Followed)]:
        await follows.apply(transaction, followed, moves, notices)
    if recorded := [event for event in events if isinstance(event, Recorded)]:
        await records.apply(transaction, recorded, moves)
    if wrote := [event for event in events if isinstance(event, Wrote | Judged)]:
        await _apply_written(state, transaction, wrote, moves, notices)
    for event in events:
        if isinstance(event, Seen):
            notices.read(event.actor_id, event.moment)
    await notices.write(transaction, min(through, default=0))
    await moves.write(transaction)
    return moves.refs


async def _apply_written(
    state: State, transaction: Transaction, events: Sequence[Wrote | Judged], moves: Moves, notices: Notices
) -> None:
    """Posts and comments, which moderation looks at side by side."""
    looks = await Looks.read(state, transaction, events)
    if about_posts := [event for event in events if event.ref.business_id == POSTS]:
        await posts.apply(state, transaction, about_posts, looks, moves, notices)
    if about_comments := [event for event in events if event.ref.business_id == COMMENTS]:
        await comments.apply(state, transaction, about_comments, looks, moves, notices)
    await looks.write(transaction)


def _parsed(entries: Sequence[Entry]) -> tuple[list[Event], Letters]:
    events: list[Event] = []
    letters: Letters = []
    for entry in entries:
        try:
            events.append(parse(entry))
        except Malformed as error:
            letters.append((entry, str(error)))
    return events, letters
