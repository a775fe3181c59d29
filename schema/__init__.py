"""The GraphQL schema: types, inputs and payloads, without logic.

Resolvers return rows (models/). Each field of an output type reads an attribute of a row, or has a resolver. So the
classes of output types are never instantiated.
"""

from typing import Annotated

import strawberry
from strawberry.schema.config import StrawberryConfig

import resolvers.nodes as resolve
from dependencies.strawberry import Schema
from schema.actions import RecordMutation
from schema.appeals import AppealMutation
from schema.boundaries import BoundaryMutation
from schema.changes import ChangeSubscription
from schema.collections import Collection, CollectionMutation
from schema.comment_policies import CommentPolicyMutation
from schema.comments import Comment, CommentMutation
from schema.entities import Entity, EntityMutation, EntityQuery
from schema.fields import Info
from schema.follows import FollowMutation
from schema.interfaces import Node
from schema.leaderboards import LeaderboardQuery
from schema.likes import LikeMutation
from schema.limits import LimitQuery
from schema.moderation import ModerationMutation
from schema.moderation_log import ModerationLogQuery
from schema.moderation_queue import ModerationQueueMutation, ModerationQueueQuery
from schema.muted_threads import MuteThreadMutation
from schema.notifications import Notification, NotificationMutation, NotificationSubscription
from schema.pinned_comments import PinnedCommentMutation
from schema.pinned_posts import PinnedPostMutation
from schema.planned import Executor, plans_of
from schema.posts import Post, PostMutation, PostQuery
from schema.prices import set_prices
from schema.profiles import ProfileMutation
from schema.reports import ReportMutation
from schema.saves import SaveMutation
from schema.scalars import SCALARS
from schema.scans import ScanQuery
from schema.suspensions import SuspensionMutation
from schema.topics import Topic, TopicQuery
from schema.upserts import UpsertMutation
from schema.users import User, UserQuery, Viewer


@strawberry.type(
    description="The root of all queries. A field of `Query` that fails is null, `errors` says why, and the other "
    "fields keep their values. A value further down that is temporarily unavailable is null without an error, and "
    "`extensions.degraded` lists it. A request with a field that its token may not use is refused as a whole with "
    "`FORBIDDEN`."
)
class Query(
    UserQuery,
    EntityQuery,
    TopicQuery,
    ModerationQueueQuery,
    ModerationLogQuery,
    PostQuery,
    LeaderboardQuery,
    LimitQuery,
    ScanQuery,
):
    @strawberry.field(
        description="The object with this id. Null if no object has this id, or if the viewer may not see it. Fails "
        "with `BAD_INPUT` for a malformed id, and with `UNAVAILABLE` if the object is temporarily unavailable."
    )
    async def node(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The id of the object, as in `Node.id`.")],
    ) -> Node | None:
        return (await resolve.by_ids(info.context, [id]))[0]  # type: ignore[return-value]

    @strawberry.field(
        description="The objects with these ids, in the order of the ids. An item is null if no object has its id, if "
        "the viewer may not see it, or if it is temporarily unavailable (see `extensions.degraded`). Fails with "
        "`BAD_INPUT` for more than 100 ids or a malformed id. The whole list is null only if `errors` has an error "
        "for it."
    )
    async def nodes(
        self,
        info: Info,
        ids: Annotated[
            list[strawberry.ID], strawberry.argument(description="The ids of at most 100 objects, as in `Node.id`.")
        ],
    ) -> list[Node | None] | None:
        return await resolve.by_ids(info.context, ids)  # type: ignore[return-value]


@strawberry.type(
    description="The root of all mutations. If the caller can correct the input, the mutation changes nothing, and "
    "`userErrors` of the payload says why (`upsertUsers` refuses items one by one). In all other failures the payload "
    "is null, and `errors` has an error with `extensions.code`. A token that is restricted to some kinds of content "
    "gets `FORBIDDEN` for an object of another kind."
)
class Mutation(
    LikeMutation,
    FollowMutation,
    BoundaryMutation,
    MuteThreadMutation,
    CommentPolicyMutation,
    PinnedCommentMutation,
    PinnedPostMutation,
    SaveMutation,
    CollectionMutation,
    PostMutation,
    ModerationMutation,
    ModerationQueueMutation,
    ReportMutation,
    AppealMutation,
    SuspensionMutation,
    CommentMutation,
    RecordMutation,
    NotificationMutation,
    ProfileMutation,
    UpsertMutation,
    EntityMutation,
):
    pass


@strawberry.type(
    description="The root of all subscriptions. They run over WebSocket (`graphql-transport-ws`) or as "
    "server-sent events."
)
class Subscription(ChangeSubscription, NotificationSubscription):
    pass


schema = Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[Collection, Comment, Entity, Notification, Post, Topic, User, Viewer],
    config=StrawberryConfig(scalar_map=SCALARS),
    execution_context_class=Executor,
)
set_prices(schema.graphql_core)
Executor.plans = plans_of(schema)
