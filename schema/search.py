"""The queries `searchPosts`, `searchComments` and `searchEntities`."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.search as resolve
from resolvers.search import SearchSort
from schema import forward
from schema.access import Rule, access
from schema.entities import EntityConnection
from schema.enums import describe_enum
from schema.fields import After, BusinessName, First, Info, given

describe_enum(
    SearchSort,
    "The order of what a search finds.",
    BEST="Sorts by how well the text matches, by age and, for posts, by likes and dislikes, best first. If there are "
    "more than 1000 matches, lists only the newest 1000. If nothing matches, corrects words with one wrong letter.",
    NEWEST="Sorts by the time when the posts or comments were published, newest first.",
)
SearchQuery = Annotated[
    str,
    strawberry.argument(
        description="What to search for: words, which must all be in the text; phrases in quotation marks; and the "
        "filters `from:handle`, `topic:name`, `before:2026-01-31`, `after:2026-01-01` (days in UTC; `after:` includes "
        "the day) and `has:image`. At most 200 characters, and at most 10 words, phrases and filters together. Case "
        "and accents do not matter. Fails with `BAD_INPUT` for an empty query, a longer query, and a filter with an "
        "invalid value."
    ),
]
Sort = Annotated[
    SearchSort, strawberry.argument(description="The order. A cursor is valid for one query and one order only.")
]
_NULL = "Null only if `errors` has an error for it."


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The approved posts whose texts or descriptions of images match a query. The viewer (the signed-in "
        f"user) finds own posts at once. Other users find them about a second later. {_NULL}",
        metadata=access(Rule.ALL),
    )
    async def search_posts(
        self: Any,
        info: Info,
        query: SearchQuery,
        sort: Sort = SearchSort.BEST,
        first: First = 20,
        after: After = UNSET,
    ) -> forward.PostConnection | None:
        return await resolve.posts(info.context, query, sort, first, given(after))

    @strawberry.field(
        description="The approved comments and replies on a post or an entity that match a query. The viewer (the "
        "signed-in user) finds own comments at once. Null if there is no such post or entity, if the viewer may not "
        "see it, or if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def search_comments(
        self: Any,
        info: Info,
        subject_id: Annotated[
            strawberry.ID,
            strawberry.argument(
                name="subjectId", description="The id of the post or entity. Fails with `BAD_INPUT` for a malformed id."
            ),
        ],
        query: SearchQuery,
        sort: Sort = SearchSort.BEST,
        first: First = 20,
        after: After = UNSET,
    ) -> forward.CommentConnection | None:
        return await resolve.comments(info.context, subject_id, query, sort, first, given(after))

    @strawberry.field(
        description="The entities of a business (a kind of content) whose titles match a query, best first. `from:` "
        f"finds entities of an owner. Fails with `BAD_INPUT` for an unknown business. {_NULL}",
        metadata=access(Rule.ALL),
    )
    async def search_entities(
        self: Any,
        info: Info,
        business: BusinessName,
        query: SearchQuery,
        first: First = 20,
        after: After = UNSET,
    ) -> EntityConnection | None:
        return await resolve.entities(info.context, business, query, first, given(after))  # type: ignore[return-value]
