"""Topics: what posts are about."""

from typing import Any

import strawberry

import resolvers.posts as resolve
from models.topics import TopicRow
from resolvers.timelines import TimelineSort
from schema import forward
from schema.enums import describe_enum
from schema.fields import PAGE, Info, counted, listed, row_type
from schema.interfaces import Node
from schema.scalars import Count

describe_enum(
    TimelineSort,
    "What posts are ordered by: when they were published, or votes and age.",
    LATEST="The newest first.",
    HOT="By votes and age: ten likes are worth half a day.",
)


@strawberry.type(description="What posts are about.")
class Topic(Node):
    is_type_of = row_type(TopicRow)

    name: str = strawberry.field(description="Lower case, without #.")
    post_count: Count | None = counted("posts", "How many posts everybody may see under it.")
    posts: forward.PostConnection | None = listed(
        resolve.by_topics,
        description="What is said about it.",
        sort=(TimelineSort, TimelineSort.LATEST),
        **PAGE,
    )


@strawberry.type
class TopicQuery:
    @strawberry.field(description="A topic by name; null when nobody has written about it.")
    async def topic(self: Any, info: Info, name: str) -> Topic | None:
        return await resolve.topic(info.context, name)  # type: ignore[return-value]
