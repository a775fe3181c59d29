"""Likes and dislikes: the four mutations."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.likes as resolve
from schema.fields import Info, given
from schema.interfaces import Reactable
from schema.payloads import UserError, user_errors
from store.reactions.likes import Verb


@strawberry.input(description="The input of `like`, `unlike`, `dislike` and `undislike`.")
class ReactInput:
    target_id: strawberry.ID = strawberry.field(description="The id of a post, a comment or an entity.")
    source: str | None = strawberry.field(
        default=UNSET,
        description="The place in your app where the user reacted, such as `feed`. It is stored in the log of likes "
        "for your own analysis. 1 to 64 characters.",
    )
    idempotency_key: str | None = strawberry.field(
        default=UNSET,
        description="A key that you choose for this change, at most 128 characters. A request that repeats the key "
        "and the input within 24 hours gets the same result, and the change is not made twice.",
    )


@strawberry.type(description="The result of `like`, `unlike`, `dislike` and `undislike`.")
class ReactPayload:
    subject: Reactable | None = strawberry.field(
        name="target", description="The object, after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


async def _react(info: Info, verb: Verb, input: ReactInput) -> Any:
    return await resolve.react(info.context, verb, input.target_id, given(input.source), given(input.idempotency_key))


@strawberry.type
class LikeMutation:
    @strawberry.mutation(
        description="Likes an object, and removes the viewer's dislike of it. Liking an object again succeeds and "
        "changes nothing. Requires a signed-in user. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`IDEMPOTENCY_MISMATCH`."
    )
    async def like(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.LIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(
        description="Removes the viewer's like of an object. Succeeds and changes nothing if there is no like. "
        "Requires a signed-in user. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`IDEMPOTENCY_MISMATCH`."
    )
    async def unlike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(
        description="Dislikes an object, and removes the viewer's like of it. Disliking an object again succeeds and "
        "changes nothing. Requires a signed-in user. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`DISLIKE_DISABLED`, `IDEMPOTENCY_MISMATCH`."
    )
    async def dislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.DISLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(
        description="Removes the viewer's dislike of an object. Succeeds and changes nothing if there is no dislike. "
        "Requires a signed-in user. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`IDEMPOTENCY_MISMATCH`."
    )
    async def undislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNDISLIKE, input)  # type: ignore[no-any-return]
