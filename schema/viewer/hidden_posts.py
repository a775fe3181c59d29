"""The field of Viewer that lists hidden posts."""

import strawberry

import resolvers.hidden_posts as resolve
from schema.access import Rule, access
from schema.fields import PAGE, listed
from schema.posts import PostConnection


@strawberry.type
class Fields:
    hidden_posts: PostConnection | None = listed(
        resolve.of_viewer,
        description="The posts that the viewer (the signed-in user) has hidden with `hidePost` or `showLess`, the "
        "last hidden one first. Leaves out posts that the viewer may not see any more. Null if the value is "
        "temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
