"""Appeals, and the mutation with which an author appeals against a rejection."""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

from commands import appeals as commands
from domain.moderation.appeals import AppealStatus
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors

describe_enum(
    AppealStatus,
    "The state of an appeal.",
    OPEN="No moderator has decided yet.",
    GRANTED="A moderator decided that the decision was wrong. If the restriction could be lifted, it was lifted. If "
    "the appeal was about a dismissed report, the report was accepted.",
    DENIED="The appeal was denied.",
    MOOT="The post or comment was changed, approved or deleted before a moderator had decided.",
)


@strawberry.type(description="An appeal against a decision of moderation.")
class Appeal:
    text: str = strawberry.field(description="The explanation of the person who appeals.")
    created_at: datetime = strawberry.field(description="The time of the appeal.")
    status: AppealStatus = strawberry.field(description="The state of the appeal.")


@strawberry.input(description="The input of `appeal`.")
class AppealInput:
    target_id: strawberry.ID = strawberry.field(
        description="The id of the rejected post or comment, or of a `Statement` of the viewer."
    )
    text: str = strawberry.field(description="An explanation for the moderators, 1 to 1000 characters.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `appeal`.")
class AppealPayload:
    subject: Node | None = strawberry.field(
        name="target", description="The post, comment or statement. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Appeals against the rejection of a post or comment of the viewer (the signed-in user), or against "
        "the decision in a statement of reasons: a suspension, a warning, labels that a moderator, a rule or the "
        "external reviewer set, a collection that was made private, a deletion of a comment by another user, a "
        "rejected profile text or avatar, or the dismissal of a report of the viewer. The viewer can appeal once "
        "against each decision. If a post or comment is edited and rejected again, the viewer can appeal again. A "
        "moderator who did not make the decision decides about the appeal. The viewer gets a notification of the kind "
        "`MODERATION` with the outcome. A suspension does not prevent an appeal. Fails with `UNAUTHENTICATED` if no "
        "user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `ALREADY_APPEALED`, `TEXT_TOO_LONG`, "
        "`TEXT_INVALID`, `INVALID` if the text is empty, `IDEMPOTENCY_MISMATCH`; `NOT_ALLOWED` if the target is not "
        "rejected, if its content was removed long after the rejection, if there is nothing to appeal against, if the "
        "restriction was lifted or replaced, and after `Statement.appealUntil`.",
        metadata=access(Rule.TARGET, writes="reports"),
    )
    async def appeal(self: Any, info: Info, input: AppealInput) -> AppealPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.appeal(info.context, input.target_id, input.text, key))
