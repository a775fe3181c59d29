"""Collections, which are named groups of saved objects: the type, and the mutations that create, change and delete
them.
"""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.saves as resolve_saves
from commands import collections as commands
from models.collections import CollectionRow
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.fields import Info, batched, given, listed, row_type
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, WHILE_KNOWN, UserError, key_description, payload, user_errors
from schema.saved_items import SAVED_PAGE, SavedItemConnection


@strawberry.type(description="A named group of what a user has saved.")
class Collection(Node):
    is_type_of = row_type(CollectionRow)

    name: str = strawberry.field(description="The name of this collection, 1 to 100 characters.")
    is_public: bool = strawberry.field(description="Whether other users may see this collection.")
    created_at: datetime = strawberry.field(description="The time when this collection was created.")
    owner: forward.User | None = batched(
        lambda context: context.content.users,
        key=lambda row: row.owner_id,
        description="The user whose collection this is. Null if the value is temporarily unavailable.",
    )
    items: SavedItemConnection | None = listed(
        resolve_saves.in_collections,
        description="What was saved into this collection, newest save first. Objects that were deleted or are hidden "
        "from the viewer keep their places without content. Null if the value is temporarily unavailable.",
        **SAVED_PAGE,
    )


@strawberry.type(description="A collection in a list of collections.")
class CollectionEdge(Edge[Collection]):
    pass


@strawberry.type(description="A page of a list of collections.")
class CollectionConnection(Connection[Collection, CollectionEdge]):
    pass


@strawberry.input(description="The input of `createCollection`.")
class CreateCollectionInput:
    name: str = strawberry.field(description="The name of the collection, 1 to 100 characters.")
    is_public: bool = strawberry.field(default=False, description="Whether other users may see the collection.")
    idempotency_key: str = strawberry.field(
        description=key_description("collection", f"{WHILE_KNOWN}, the collection is not created twice")
    )


@strawberry.input(description="The input of `updateCollection`. A field that is omitted or null keeps its value.")
class UpdateCollectionInput:
    collection_id: strawberry.ID = strawberry.field(description="The id of a collection of the viewer.")
    name: str | None = strawberry.field(default=UNSET, description="The new name, 1 to 100 characters.")
    is_public: bool | None = strawberry.field(default=UNSET, description="Whether other users may see the collection.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `deleteCollection`.")
class DeleteCollectionInput:
    collection_id: strawberry.ID = strawberry.field(description="The id of a collection of the viewer.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `createCollection` and `updateCollection`.")
class CollectionPayload:
    subject: Collection | None = strawberry.field(
        name="collection", description="The collection after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `deleteCollection`.")
class DeleteCollectionPayload:
    subject: strawberry.ID | None = strawberry.field(
        name="deletedId", description="The id of the deleted collection. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Creates a collection of the viewer (the signed-in user). Fails with `UNAUTHENTICATED` if no user "
        "is signed in. User errors: `TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `TEXT_NOT_ALLOWED` (for a "
        "public collection), `COLLECTION_LIMIT_REACHED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if "
        "the idempotency key belongs to a collection that was deleted since.",
        metadata=access(Rule.ACCOUNT, writes="saves"),
    )
    async def create_collection(self: Any, info: Info, input: CreateCollectionInput) -> CollectionPayload | None:
        return await payload(commands.create(info.context, input.name, input.is_public, input.idempotency_key))

    @strawberry.mutation(
        description="Changes a collection of the viewer (the signed-in user). Fails with `UNAUTHENTICATED` if no user "
        "is signed in. User errors: `TARGET_NOT_FOUND`, `TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, "
        "`TEXT_NOT_ALLOWED` (for a public collection), `NOT_ALLOWED` if a moderator has made the collection private "
        "and it is to be public, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if the idempotency key was "
        "used before for a collection that was deleted since.",
        metadata=access(Rule.ACCOUNT, writes="saves"),
    )
    async def update_collection(self: Any, info: Info, input: UpdateCollectionInput) -> CollectionPayload | None:
        changes = given(input.name), given(input.is_public), given(input.idempotency_key)
        return await payload(commands.update(info.context, input.collection_id, *changes))

    @strawberry.mutation(
        description="Deletes a collection of the viewer (the signed-in user). It disappears at once. What is saved in "
        "it is removed from the viewer's saves in the following seconds or, for many thousands of objects, minutes. "
        "Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="saves"),
    )
    async def delete_collection(self: Any, info: Info, input: DeleteCollectionInput) -> DeleteCollectionPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.delete(info.context, input.collection_id, key))
