"""The field of Viewer that lists users whom the viewer may want to follow."""

from typing import Annotated

import strawberry

import resolvers.suggestions as resolve
from schema.access import Rule, access
from schema.fields import listed
from schema.suggestions import SuggestedUser

_First = Annotated[
    int,
    strawberry.argument(
        description="The maximum number of users to return: 1 to 50. Any other number fails with `BAD_INPUT`."
    ),
]


@strawberry.type
class Fields:
    suggested_users: list[SuggestedUser] | None = listed(
        resolve.suggested,
        description="The users whom the viewer (the signed-in user) may want to follow, best first, at most 60 of "
        "them. Leaves out users whom the viewer follows, has asked to follow, blocks, mutes or has dismissed, and "
        "users who are hidden from the viewer. Workers compute the list after the first request, after each follow, "
        "and every few hours; until then the list is empty or older. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        first=(_First, 10),
    )
