"""The viewer's own comments that lists of comments may lack, because they are new or not approved."""

from collections.abc import Callable

from context import Context
from domain.ids import CommentId
from domain.versions import moment_of
from models.counters import EntityRef
from resolvers.timelines import Source
from settings import COMMENTS
from store.cache.lists import Item, newest_of


def own(context: Context, subject: EntityRef, root_id: int, place: Callable[[int], int]) -> Source:
    """Returns a source (see timelines.py) of the viewer's own replies to a root comment or, if `root_id` is 0, of the
    viewer's own root comments on `subject`. It has only the comments that the list may lack.

    `place` maps the moment of a comment to its position in the list.
    """

    async def written(before: Item | None, count: int) -> list[Item]:
        items = await own_items(context, subject, root_id)
        return newest_of((Item(place(moment), comment_id) for moment, comment_id in items), before, count)

    return written


async def own_items(context: Context, subject: EntityRef, root_id: int) -> set[Item]:
    """Returns the viewer's own comments that a list of comments may lack, because they are new or not approved. Each
    item has the moment and the id of a comment. `root_id` is 0 for the list of root comments on `subject`. The list may
    already contain some of these comments.
    """
    if context.viewer is None or not context.is_for(CommentId.business):
        return set()
    hidden = context.own.hidden_comments.ask([context.viewer.user_id])
    patches = (await context.own.patched_in(COMMENTS).patches()).comments
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
