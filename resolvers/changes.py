"""The subscription to changes of posts, comments and entities: of their counts, content and moderation status."""

from collections.abc import AsyncIterator, Mapping, Sequence

from commands.targets import ReactableRow
from context import Context
from domain import texts
from domain.errors import BadInput
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from resolvers import nodes

MOST = 100


async def reactable_changed(context: Context, ids: Sequence[str]) -> AsyncIterator[ReactableRow]:
    """Resolves Subscription.reactableChanged: returns a stream that yields each object once at the start, and again
    after its counts, content or moderation status have changed.

    Raises BadInput for no ids, for more than 100 ids, for a malformed id, and for an id of no post, comment or entity
    that the viewer may see. Raises Unavailable if an object cannot be read.
    """
    if not 1 <= len(ids) <= MOST:
        raise BadInput(f"Pass 1 to {MOST} ids.")
    watched: dict[EntityRef, str] = {}
    for id_, row in zip(ids, await nodes.by_ids(context, ids), strict=True):
        if isinstance(row, Exception):
            raise row
        if not isinstance(row, (CommentRow, EntityRow, PostRow)):
            raise BadInput(f"{texts.quoted(id_)} is not the id of a post, comment or entity that you may see.")
        watched |= dict.fromkeys((row.ref, row.reactions_ref or row.ref), id_)
    return _each(context, watched)


async def _each(context: Context, watched: Mapping[EntityRef, str]) -> AsyncIterator[ReactableRow]:
    with context.state.events.counter_changes(watched) as changes:
        async for ref in changes:
            await context.next_event()
            for row in await changes.read_or_retry(ref, nodes.by_ids(context, [watched[ref]])) or ():
                if isinstance(row, (CommentRow, EntityRow, PostRow)):
                    context.changed = ref
                    yield row
                    if context.degraded.was_reported:
                        changes.retry(ref)
