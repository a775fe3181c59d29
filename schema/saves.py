"""The mutations `save` and `unsave`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import saves as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.reactable import Reactable


@strawberry.input(description="The input of `save`.")
class SaveInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    collection_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description="The id of a collection of the viewer. The object is saved into it, or moved into it if it is "
        "saved elsewhere. If you omit this field, an object that is saved already stays where it is, and any other "
        "object is saved into no collection. If it is null, the object is saved into no collection, or taken out of "
        "its collection.",
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `unsave`.")
class UnsaveInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `save` and `unsave`.")
class SavePayload:
    subject: Reactable | None = strawberry.field(
        name="target",
        description="The object after the change. Null if `userErrors` is not empty, or if `unsave` was called for an "
        "object that is deleted or hidden from the viewer.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Saves an object for the viewer (the signed-in user). Other users see only how many users have "
        "saved it, unless the collection is public. Saving an object into another collection, or into none, moves it. "
        "Saving it again into the same place succeeds and changes nothing. `TARGET_NOT_FOUND` at `collectionId` means "
        "that the viewer has no such collection. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND`, `TARGET_DELETED`, `BLOCKED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="saves"),
    )
    async def save(self: Any, info: Info, input: SaveInput) -> SavePayload | None:
        collection_id, key = given(input.collection_id), given(input.idempotency_key)
        keeps = input.collection_id is UNSET
        return await payload(commands.save(info.context, input.target_id, collection_id, key, keeps=keeps))

    @strawberry.mutation(
        description="Removes an object from what the viewer (the signed-in user) has saved, even if the object was "
        "deleted or is hidden from the viewer. Succeeds and changes nothing if it is not saved. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND` for an id that is not of a post, "
        "comment or registered entity, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="saves"),
    )
    async def unsave(self: Any, info: Info, input: UnsaveInput) -> SavePayload | None:
        return await payload(commands.unsave(info.context, input.target_id, given(input.idempotency_key)))
