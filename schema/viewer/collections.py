"""The field of Viewer that lists the viewer's collections of saved objects."""

import strawberry

import resolvers.collections as resolve
from schema.access import Rule, access
from schema.collections import CollectionConnection
from schema.fields import PAGE, listed


@strawberry.type
class Fields:
    collections: CollectionConnection | None = listed(
        resolve.of_viewer,
        description="All collections of the viewer (the signed-in user), newest first. Null if the value is "
        "temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
