"""Saved objects, and the paged lists of them."""

from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.collections as resolve_collections
from models.saves import SavedKind
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import PAGE, listed
from schema.reactable import Reactable

describe_enum(
    SavedKind,
    "A kind of saved object.",
    POST="Posts.",
    COMMENT="Comments.",
    ENTITY="Entities: objects of another system, such as videos.",
)


@strawberry.type(description="An object that a user has saved.")
class SavedItem:
    target: Reactable | None = strawberry.field(
        description="The saved post, comment or entity. Null if it was deleted or is hidden from the viewer."
    )
    target_id: strawberry.ID | None = strawberry.field(
        description="The id of the saved object, also if `target` is null. Pass it to `unsave`. Null if `target` is "
        "null and another user has saved the object, or if the operator has removed this kind of content."
    )
    saved_at: datetime = strawberry.field(
        description="The time when the object was saved, or moved into its collection."
    )
    collection: forward.Collection | None = listed(
        resolve_collections.of_items,
        description="The collection into which the viewer (the signed-in user) has saved the object. Null if it is in "
        "no collection, if another user has saved it, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )


@strawberry.type(description="An object in a list of saved objects.")
class SavedItemEdge(Edge[SavedItem]):
    pass


@strawberry.type(description="A page of a list of saved objects.")
class SavedItemConnection(Connection[SavedItem, SavedItemEdge]):
    pass


SAVED_PAGE: dict[str, Any] = {
    "kind": (
        Annotated[
            SavedKind | None,
            strawberry.argument(
                description="The kind of the objects to return. Omit it for all kinds. A cursor is valid for one kind "
                "only."
            ),
        ],
        UNSET,
    ),
    **PAGE,
}
"""The arguments of a paged list of saved objects."""
