"""Suspensions of users, and the mutations with which moderators suspend and reinstate users."""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

from commands import suspensions as commands
from models.users import SuspensionMode
from schema import forward
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.grounds import GROUND
from schema.payloads import UserError, payload, user_errors

describe_enum(
    SuspensionMode,
    "How much a suspension restricts a user.",
    READ_ONLY="The user cannot publish, edit, comment, react, follow, or change the profile. The profile and the "
    "content stay visible.",
    HIDDEN="As `READ_ONLY`. In addition, the profile and the content are hidden from all but the user and moderators.",
    SHADOW="The profile and the content are hidden from all but the user and moderators. The user can still write, and "
    "cannot see the suspension.",
)


@strawberry.type(description="A suspension that is in force.")
class Suspension:
    mode: SuspensionMode = strawberry.field(description="How much the suspension restricts the user.")
    until: datetime | None = strawberry.field(description="The time when the suspension ends. Null if it has no end.")
    reason: str = strawberry.field(description="The reason that the moderator gave.")


@strawberry.input(description="The input of `suspendUser`.")
class SuspendUserInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user to suspend.")
    mode: SuspensionMode = strawberry.field(description="How much the suspension restricts the user.")
    until: datetime | None = strawberry.field(
        default=UNSET,
        description="The time when the suspension ends, in the future. Omit it for a suspension without an end.",
    )
    reason: str = strawberry.field(
        description="The reason for the suspension, 1 to 500 characters. The user can read it, unless the mode is "
        "`SHADOW`."
    )
    ground: str | None = strawberry.field(
        default=UNSET,
        description=f"{GROUND} The mode `SHADOW` requires the ground for deceptive commercial content, because the "
        "user is not told about the suspension.",
    )


@strawberry.input(description="The input of `reinstateUser`.")
class ReinstateUserInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user to reinstate.")


@strawberry.type(description="The result of `suspendUser` and `reinstateUser`.")
class SuspensionPayload:
    subject: forward.User | None = strawberry.field(
        name="user", description="The user after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Suspends a user, and replaces an earlier suspension of the user. Other callers see the effect "
        "within a second. Requires the role `LEAD`. Fails with `BAD_INPUT` if `until` is not in the future. User "
        "errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED` for the viewer, `SUSPENDED`, `TEXT_TOO_LONG` and `TEXT_INVALID` for "
        "the reason, and `INVALID` if the reason is empty, if the ground is unknown, and for `SHADOW` without a ground "
        "for deceptive commercial content.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def suspend_user(self: Any, info: Info, input: SuspendUserInput) -> SuspensionPayload | None:
        until = given(input.until)
        return await payload(
            commands.suspend(info.context, input.user_id, input.mode, until, input.reason, given(input.ground))
        )

    @strawberry.mutation(
        description="Ends the suspension of a user: the user can write again, and the content that the suspension hid "
        "is visible again. Succeeds and changes nothing if the user is not suspended. Requires the role `LEAD`. User "
        "errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED` for the viewer, `SUSPENDED`.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def reinstate_user(self: Any, info: Info, input: ReinstateUserInput) -> SuspensionPayload | None:
        return await payload(commands.reinstate(info.context, input.user_id))
