"""The field of Viewer that tells whether searches find the viewer."""

import strawberry

import resolvers.discoverable as resolve
from schema.access import Rule, access
from schema.fields import listed


@strawberry.type
class Fields:
    is_discoverable: bool | None = listed(
        resolve.is_discoverable,
        description="Whether searches find the viewer (the signed-in user) and the viewer's posts and comments. Change "
        "it with `setDiscoverable`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
