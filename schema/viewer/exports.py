"""The field of Viewer with the last export of the viewer's account."""

import strawberry

import resolvers.exports as resolve
from schema.access import Rule, access
from schema.exports import Export
from schema.fields import listed


@strawberry.type
class Fields:
    export: Export | None = listed(
        resolve.of_viewer,
        description="The last export of the account of the viewer (the signed-in user), which the viewer or a service "
        "requested. Null if there is none, or if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
