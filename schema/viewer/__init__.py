"""The type Viewer (the signed-in user), and the query `viewer`.

The modules of this package define the fields of Viewer, each in a class `Fields`. They do not import this module.
"""

from operator import attrgetter
from typing import Any

import strawberry

import resolvers.users as resolve
from models.users import ViewerRow
from schema.access import Rule, access
from schema.fields import Info, batched, row_type
from schema.interfaces import Node
from schema.parts import parts
from schema.users import User


@strawberry.type(description="The viewer: the signed-in user, with the private data that only this user can read.")
class Viewer(Node, *parts(__name__, "Fields")):  # type: ignore[misc]
    is_type_of = row_type(ViewerRow)

    user: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("user_id"),
        description="The viewer as a `User`: the public profile, which all callers can read. Null if the value is "
        "temporarily unavailable.",
        metadata=access(Rule.ALL),
    )


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The viewer: the signed-in user. Null if no user is signed in.",
        metadata=access(Rule.ALL, personal=True),
    )
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve.viewer(info.context)  # type: ignore[return-value]
