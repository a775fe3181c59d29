"""The field of Viewer that lists what the viewer has saved."""

import strawberry

import resolvers.saves as resolve
from schema.access import Rule, access
from schema.fields import listed
from schema.saved_items import SAVED_PAGE, SavedItemConnection


@strawberry.type
class Fields:
    saved: SavedItemConnection | None = listed(
        resolve.of_viewer,
        description="What the viewer (the signed-in user) has saved, newest save first. Objects that were deleted or "
        "are hidden from the viewer keep their places without content. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **SAVED_PAGE,
    )
