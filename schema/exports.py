"""Exports of accounts: the type, and the mutation that requests one."""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

from commands import exports as commands
from models.exports import ExportState
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.payloads import UserError, payload, user_errors

describe_enum(
    ExportState,
    "Whether an export of an account can be downloaded.",
    READY="The export can be downloaded from its URL.",
    EXPIRED="The URL has expired. Request another export.",
)


@strawberry.type(
    description="An export of an account: a file of JSON lines with the data that Plaudit keeps about one user. The "
    "API makes the file while a client downloads it, so each download has the newest data."
)
class Export:
    state: ExportState = strawberry.field(description="Whether the export can be downloaded.")
    requested_at: datetime = strawberry.field(description="The time when the export was requested.")
    url: str | None = strawberry.field(
        description="The URL of the file, as an absolute path on the host of this API, such as `/exports/q83…`. Anyone "
        "who has the URL can download the file until `expiresAt`, without a token. Null after `expiresAt`."
    )
    expires_at: datetime = strawberry.field(
        description="The time when the URL becomes invalid: 24 hours after the request."
    )


@strawberry.input(description="The input of `exportUser`.")
class ExportUserInput:
    user_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description="The id of a user of the identity provider that issued the token. Requires a token with the scope "
        "`users:write`. If you omit it, the account of the viewer (the signed-in user) is exported.",
    )


@strawberry.type(description="The result of `exportUser`.")
class ExportUserPayload:
    subject: Export | None = strawberry.field(
        name="export", description="The requested export. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Requests an export of an account. While the URL of the last export is valid, the result is this "
        "export, so the request can be repeated. After that, an account can be exported again a week after the last "
        "request, by default. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`EXPORT_LIMIT_REACHED`, and `TARGET_NOT_FOUND` for `userId`.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def export_user(self: Any, info: Info, input: ExportUserInput) -> ExportUserPayload | None:
        return await payload(commands.request(info.context, given(input.user_id)))
