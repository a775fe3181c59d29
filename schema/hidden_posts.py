"""The mutations that hide posts from the viewer's lists."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import hidden_posts as commands
from schema.access import Rule, access
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.posts import Post


@strawberry.input(description="The input of `hidePost`, `unhidePost` and `showLess`.")
class HidePostInput:
    post_id: strawberry.ID = strawberry.field(description="The id of the post.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `hidePost`, `unhidePost` and `showLess`.")
class HidePostPayload:
    subject: Post | None = strawberry.field(
        name="post",
        description="The post, after the change. Null if `userErrors` is not empty, or if the viewer may not see the "
        "post.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Hides a post from the viewer (the signed-in user): the lists in which posts of several authors "
        "appear leave it out, and the viewer gets no notifications about it. `node`, `post` and the profile of the "
        "author still show it. Other users cannot see this. Hiding a post again succeeds and changes nothing. Fails "
        "with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `INVALID` "
        "for a post of the viewer, `MUTE_LIMIT_REACHED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def hide_post(self: Any, info: Info, input: HidePostInput) -> HidePostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.hide(info.context, input.post_id, key))

    @strawberry.mutation(
        description="Shows a post that the viewer (the signed-in user) has hidden in lists again. Also ends the "
        "effects of `showLess` with this post. Succeeds and changes nothing if the post is not hidden. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND` for an id that is not the id of a "
        "post, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def unhide_post(self: Any, info: Info, input: HidePostInput) -> HidePostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.unhide(info.context, input.post_id, key))

    @strawberry.mutation(
        description="Hides a post from the viewer (the signed-in user) as `hidePost` does, and shows the viewer fewer "
        "posts like this one: for 30 days, other posts of its author and posts with its topics are lower in "
        "`Viewer.recommended`. `unhidePost` ends both effects. Fails with `UNAUTHENTICATED` if no user is signed in. "
        "User errors: `TARGET_NOT_FOUND`, `INVALID` for a post of the viewer, `MUTE_LIMIT_REACHED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="boundaries"),
    )
    async def show_less(self: Any, info: Info, input: HidePostInput) -> HidePostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.hide(info.context, input.post_id, key, less=True))
