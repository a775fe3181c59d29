"""The field of Viewer about the deletion of the account."""

from operator import attrgetter

import strawberry

from schema.access import Rule, access
from schema.deletions import AccountDeletion
from schema.fields import batched


@strawberry.type
class Fields:
    deletion: AccountDeletion | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("user_id"),
        value=lambda user: user and user.deleting,
        description="The deletion of the viewer's account. Null if nobody has asked for it, or if the value is "
        "temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
