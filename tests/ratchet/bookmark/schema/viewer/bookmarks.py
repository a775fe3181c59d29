"""The list of what the viewer bookmarks."""

import strawberry

import resolvers.bookmarks as resolve
from schema.access import Rule, access
from schema.fields import PAGE, BusinessName, listed
from schema.reactable import ReactableConnection


@strawberry.type
class Fields:
    bookmarks: ReactableConnection | None = listed(
        resolve.of_viewer,
        description="The objects of one business that the viewer bookmarks, newest first.",
        business=(BusinessName, "post"),
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
