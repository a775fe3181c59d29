"""What the viewer has written in a list of comments that others do not find yet, or never will."""

from collections.abc import Callable

from context import Context
from models.counters import EntityRef
from resolvers.timelines import Source, newest_of
from store.cache.lists import Item
from store.write_log.journal import moment_of


def own(context: Context, subject: EntityRef, root_id: int, place: Callable[[int], int]) -> Source:
    """Those below a root, or roots themselves (0), placed by their moments."""

    async def written(before: Item | None, count: int) -> list[Item]:
        items = await own_items(context, subject, root_id)
        return newest_of((Item(place(moment), comment_id) for moment, comment_id in items), before, count)

    return written


async def own_items(context: Context, subject: EntityRef, root_id: int) -> set[Item]:
    """All of them, by moments; some that others do find by now may be among them."""
    if context.viewer is None:
        return set()
    hidden = context.loaders.hidden_comments.ask([context.viewer.user_id])
    patches = (await context.loaders.patches()).comments
    begun = ((comment_id, patch) for comment_id, some in patches.items() for patch in some)
    items = {
        Item(moment_of(patch.version), comment_id)
        for comment_id, patch in begun
        if patch.beginning and (patch.beginning.subject, patch.beginning.root_id or 0) == (subject, root_id)
    }
    (stored,) = await hidden
    return items | {
        Item(one.moment, one.comment_id) for one in stored if one.subject == subject and one.root_id == root_id
    }
