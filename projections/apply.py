"""Events into the tables: rows first, then what users are to be told, counters last, because everybody meets there."""

from collections.abc import Sequence

from models.counters import EntityRef
from projections import comments, follows, likes, posts, views_and_shares
from projections.authored import Looks
from projections.events import Event, Followed, Judged, Reacted, Recorded, Seen, Wrote
from settings import COMMENTS, POSTS
from state import State
from store.notifications.outbox import Notices
from store.postgres.client import Transaction
from store.reactions.counts import Moves


async def apply(state: State, transaction: Transaction, events: Sequence[Event]) -> set[EntityRef]:
    """Returns whose counters moved."""
    through: dict[int, int] = {}
    for event in events:
        through[event.partition] = max(event.version, through.get(event.partition, 0))
    moves, notices = Moves(through), Notices()
    if reacted := [event for event in events if isinstance(event, Reacted)]:
        await likes.apply(transaction, reacted, moves, notices)
    if followed := [event for event in events if isinstance(event, Followed)]:
        await follows.apply(transaction, followed, moves, notices)
    if recorded := [event for event in events if isinstance(event, Recorded)]:
        await views_and_shares.apply(transaction, recorded, moves)
    if wrote := [event for event in events if isinstance(event, Wrote | Judged)]:
        await _apply_written(state, transaction, wrote, moves, notices)
    for event in events:
        if isinstance(event, Seen):
            notices.read(event.actor_id, event.moment, event.version)
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
