"""The mutation `setPostNotifications`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import bells as commands
from commands.targets import unless_missing
from domain.ids import UserId
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.users import User


@strawberry.input(description="The input of `setPostNotifications`.")
class SetPostNotificationsInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the author.")
    enabled: bool = strawberry.field(
        description="Whether the viewer wants notifications about new posts of the author."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setPostNotifications`.")
class SetPostNotificationsPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The author. Null if `userErrors` is not empty, if the author is hidden from the viewer, or if no "
        "user has this id. In the last case nothing is changed.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Switches notifications of the kind `NEW_POST` about one author on or off. They are off at first. "
        "The viewer (the signed-in user) gets them while following the author, also about posts that announce "
        "entities. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `INVALID` "
        "for the viewer, `FOLLOW_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def set_post_notifications(
        self: Any, info: Info, input: SetPostNotificationsInput
    ) -> SetPostNotificationsPayload | None:
        writing = commands.set_bell(info.context, input.user_id, input.enabled, given(input.idempotency_key))
        return await payload(writing if input.enabled else unless_missing(input.user_id, UserId, writing))
