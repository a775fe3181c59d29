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
    BEST="Sorts by how well the text matches, by age and, for posts, by likes and dislikes, best first. Of more than "
    "1000 matches, only the newest 1000 are listed. If nothing matches, words are found that differ in one letter.",
    NEWEST="Sorts by the time when the posts or comments were published, newest first.",
)
SearchQuery = Annotated[
    str,
    strawberry.argument(
        description="What to search for: words, which must all be in the text; phrases in quotation marks; and the "
        "filters `from:handle`, `topic:name`, `before:2026-01-31`, `after:2026-01-01` (days in UTC; `after:` includes "
        "the day) and `has:image`. At most 200 characters, and 10 words, phrases and filters. Case and accents do not "
        "matter. Fails with `BAD_INPUT` for an empty or longer query, and for a filter with an invalid value."
    ),
]
Sort = Annotated[
    SearchSort, strawberry.argument(description="The order. A cursor is valid for one query and one order only.")
]
_NULL = "Null only if `errors` has an error for it."


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The approved posts that match a query: their texts, and the descriptions of their images. Posts "
        "that others have published are found about a second later, and posts of the viewer (the signed-in user) at "
        f"once. {_NULL}",
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
        description="The approved comments and replies on a post or an entity that match a query. Comments of the "
        "viewer (the signed-in user) are found at once. Null if there is no such post or entity, if the viewer may not "
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
