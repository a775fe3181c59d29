"""Quotes: what a post quotes, and the mutations `detachQuote` and `setQuotePolicy`."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import quotes as commands
from models.quotes import QuoteMissing, QuotePolicy
from schema import forward
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors

describe_enum(
    QuoteMissing,
    "Why a quoted post is not shown.",
    REMOVED_BY_AUTHOR="Its author has detached the quote (`detachQuote`).",
    DELETED="It was deleted.",
    NOT_VISIBLE="The viewer may not see it: it is not approved, or a block, a private account, a suspension or a "
    "label hides it.",
    NESTED="The post that quotes it is quoted itself. Read that post on its own.",
)


@strawberry.type(description="What a post quotes.")
class Quote:
    post: forward.Post | None = strawberry.field(description="The quoted post. Null if it is not shown.")
    missing: QuoteMissing | None = strawberry.field(
        description="Why the quoted post is not shown. Null if it is shown."
    )


@strawberry.input(description="The input of `detachQuote`.")
class DetachQuoteInput:
    post_id: strawberry.ID = strawberry.field(description="The id of the post that quotes a post of the viewer.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `detachQuote`.")
class DetachQuotePayload:
    subject: forward.Post | None = strawberry.field(
        name="post", description="The post that quoted, after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="The input of `setQuotePolicy`.")
class SetQuotePolicyInput:
    policy: QuotePolicy = strawberry.field(description="Who may quote the posts of the viewer.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setQuotePolicy`.")
class SetQuotePolicyPayload:
    subject: forward.User | None = strawberry.field(name="user", description="The viewer after the change.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Detaches a post that quotes a post of the viewer (the signed-in user), permanently. The post "
        "stays, without the quoted post, and leaves `Post.quotes`. Detaching again succeeds and changes nothing. Fails "
        "with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED` if the post "
        "does not quote a post of the viewer, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def detach_quote(self: Any, info: Info, input: DetachQuoteInput) -> DetachQuotePayload | None:
        return await payload(commands.detach(info.context, input.post_id, given(input.idempotency_key)))

    @strawberry.mutation(
        description="Sets who may quote the posts of the viewer (the signed-in user) from now on. Posts that quote "
        "them already stay. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="posts"),
    )
    async def set_quote_policy(self: Any, info: Info, input: SetQuotePolicyInput) -> SetQuotePolicyPayload | None:
        return await payload(commands.set_policy(info.context, input.policy, given(input.idempotency_key)))
