"""The field of Viewer that lists the users who have asked to follow the viewer."""

import strawberry

import resolvers.follows as resolve
from schema.access import Rule, access
from schema.fields import PAGE, listed
from schema.users import UserConnection


@strawberry.type
class Fields:
    follow_requests: UserConnection | None = listed(
        resolve.requests,
        description="The users who have asked to follow the viewer (the signed-in user), newest request first. Accept "
        "a request with `acceptFollow`, reject it with `rejectFollow`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
