"""Likes and dislikes: the four mutations."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.likes as resolve
from schema.fields import Info, given
from schema.interfaces import Reactable
from schema.payloads import UserError, user_errors
from store.reactions.likes import Verb


@strawberry.input(description="What to react to.")
class ReactInput:
    target_id: strawberry.ID = strawberry.field(description="The id of something reactable.")
    source: str | None = strawberry.field(default=UNSET, description="Where in your app it happened; for your logs.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET, description="Makes repeating safe for a day; one per intended change, at most 128 characters."
    )


@strawberry.type(description="The outcome of a reaction.")
class ReactPayload:
    subject: Reactable | None = strawberry.field(name="target", description="What was reacted to, as it is now.")
    user_errors: list[UserError] = user_errors()


async def _react(info: Info, verb: Verb, input: ReactInput) -> Any:
    return await resolve.react(info.context, verb, input.target_id, given(input.source), given(input.idempotency_key))


@strawberry.type
class LikeMutation:
    @strawberry.mutation(description="Likes something; a dislike is taken back. Liking twice changes nothing.")
    async def like(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.LIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Takes a like back.")
    async def unlike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Dislikes something, where its business has dislikes; a like is taken back.")
    async def dislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.DISLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Takes a dislike back.")
    async def undislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNDISLIKE, input)  # type: ignore[no-any-return]
