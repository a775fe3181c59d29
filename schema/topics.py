"""Topics: the type with its posts, lists of topics, queries that find topics, and the mutation of moderators."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.posts as resolve
import resolvers.topics as find
from commands import topic_states as commands
from models.topics import TopicRow, TopicState, TrendWindow
from resolvers.timelines import TimelineSort
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, After, First, Info, counted, given, listed, row_type
from schema.interfaces import Followable
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.scalars import Count

describe_enum(
    TimelineSort,
    "The order of a list of posts.",
    LATEST="Sorts by the time when the posts were published, newest first.",
    HOT="Sorts by likes, dislikes and age, best first. Ten likes raise a post as much as being about 12 hours newer, "
    "a hundred as much as 25 hours. Dislikes lower it.",
)


describe_enum(
    TopicState,
    "What moderators have decided about a topic.",
    OPEN="All users get the topic from `trendingTopics`, `topics` and `searchTopics`.",
    HELD="The topic is unlisted: only moderators get it from `trendingTopics`, `topics` and `searchTopics`. Its "
    "posts stay visible.",
)
describe_enum(
    TrendWindow,
    "The period whose posts a trend counts. The weight of a post halves with each quarter of the period.",
    HOUR="The last hour.",
    DAY="The last 24 hours.",
    WEEK="The last seven days.",
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
    state: TopicState | None = listed(
        find.states,
        description="What moderators have decided about this topic. Null unless the viewer has a role in moderation, "
        "or if the value is temporarily unavailable.",
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


@strawberry.type(description="A topic about which many authors write.")
class TrendingTopic:
    topic: Topic = strawberry.field(description="The topic.")
    author_count: int = strawberry.field(
        description="The number of authors of public posts with this topic in the window. New accounts of one network "
        "count as one author."
    )
    score: float = strawberry.field(
        description="The sum of the weights of the authors' newest posts. A post that is published now weighs 1. Its "
        "weight halves with each quarter of the window."
    )


@strawberry.input(description="The input of `setTopicState`.")
class SetTopicStateInput:
    name: str = strawberry.field(
        description="The name of the topic in any spelling, with or without a leading `#`. The topic need not have "
        "posts yet."
    )
    state: TopicState = strawberry.field(description="The state that the topic gets.")
    reason: str | None = strawberry.field(
        default=UNSET, description="The reason, at most 500 characters. The moderation log records it."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setTopicState`.")
class SetTopicStatePayload:
    subject: Topic | None = strawberry.field(name="topic", description="The topic. Null if `userErrors` is not empty.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Unlists a topic, or lists it again. Only moderators find an unlisted topic in `trendingTopics`, "
        "`topics` and `searchTopics`; its posts stay visible. Other callers see the effect within a second. The "
        "moderation log records each change. Succeeds and changes nothing if the topic has this state already. "
        "Requires the role `LEAD`. User errors: `TOPIC_INVALID`, `SUSPENDED`, `TEXT_TOO_LONG` and `TEXT_INVALID` for "
        "the reason, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def set_topic_state(self: Any, info: Info, input: SetTopicStateInput) -> SetTopicStatePayload | None:
        reason, key = given(input.reason), given(input.idempotency_key)
        return await payload(commands.set_state(info.context, input.name, input.state, reason, key))


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The topics about which the most authors write, highest score first. Each author counts once, with "
        "the newest post. All new accounts of one network count as one author. Posts of private accounts and of users "
        "with a `HIDDEN` or `SHADOW` suspension do not count. At most 500 topics trend. An operator sets the least "
        "number of authors of a topic. The list is up to a minute old, for `DAY` and `WEEK` up to five minutes. Only "
        "moderators get unlisted topics. Fails with `BAD_INPUT` for a language that no operator has set. "
        "Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def trending_topics(
        self: Any,
        info: Info,
        window: Annotated[
            TrendWindow, strawberry.argument(description="The period whose posts count.")
        ] = TrendWindow.DAY,
        language: Annotated[
            str | None,
            strawberry.argument(
                description="Lists only topics whose names are written in a script of this language, such as `zh`. An "
                "operator sets the languages. Omit it for the topics of all languages."
            ),
        ] = UNSET,
        first: First = 10,
    ) -> list[TrendingTopic] | None:
        return await find.trending(info.context, window, given(language), first)  # type: ignore[return-value]

    @strawberry.field(
        description="The topics whose names begin with a text, those with the most posts first, for suggestions while "
        "a user types. Lists only topics with public posts. The list is up to a minute old. Unlisted topics "
        "are listed for moderators only. Among very many topics that begin with one or two characters, those "
        "with the most posts are listed. Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def topics(
        self: Any,
        info: Info,
        prefix: Annotated[
            str,
            strawberry.argument(
                description="The beginning of a name in any spelling, with or without a leading `#`. The empty text "
                "lists the topics with the most posts. Fails with `BAD_INPUT` if it has more than 201 characters."
            ),
        ],
        first: Annotated[
            int,
            strawberry.argument(
                description="The maximum number of topics to return: 1 to 20. Any other number fails with `BAD_INPUT`."
            ),
        ] = 8,
    ) -> list[Topic] | None:
        return await find.beginning(info.context, prefix, first)  # type: ignore[return-value]

    @strawberry.field(
        description="The topics whose names match a text. The name that consists of the words of the text is first. "
        "Then come names that begin with the words, names that contain them, and similar names, for typing mistakes. "
        "Within each of these groups, topics with more posts are first. Lists only topics with public posts. Only "
        "moderators get unlisted topics. Fails with `BAD_INPUT` for a text without letters and digits. "
        "Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def search_topics(
        self: Any,
        info: Info,
        query: Annotated[
            str,
            strawberry.argument(
                description="The words to search for. Fails with `BAD_INPUT` if it has more than 200 characters. Words "
                "after the eighth are ignored."
            ),
        ],
        first: First = 20,
        after: After = UNSET,
    ) -> TopicConnection | None:
        return await find.search(info.context, query, first, given(after))  # type: ignore[return-value]

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
