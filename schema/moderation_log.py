"""The moderation log, which has an entry for each decision about a post, comment, user, entity or collection."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.grounds as resolve_grounds
import resolvers.moderation_log as resolve
from models.moderation_log import ModerationAction, ModerationRole
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import After, First, Info, batched, given, listed
from schema.grounds import Ground
from schema.interfaces import Node
from schema.users import User

describe_enum(
    ModerationAction,
    "The action that a line of the moderation log records.",
    HELD="The post or comment waits for review.",
    APPROVED="The post or comment was approved, or the owner may make the collection public again.",
    REJECTED="The post, comment, profile text or avatar was rejected, or the collection was made private.",
    DELETED="The comment was deleted by a user other than its author.",
    REPORTS_ACCEPTED="The open reports were accepted.",
    REPORTS_DISMISSED="The open reports were dismissed.",
    SUSPENDED="The user was suspended.",
    REINSTATED="A moderator ended the suspension of the user.",
    WARNED="The user was warned.",
    APPEAL_GRANTED="An appeal was granted. If the appeal was against a rejection, the post or comment is approved.",
    APPEAL_DENIED="An appeal was denied. If the appeal was against a rejection, the post or comment stays rejected.",
    SUSPENSION_ENDED="The suspension of the user reached its end.",
    TOPIC_HELD="A moderator unlisted the topic: only moderators find it in trends and lists of topics.",
    TOPIC_OPENED="A moderator listed the topic again.",
    LABELED="Labels were set on the post, comment or entity by a moderator, a rule or the external reviewer, or a "
    "moderator removed them.",
)
describe_enum(
    ModerationRole,
    "The role in which the action was done.",
    MODERATOR="A moderator.",
    OWNER="The owner of the post or entity that was commented on.",
    RULES="The rules about behaviour, or the word list.",
    REVIEWER="The external reviewer.",
    SYSTEM="Plaudit itself.",
)


@strawberry.type(description="A line of the moderation log: one decision.")
class ModerationLogEntry:
    created_at: datetime = strawberry.field(description="The time of the decision.")
    action: ModerationAction = strawberry.field(description="The action.")
    role: ModerationRole = strawberry.field(description="The role in which the action was done.")
    actor: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("actor_id"),
        description="The user who made the decision. Null for the rules, the external reviewer and Plaudit itself, or "
        "if the value is temporarily unavailable.",
    )
    target: Node | None = listed(
        resolve.targets,
        description="The post, comment, user, entity, topic or collection. Null for a deleted post or collection, or "
        "if the value is temporarily unavailable. A deleted comment has no content and no author.",
    )
    user: User | None = batched(
        lambda context: context.content.kept_users,
        key=attrgetter("user_id"),
        description="The author or owner of the target, or the user who is the target. Null for an entity without "
        "owner, or if the value is temporarily unavailable.",
    )
    before: str | None = strawberry.field(
        description="The state of the target before the decision, as JSON. Null for a new post or comment."
    )
    after: str | None = strawberry.field(
        description="The state of the target after the decision, as JSON. Null if the decision had no effect, because "
        "a later decision or a change of the text was stored before it."
    )
    reason: str | None = strawberry.field(description="The reason of the decision. Null without one.")
    ground: Ground | None = listed(
        resolve_grounds.of_rows,
        description="The ground that the decision names. Null if it names none, and if the operator has removed the "
        "ground.",
    )


@strawberry.type(description="A line in a page of the moderation log.")
class ModerationLogEdge(Edge[ModerationLogEntry]):
    pass


@strawberry.type(description="A page of the moderation log.")
class ModerationLogConnection(Connection[ModerationLogEntry, ModerationLogEdge]):
    pass


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The moderation log, newest first: decisions of moderators, of the external reviewer and of the "
        "rules, deletions by others than the author, and suspensions and their ends. Lines are never changed or "
        "removed. Requires any role in moderation, and a token without restriction to businesses. Null only if "
        "`errors` has an error for it.",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    async def moderation_log(
        self: Any,
        info: Info,
        target_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Lists only lines about this target.")
        ] = UNSET,
        user_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="Lists only lines about this user and the user's content."),
        ] = UNSET,
        actor_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Lists only lines about what this user did.")
        ] = UNSET,
        first: First = 20,
        after: After = UNSET,
    ) -> ModerationLogConnection | None:
        ids = given(target_id), given(user_id), given(actor_id)
        return await resolve.page(info.context, *ids, first, given(after))  # type: ignore[return-value]
