"""The subscriptions to changes of posts, comments and entities (counts, content and moderation status), and to new
posts in the viewer's home timeline.
"""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

import strawberry

import resolvers.changes as resolve
import resolvers.home_updates as resolve_home
from schema.access import Rule, access
from schema.fields import Info
from schema.posts import PostEdge
from schema.reactable import Reactable


@strawberry.type
class SubscriptionFields:
    @strawberry.subscription(
        description="Sends each of the given objects once at the start, and again whenever its counts (likes, "
        "comments, views and others), its content or its moderation status have changed. An object is sent at most "
        "four times a second, and always after its last change. If a part of an object was temporarily unavailable, "
        "the object is sent again when this part is available. Fails with `BAD_INPUT` for no ids, for more than 100 "
        "ids, and for an id that is malformed or whose object cannot be liked, does not exist or is hidden from the "
        "viewer. An event is null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def reactable_changed(
        self: Any,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="The ids of 1 to 100 posts, comments and entities.")
        ],
    ) -> AsyncGenerator[Reactable | None]:
        return await resolve.reactable_changed(info.context, ids)  # type: ignore[return-value]

    @strawberry.subscription(
        description="Sends each post that appears among the newest 20 posts of the viewer's home timeline "
        "(`Viewer.home`) after the subscription has started: posts of followed users, and the viewer's own posts. "
        "Posts that appear at the same time are sent in the order of publication, oldest first. A post is sent "
        "again only if a part of it was temporarily unavailable the first time. Fails with "
        "`UNAUTHENTICATED` if no user is signed in.",
        metadata=access(Rule.POST),
    )
    async def home_post_added(self: Any, info: Info) -> AsyncGenerator[PostEdge]:
        return await resolve_home.added(info.context)  # type: ignore[return-value]
