"""The fields of Reactable about bookmarks."""

import strawberry

from models.bookmarks import BOOKMARK, BOOKMARKS
from schema.access import Rule, access
from schema.fields import REACTIONS_REF, batched, counted
from schema.scalars import Count


@strawberry.type
class Fields:
    bookmark_count: Count | None = counted(BOOKMARKS, "The number of users who bookmark this object.", REACTIONS_REF)
    viewer_bookmarked: bool | None = batched(
        lambda context: context.own.states(BOOKMARK),
        key=REACTIONS_REF,
        value=lambda state: None if state is None else state != 0,
        description="Whether the viewer bookmarks this object.",
        metadata=access(Rule.TARGET, personal=True),
    )
