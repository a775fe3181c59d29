"""What can be watched."""

from collections.abc import AsyncGenerator
from typing import Any

import strawberry

import resolvers.changes as resolve
import resolvers.home_updates as resolve_home
from schema.fields import Info
from schema.interfaces import Reactable
from schema.posts import PostEdge


@strawberry.type
class ChangeSubscription:
    @strawberry.subscription(
        description="Each of up to 100 things once at the beginning, then when its counts have changed: "
        "at most four times a second, and always after the last change."
    )
    async def reactable_changed(self: Any, info: Info, ids: list[strawberry.ID]) -> AsyncGenerator[Reactable | None]:
        return await resolve.reactable_changed(info.context, ids)  # type: ignore[return-value]

    @strawberry.subscription(
        description="Every post that comes into the viewer's home among its newest, from now on: with those of big "
        "accounts and the viewer's own, each when the viewer can read it."
    )
    async def home_post_added(self: Any, info: Info) -> AsyncGenerator[PostEdge]:
        return await resolve_home.added(info.context)  # type: ignore[return-value]
