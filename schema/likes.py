"""The mutations `like`, `unlike`, `dislike` and `undislike`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import likes as commands
from commands.targets import unless_missing
from domain.ids import CommentId, PostId
from models.likes import Reaction, Verb
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.reactable import Reactable

SOURCE = (
    "The place in your app where the user reacted, such as `feed`, 1 to 64 characters. It is stored with the reaction "
    "for analysis by the operator, and is not returned by this API."
)


@strawberry.input(description="The input of `like`, `unlike`, `dislike` and `undislike`.")
class ReactInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of mutations that change a reaction.")
class ReactPayload:
    subject: Reactable | None = strawberry.field(
        name="target",
        description="The object after the change. Null if `userErrors` is not empty. After the removal of a reaction, "
        "also null if the viewer may not see the object, or if the post or comment does not exist.",
    )
    user_errors: list[UserError] = user_errors()


async def _react(info: Info, verb: Verb, input: ReactInput) -> Any:
    source, key = given(input.source), given(input.idempotency_key)
    writing = commands.react(info.context, verb, input.target_id, source, key)
    if verb.to is Reaction.NONE:
        writing = unless_missing(input.target_id, PostId | CommentId, writing)
    return await payload(writing)


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Likes an object as the viewer (the signed-in user), and removes the viewer's dislike of it, or "
        "any other reaction if the operator of this deployment allows one kind of reaction per user and object. "
        "Liking an object again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. "
        "User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `BLOCKED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def like(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.LIKE, input)

    @strawberry.mutation(
        description="Removes the like that the viewer (the signed-in user) has given to an object, and other reactions "
        "of the viewer that count as a like, even if the author of the object is hidden from the viewer. Succeeds and "
        "changes nothing if there is no like. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND`, `TARGET_DELETED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def unlike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNLIKE, input)

    @strawberry.mutation(
        description="Dislikes an object as the viewer (the signed-in user), and removes the viewer's like of it, or "
        "any other reaction if the operator of this deployment allows one kind of reaction per user and object. "
        "Disliking an object again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed "
        "in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `DISLIKE_DISABLED`, `BLOCKED`, `SUSPENDED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def dislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.DISLIKE, input)

    @strawberry.mutation(
        description="Removes the dislike that the viewer (the signed-in user) has given to an object, even if the "
        "author of the object is hidden from the viewer. Succeeds and changes nothing if there is no dislike. Fails "
        "with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def undislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNDISLIKE, input)
