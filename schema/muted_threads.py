"""The mutations that mute and unmute threads. A thread is a post or entity with all its comments, or a root comment
with its replies.
"""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import muted_threads as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.reactable import Reactable


@strawberry.input(description="The input of `muteThread` and `unmuteThread`.")
class MuteThreadInput:
    target_id: strawberry.ID = strawberry.field(
        description="The id of the post, entity or comment. For a reply, the thread is that of its root comment."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `muteThread` and `unmuteThread`.")
class MuteThreadPayload:
    subject: Reactable | None = strawberry.field(
        name="target",
        description="The post, entity or comment of the input, after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) mute a thread: the viewer gets no notifications about it, "
        "and earlier ones are hidden. The thread of a post or an entity is the object with all its comments. The "
        "thread of a comment is the root comment with its replies. Moderation decisions are still notified. Lists of "
        "posts and comments do not change, and other users cannot see the mute. Muting a thread again succeeds and "
        "changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`TARGET_DELETED`, `MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def mute_thread(self: Any, info: Info, input: MuteThreadInput) -> MuteThreadPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_muted(info.context, True, input.target_id, key))

    @strawberry.mutation(
        description="Ends the viewer's mute of a thread. Notifications from before the mute are shown again. Events "
        "during the mute are not notified later. Unmuting a thread again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def unmute_thread(self: Any, info: Info, input: MuteThreadInput) -> MuteThreadPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.set_muted(info.context, False, input.target_id, key))
