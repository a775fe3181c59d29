"""The field of Viewer about the role in moderation."""

import strawberry

import resolvers.users as resolve
from identity.permissions import ModeratorRole
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import listed

describe_enum(
    ModeratorRole,
    "The role of a user in moderation. Each role may do everything that the roles before it may do.",
    AUDITOR="Reads the moderation log, and content, suspensions and topics as moderators see them. Changes nothing.",
    VIEWER="Also reads the moderation queue.",
    MODERATOR="Also takes cases, decides about content and reports, sets labels and deletes comments.",
    LEAD="Also warns, suspends and reinstates users, decides appeals, and unlists topics. Tokens with the scope "
    "`moderate` have this role.",
)


@strawberry.type
class Fields:
    moderation_role: ModeratorRole | None = listed(
        resolve.moderation_roles,
        description="The role of the viewer (the signed-in user) in moderation. The role comes from the claims of the "
        "token. Null if the token gives no role, and for a token that is restricted to businesses other than `post` "
        "and `comment`.",
        metadata=access(Rule.ALL),
    )
