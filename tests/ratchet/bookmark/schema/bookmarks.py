"""The mutations `bookmark` and `unbookmark`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import bookmarks as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.reactable import Reactable


@strawberry.input(description="The input of `bookmark` and `unbookmark`.")
class BookmarkInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `bookmark` and `unbookmark`.")
class BookmarkPayload:
    subject: Reactable | None = strawberry.field(name="target", description="The object after the change.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Bookmarks an object for the viewer.", metadata=access(Rule.TARGET, writes="saves")
    )
    async def bookmark(self: Any, info: Info, input: BookmarkInput) -> BookmarkPayload | None:
        target, key = input.target_id, given(input.idempotency_key)
        return await payload(commands.bookmark(info.context, target, key, stands=True))  # type: ignore[no-any-return]

    @strawberry.mutation(description="Removes a bookmark.", metadata=access(Rule.TARGET, writes="saves"))
    async def unbookmark(self: Any, info: Info, input: BookmarkInput) -> BookmarkPayload | None:
        target, key = input.target_id, given(input.idempotency_key)
        return await payload(commands.bookmark(info.context, target, key, stands=False))  # type: ignore[no-any-return]
