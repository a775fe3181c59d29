"""Topics: the type with its list of posts, lists of topics, and the query for a topic by name."""

from typing import Annotated, Any

import strawberry

import resolvers.posts as resolve
from models.topics import TopicRow
from resolvers.timelines import TimelineSort
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, Info, counted, listed, row_type
from schema.interfaces import Followable
from schema.scalars import Count

describe_enum(
    TimelineSort,
    "The order of a list of posts.",
    LATEST="Sorts by the time when the posts were published, newest first.",
    HOT="Sorts by likes, dislikes and age, best first. Ten likes raise a post as much as being about 12 hours newer, "
    "a hundred as much as 25 hours. Dislikes lower it.",
)


@strawberry.type(description="A topic: a word under which posts are listed.")
class Topic(Followable):
    is_type_of = row_type(TopicRow)

    name: str = strawberry.field(
        description="The name of this topic, in lower case and without `#`. It has the spelling of the first approved "
        "post of the topic, such as `straße`, even if other posts use `STRASSE`."
    )
    post_count: Count | None = counted(
        "posts",
        "The number of approved posts with this topic. It leaves out posts of private accounts, and of users with a "
        "`HIDDEN` or `SHADOW` suspension. The number is the same for all viewers. It changes within seconds after an "
        "account becomes private or public, or a suspension begins or ends; for an account with thousands of posts, it "
        "takes longer. Null if the value is temporarily unavailable.",
    )
    posts: forward.PostConnection | None = listed(
        resolve.by_topics,
        description="The approved posts with this topic. The list also has posts that the viewer published in the "
        "last few seconds, even if they are not approved yet. Null if the value is temporarily unavailable.",
        sort=(
            Annotated[
                TimelineSort,
                strawberry.argument(description="The order of the posts. A cursor is valid for one order only."),
            ],
            TimelineSort.LATEST,
        ),
        **PAGE,
    )


@strawberry.type(description="A topic in a list of topics.")
class TopicEdge(Edge[Topic]):
    pass


@strawberry.type(description="A page of a list of topics.")
class TopicConnection(Connection[Topic, TopicEdge]):
    pass


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The topic with this name. Null if no post has this topic, or if the viewer may see none of its "
        "newest 100 posts. A name has 1 to 50 letters, digits, `_` and `-`. Single apostrophes, middle dots and "
        "hyphens may stand between letters. Fails with `BAD_INPUT` for any other name, and with `UNAVAILABLE` if the "
        "topic is temporarily unavailable.",
        metadata=access(Rule.ALL),
    )
    async def topic(
        self: Any,
        info: Info,
        name: Annotated[
            str,
            strawberry.argument(description="The name of the topic in any spelling, with or without a leading `#`."),
        ],
    ) -> Topic | None:
        return await resolve.topic(info.context, name)  # type: ignore[return-value]
