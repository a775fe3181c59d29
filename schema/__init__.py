"""The GraphQL schema: types, inputs and payloads, without logic.

Resolvers return rows of the domain, and the types read these rows by attribute. No type is ever instantiated.
"""

from typing import Annotated

import strawberry
from strawberry.schema.config import StrawberryConfig

import resolvers.nodes as resolve
from schema.actions import RecordMutation
from schema.changes import ChangeSubscription
from schema.comments import Comment, CommentMutation
from schema.entities import Entity, EntityMutation, EntityQuery
from schema.fields import Info
from schema.follows import FollowMutation
from schema.interfaces import Node
from schema.leaderboards import LeaderboardQuery
from schema.likes import LikeMutation
from schema.limits import LimitQuery
from schema.moderation import ModerationMutation, ModerationQuery
from schema.notifications import Notification, NotificationMutation, NotificationSubscription
from schema.planned import Executor, plans_of
from schema.posts import Post, PostMutation, PostQuery
from schema.scalars import SCALARS
from schema.topics import Topic, TopicQuery
from schema.users import User, UserMutation, UserQuery, Viewer


@strawberry.type(
    description="The root of all queries. Root fields are nullable, so that one failed field does not discard the "
    "others. A part of an answer that is temporarily unavailable is null, and `extensions.degraded` lists it. A root "
    "field of which nothing can be answered fails with `UNAVAILABLE`."
)
class Query(UserQuery, EntityQuery, TopicQuery, ModerationQuery, PostQuery, LeaderboardQuery, LimitQuery):
    @strawberry.field(
        description="The object with this id. Null if no object has this id or the viewer may not see it. Fails with "
        "`BAD_INPUT` for a malformed id."
    )
    async def node(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The id of the object.")]
    ) -> Node | None:
        return (await resolve.by_ids(info.context, [id]))[0]  # type: ignore[return-value]

    @strawberry.field(
        description="The objects with these ids, in the order of the ids. An item is null if no object has its id or "
        "the viewer may not see it. Fails with `BAD_INPUT` for more than 100 ids or a malformed id."
    )
    async def nodes(
        self,
        info: Info,
        ids: Annotated[list[strawberry.ID], strawberry.argument(description="The ids of at most 100 objects.")],
    ) -> list[Node | None] | None:
        return await resolve.by_ids(info.context, ids)  # type: ignore[return-value]


@strawberry.type(
    description="The root of all mutations. If the caller can correct the input, the mutation changes nothing "
    "and `userErrors` says why. All other failures are GraphQL errors with `extensions.code`."
)
class Mutation(
    LikeMutation,
    FollowMutation,
    PostMutation,
    ModerationMutation,
    CommentMutation,
    RecordMutation,
    NotificationMutation,
    UserMutation,
    EntityMutation,
):
    pass


@strawberry.type(
    description="The root of all subscriptions. They run over WebSocket (`graphql-transport-ws`) or as "
    "server-sent events."
)
class Subscription(ChangeSubscription, NotificationSubscription):
    pass


schema = strawberry.Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[Comment, Entity, Notification, Post, Topic, User, Viewer],
    config=StrawberryConfig(scalar_map=SCALARS),
    execution_context_class=Executor,
)
Executor.plans = plans_of(schema)
