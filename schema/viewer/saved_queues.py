"""The field of Viewer that lists saved queues of moderation."""

import strawberry

import resolvers.saved_queues as resolve
from schema import forward
from schema.access import Rule, access
from schema.fields import listed


@strawberry.type
class Fields:
    saved_queues: list[forward.SavedQueue] | None = listed(
        resolve.of_viewer,
        description="The filters of `moderationQueue` that the viewer (the signed-in user) has saved, in the order of "
        "their names, at most 20. Null without the role `VIEWER` or higher, or if the value is temporarily "
        "unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
