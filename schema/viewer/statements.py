"""The field of Viewer that lists statements of reasons."""

import strawberry

import resolvers.statements as resolve
from schema import forward
from schema.access import Rule, access
from schema.fields import PAGE, listed


@strawberry.type
class Fields:
    statements: forward.StatementConnection | None = listed(
        resolve.of_viewer,
        description="The statements of reasons for the viewer (the signed-in user), newest first: restrictions of the "
        "viewer's content and account, and the outcomes of the viewer's reports. Statements stay when a restriction "
        "has ended. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
        **PAGE,
    )
