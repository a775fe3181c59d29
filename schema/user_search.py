"""The queries that search for users."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.user_search as resolve
from schema.access import Rule, access
from schema.fields import After, First, Info, given
from schema.users import User, UserConnection

_ORDER = (
    "The friends of the viewer (the signed-in user) come first, then other users that the viewer follows, then the "
    "user with exactly this handle, then all others, those with the most followers first. Leaves out users who have "
    "chosen not to be found (`setDiscoverable`), and users that the viewer may not see."
)


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The users whose handle or display name matches the query: each word of the query is the "
        "beginning of a word in the handle or display name. In scripts without spaces, such as Chinese, a word of "
        "the query can be any part of the name. Case, accents and letters that look alike make no difference. If "
        f"fewer than ten users match, users with similar names follow, for typing errors. {_ORDER} The list has at "
        "most 200 users that the viewer follows and 200 others. `createdAt` of an edge is the time when the user was "
        "created. Fails with `BAD_INPUT` for a query of more than 100 characters. Null only if `errors` has an error "
        "for it.",
        metadata=access(Rule.ALL, personal=True),
    )
    async def search_users(
        self: Any,
        info: Info,
        query: Annotated[
            str,
            strawberry.argument(
                description="The words to search for, at most 100 characters. The five longest words count. Without a "
                "letter or digit, the list is empty."
            ),
        ],
        first: First = 20,
        after: After = UNSET,
    ) -> UserConnection | None:
        return await resolve.search(info.context, query, first, given(after))  # type: ignore[return-value]

    @strawberry.field(
        description="The users to suggest while somebody types a handle or a name. Finds users as `searchUsers` does, "
        f"but users with similar names only if no user matches. {_ORDER} Fails with `BAD_INPUT` for a prefix of more "
        "than 100 characters. Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL, personal=True),
    )
    async def suggest_handles(
        self: Any,
        info: Info,
        prefix: Annotated[
            str,
            strawberry.argument(
                description="What was typed so far, with or without `@`, at most 100 characters. Without a letter or "
                "digit, the list is empty."
            ),
        ],
        first: Annotated[
            int,
            strawberry.argument(
                description="The maximum number of users to return: 1 to 20. Any other number fails with `BAD_INPUT`."
            ),
        ] = 8,
    ) -> list[User] | None:
        return await resolve.suggest(info.context, prefix, first)  # type: ignore[return-value]
