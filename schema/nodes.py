"""The queries `node` and `nodes`, which return objects of any type by id."""

from typing import Annotated, Any

import strawberry

import resolvers.nodes as resolve
from schema.access import Rule, access
from schema.fields import Info
from schema.interfaces import Node


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The object with this id. Null if no object has this id, or if the viewer may not see it. Fails "
        "with `BAD_INPUT` for a malformed id, and with `UNAVAILABLE` if the object is temporarily unavailable.",
        metadata=access(Rule.ALL),
    )
    async def node(
        self: Any,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The id of the object, as in `Node.id`.")],
    ) -> Node | None:
        return (await resolve.by_ids(info.context, [id]))[0]  # type: ignore[return-value]

    @strawberry.field(
        description="The objects with these ids, in the order of the ids. An item is null if no object has its id, if "
        "the viewer may not see it, or if it is temporarily unavailable (see `extensions.degraded`). Fails with "
        "`BAD_INPUT` for more than 100 ids or a malformed id. The whole list is null only if `errors` has an error "
        "for it.",
        metadata=access(Rule.ALL),
    )
    async def nodes(
        self: Any,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="The ids of at most 100 objects, as in `Node.id`.")
        ],
    ) -> list[Node | None] | None:
        return await resolve.by_ids(info.context, ids)  # type: ignore[return-value]
