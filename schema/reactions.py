"""The mutations `react` and `unreact`."""

import strawberry
from strawberry import UNSET

from commands.likes import Asked, react
from commands.targets import unless_missing
from domain.ids import CommentId, PostId
from schema.access import Rule, access
from schema.fields import Info, given
from schema.likes import SOURCE, ReactPayload
from schema.payloads import IDEMPOTENCY_KEY, payload


@strawberry.input(description="The input of `react`.")
class ReactionInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    kind: str = strawberry.field(
        description="The name of the kind of reaction, as `reactionKinds` of the target has it: `like`, `dislike`, or "
        "a kind that the operator of this deployment has configured, such as `love` or an emoji. Variation selectors "
        "and skin tones of an emoji are ignored."
    )
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `unreact`.")
class UnreactInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    kind: str | None = strawberry.field(
        default=UNSET,
        description="The name of the kind of reaction. Omit it, or send null, to remove all reactions of the viewer.",
    )
    source: str | None = strawberry.field(default=UNSET, description=SOURCE)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Gives an object a reaction of the viewer (the signed-in user). If the operator of this deployment "
        "allows one kind of reaction per user and object, the reaction replaces the viewer's other reaction. If "
        "several are allowed, only a dislike and kinds that count as a like replace each other. Giving a kind again "
        "succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND`, `TARGET_DELETED`, `REACTION_UNKNOWN`, `DISLIKE_DISABLED`, `BLOCKED`, `SUSPENDED`, "
        "`IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def react(self, info: Info, input: ReactionInput) -> ReactPayload | None:
        source, key = given(input.source), given(input.idempotency_key)
        return await payload(react(info.context, Asked(input.kind, gives=True), input.target_id, source, key))

    @strawberry.mutation(
        description="Removes a reaction that the viewer (the signed-in user) has given to an object, or all of them, "
        "even if the author of the object is hidden from the viewer. Succeeds and changes nothing if there is no such "
        "reaction. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`TARGET_DELETED`, `REACTION_UNKNOWN`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="reactions"),
    )
    async def unreact(self, info: Info, input: UnreactInput) -> ReactPayload | None:
        asked, source, key = Asked(given(input.kind), gives=False), given(input.source), given(input.idempotency_key)
        writing = react(info.context, asked, input.target_id, source, key)
        return await payload(unless_missing(input.target_id, PostId | CommentId, writing))
