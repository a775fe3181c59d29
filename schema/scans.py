"""The queries with which services read full lists of followers and likers."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.scans as resolve
from schema.access import Rule, access
from schema.fields import After, Info, given
from schema.users import UserConnection

_RULES = (
    "Also has users who are hidden from others by a suspension or a block. Read from rows: a change is in the list "
    "when it is stored, normally within a second. Requires a token with the scope `lists:read`. Fails with "
    "`UNAVAILABLE` while Postgres is down."
)
_First = Annotated[
    int,
    strawberry.argument(
        description="The maximum number of users to return: 1 to 1000. Any other number fails with `BAD_INPUT`."
    ),
]


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="All followers of a user, newest follow first, however many and also of a private account. Null if "
        "there is no such user. " + _RULES,
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    async def all_followers(
        self: Any,
        info: Info,
        user_id: Annotated[strawberry.ID, strawberry.argument(description="The id of the user.")],
        first: _First = 100,
        after: After = UNSET,
    ) -> UserConnection | None:
        return await resolve.followers(info.context, user_id, first, given(after))  # type: ignore[return-value]

    @strawberry.field(
        description="All users who like an object, newest like first, also of a post or comment that the viewer may "
        "not see. Null if there is no such object, or if it was deleted. " + _RULES,
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    async def all_likers(
        self: Any,
        info: Info,
        target_id: Annotated[strawberry.ID, strawberry.argument(description="The id of the post, comment or entity.")],
        first: _First = 100,
        after: After = UNSET,
    ) -> UserConnection | None:
        return await resolve.likers(info.context, target_id, first, given(after))  # type: ignore[return-value]
