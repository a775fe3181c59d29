"""The field of Viewer about the language."""

from operator import attrgetter

import strawberry

from schema.access import Rule, access
from schema.fields import batched


@strawberry.type
class Fields:
    language: str | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("user_id"),
        value=lambda user: user and user.language,
        description="The language that the viewer (the signed-in user) has chosen with `setLanguage`, or that a "
        "service has set with `upsertUsers`, as a tag of BCP 47. Null without a choice, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT),
    )
