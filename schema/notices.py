"""Notices, which people send about illegal content, also without an account: the mutation `notice`, and the query for
the decision about a notice.
"""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.notices as resolve
from commands import notices as commands
from commands.notices import NoticeContent
from domain.idempotency import ANONYMOUS_LIFE_HOURS
from domain.moderation.reports import ReportStatus
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.payloads import WHILE_KNOWN, UserError, key_description, payload, user_errors

_NUMBER = "The number of the receipt. Anyone who has the number can read the decision, so keep the number secret."


class NoticeState(Enum):
    """The state of a notice."""

    OPEN = ReportStatus.OPEN
    ACCEPTED = ReportStatus.ACCEPTED
    DISMISSED = ReportStatus.DISMISSED
    MOOT = ReportStatus.MOOT


describe_enum(
    NoticeState,
    "The state of a notice.",
    OPEN="No moderator has decided yet.",
    ACCEPTED="A moderator found the notice justified.",
    DISMISSED="A moderator found the notice unfounded.",
    MOOT="The object was deleted before a moderator had decided.",
)


@strawberry.type(description="The receipt of a notice.")
class NoticeReceipt:
    number: str = strawberry.field(description=_NUMBER)
    received_at: datetime = strawberry.field(description="The time when the notice was received.")


@strawberry.type(description="The decision about a notice.")
class NoticeStatus:
    @strawberry.field(description="The state of the notice.")
    def state(self: Any) -> NoticeState:
        return NoticeState(self.status)

    received_at: datetime = strawberry.field(description="The time when the notice was received.")
    decided_at: datetime | None = strawberry.field(
        description="The time when a moderator decided, or when the object was deleted. Null for an open notice."
    )
    decision: str | None = strawberry.field(
        description="The reason that the moderator gave. Null for an open notice, and if the object was deleted."
    )


@strawberry.type(description="A notice, as moderators see it.")
class Notice:
    number: str = strawberry.field(description=_NUMBER)
    law: str = strawberry.field(description="The law that the object breaks, as the person names it.")
    explanation: str = strawberry.field(description="Why the person thinks that the object is illegal.")
    name: str | None = strawberry.field(description="The name of the person. Null if the person gave none.")
    email: str | None = strawberry.field(description="The e-mail address of the person. Null if the person gave none.")
    is_trusted: bool = strawberry.field(description="Whether a trusted flagger sent the notice.")
    received_at: datetime = strawberry.field(description="The time when the notice was received.")


@strawberry.input(description="The input of `notice`.")
class NoticeInput:
    target_id: strawberry.ID = strawberry.field(description="The id of a post, comment, user or entity.")
    explanation: str = strawberry.field(
        description="Why the object is illegal: 1 to 2000 characters for the moderators."
    )
    law: str = strawberry.field(description="The law that the object breaks: 1 to 200 characters in one line.")
    name: str | None = strawberry.field(
        default=UNSET, description="The name of the person, at most 200 characters. Required unless `unnamed` is true."
    )
    email: str | None = strawberry.field(
        default=UNSET,
        description="The e-mail address of the person, at most 254 characters. Required unless `unnamed` is true.",
    )
    good_faith: bool = strawberry.field(
        description="The statement of the person that the notice is accurate and complete, in good faith. Must be true."
    )
    unnamed: bool = strawberry.field(
        default=False,
        description="Whether the person gives no name and no e-mail address. The law allows this only for notices "
        "about sexual abuse of a child.",
    )
    proof: str | None = strawberry.field(
        default=UNSET,
        description="The token of a solved captcha, at most 8192 characters. Required without a token of a user, if "
        "the operator of this deployment asks for a captcha.",
    )
    idempotency_key: str | None = strawberry.field(
        default=UNSET,
        description=key_description(
            "notice",
            f"{WHILE_KNOWN}, without a token within {ANONYMOUS_LIFE_HOURS} hour, the notice is not sent twice, and the "
            "response has the same receipt or the same user errors",
        ),
    )


@strawberry.type(description="The result of `notice`.")
class NoticePayload:
    subject: NoticeReceipt | None = strawberry.field(
        name="receipt", description="The receipt of the notice. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The decision about a notice. Needs no token. Null if no notice has this number, and in the "
        "seconds until a new notice is stored. Also null if `errors` has an error for it.",
        metadata=access(Rule.ALL, personal=True),
    )
    async def notice_status(
        self: Any,
        info: Info,
        number: Annotated[str, strawberry.argument(description="The number of the receipt.")],
    ) -> NoticeStatus | None:
        return await resolve.status(info.context, number)  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Tells the moderators that a post, comment, user or entity is illegal. Needs no token. A notice "
        "that is sent with a token with the scope `notices:trusted` is marked as that of a trusted flagger. Fails with "
        "`UNAVAILABLE` if the captcha cannot be checked. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, `IDEMPOTENCY_MISMATCH`; `INVALID` for a missing or malformed value, without "
        "`goodFaith`, and if the captcha is not solved.",
        metadata=access(Rule.TARGET, writes="notices"),
    )
    async def notice(self: Any, info: Info, input: NoticeInput) -> NoticePayload | None:
        content = NoticeContent(
            *(input.explanation, input.law, given(input.name), given(input.email)),
            good_faith=input.good_faith,
            unnamed=input.unnamed,
        )
        proof, key = given(input.proof), given(input.idempotency_key)
        return await payload(commands.notice(info.context, input.target_id, content, proof, key))
