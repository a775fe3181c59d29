"""Subscriptions to posts, comments and entities: changed counts, and new posts in a home timeline."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

import strawberry

import resolvers.changes as resolve
import resolvers.home_updates as resolve_home
from schema.fields import Info
from schema.interfaces import Reactable
from schema.posts import PostEdge


@strawberry.type
class ChangeSubscription:
    @strawberry.subscription(
        description="Sends each of the given objects once at the start, and again after its counts change. Sends each "
        "object at most four times a second, and always after its last change. Fails with `BAD_INPUT` for "
        "more than 100 ids, and for an id of an object that cannot be liked, does not exist or is hidden from the "
        "viewer."
    )
    async def reactable_changed(
        self: Any,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="The ids of 1 to 100 posts, comments or entities.")
        ],
    ) -> AsyncGenerator[Reactable | None]:
        return await resolve.reactable_changed(info.context, ids)  # type: ignore[return-value]

    @strawberry.subscription(
        description="Sends each post that is added to the newest 20 posts of `Viewer.home` after the subscription "
        "starts, oldest first. The viewer's own posts are included. Requires a signed-in user."
    )
    async def home_post_added(self: Any, info: Info) -> AsyncGenerator[PostEdge]:
        return await resolve_home.added(info.context)  # type: ignore[return-value]
