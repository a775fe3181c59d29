"""The GraphQL schema: types, inputs and payloads, thin and without logic. Resolvers answer with domain rows, which
these types read by attribute; no type here is ever instantiated.
"""

import strawberry
from strawberry.schema.config import StrawberryConfig

import resolvers.nodes as resolve
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
from schema.views_and_shares import RecordMutation


@strawberry.type(description="Reads. Root fields are nullable, so that one failure never hides its neighbours.")
class Query(UserQuery, EntityQuery, TopicQuery, ModerationQuery, PostQuery, LeaderboardQuery, LimitQuery):
    @strawberry.field(description="Anything by its id.")
    async def node(self, info: Info, id: strawberry.ID) -> Node | None:
        return (await resolve.by_ids(info.context, [id]))[0]  # type: ignore[return-value]

    @strawberry.field(description="Up to 100 things by their ids, in order.")
    async def nodes(self, info: Info, ids: list[strawberry.ID]) -> list[Node | None] | None:
        return await resolve.by_ids(info.context, ids)  # type: ignore[return-value]


@strawberry.type(description="Writes. What the caller can act on comes back in userErrors, and then nothing changed.")
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


@strawberry.type(description="News, over WebSocket or as a stream of events.")
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
