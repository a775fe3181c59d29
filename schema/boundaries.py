"""The mutations that block and mute users and remove followers."""

from collections.abc import Awaitable
from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.users as resolve_users
from commands import boundaries as commands
from commands.targets import unless_missing
from domain.ids import UserId
from models.users import UserRow
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.users import User
from schema.viewer import Viewer


@strawberry.input(description="The input of the mutations that block, unblock or unmute a user, or remove a follower.")
class BoundaryInput:
    user_id: strawberry.ID = strawberry.field(
        description="The id of the user to block, unblock or unmute, or to remove from the followers."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `mute`.")
class MuteInput:
    user_id: strawberry.ID = strawberry.field(description="The id of the user to mute.")
    until: datetime | None = strawberry.field(
        default=UNSET, description="The time when the mute ends, in the future. Omit it for a mute without an end."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `block`, `unblock`, `mute`, `unmute` and `removeFollower`.")
class BoundaryPayload:
    subject: User | None = strawberry.field(
        name="user",
        description="The other user, after the change. Null if `userErrors` is not empty, if the user is hidden from "
        "the viewer, or if no user has this id. In the last case nothing is changed.",
    )
    user_errors: list[UserError] = user_errors()

    @strawberry.field(
        description="The viewer (the signed-in user) after the change. Also set if `userErrors` is not empty."
    )
    def viewer(self: Any, info: Info) -> Viewer | None:
        return resolve_users.viewer(info.context)  # type: ignore[return-value]


async def _payload(user_id: str, writing: Awaitable[UserRow | None]) -> Any:
    return await payload(unless_missing(user_id, UserId, writing))


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) block a user. Ends the follows between the two in both "
        "directions. While the block is active, the two cannot follow each other, react to or comment on each other's "
        "content, or notify each other, and they do not see each other's profile, posts and comments. Other users see "
        "the same content, and counts of comments and reactions do not change. Blocking a user again succeeds and "
        "changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`CANNOT_BLOCK_SELF`, `BLOCK_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def block(self: Any, info: Info, input: BoundaryInput) -> BoundaryPayload | None:
        key = given(input.idempotency_key)
        return await _payload(input.user_id, commands.block(info.context, True, input.user_id, key))

    @strawberry.mutation(
        description="Ends the viewer's block of a user. Follows that the block has ended do not come back. Unblocking "
        "a user again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND`, `CANNOT_BLOCK_SELF`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def unblock(self: Any, info: Info, input: BoundaryInput) -> BoundaryPayload | None:
        key = given(input.idempotency_key)
        return await _payload(input.user_id, commands.block(info.context, False, input.user_id, key))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) mute a user. Lists of several authors leave out the user's "
        "posts and comments; a comment with public replies stays as a tombstone. The viewer gets no notifications "
        "from this user. Other users cannot see the mute. Muting a user again replaces the end of the mute; without "
        "`until`, the mute has no end. Fails with `UNAUTHENTICATED` if no user is signed in, and with `BAD_INPUT` if "
        "`until` is not in the future. User errors: `TARGET_NOT_FOUND`, `CANNOT_MUTE_SELF`, "
        "`MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def mute(self: Any, info: Info, input: MuteInput) -> BoundaryPayload | None:
        until, key = given(input.until), given(input.idempotency_key)
        return await _payload(input.user_id, commands.mute(info.context, input.user_id, until, key))

    @strawberry.mutation(
        description="Ends the viewer's mute of a user. Unmuting a user again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `CANNOT_MUTE_SELF`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def unmute(self: Any, info: Info, input: BoundaryInput) -> BoundaryPayload | None:
        key = given(input.idempotency_key)
        return await _payload(input.user_id, commands.unmute(info.context, input.user_id, key))

    @strawberry.mutation(
        description="Removes a user from the followers of the viewer (the signed-in user). The user can follow the "
        "viewer again. Succeeds and changes nothing if the user does not follow the viewer. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `INVALID` for the viewer's own "
        "id, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def remove_follower(self: Any, info: Info, input: BoundaryInput) -> BoundaryPayload | None:
        key = given(input.idempotency_key)
        return await _payload(input.user_id, commands.remove_follower(info.context, input.user_id, key))
