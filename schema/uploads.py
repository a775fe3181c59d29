"""Uploads: files that users send to the operator's store of files, to show them in posts and comments."""

from datetime import datetime
from typing import Any

import strawberry

from commands import uploads as commands
from schema.access import Rule, access
from schema.fields import Info
from schema.payloads import UserError, payload, user_errors


@strawberry.type(description="Which files users may upload.")
class UploadRules:
    max_bytes: int = strawberry.field(description="The most bytes of a file.")
    mime_types: list[str] = strawberry.field(description="The media types, such as `image/png`.")


@strawberry.type(description="A header of the request that uploads a file.")
class UploadHeader:
    name: str = strawberry.field(description="The name of the header.")
    value: str = strawberry.field(description="The value of the header.")


@strawberry.type(
    description="Permission to upload one file. Send the bytes of the file as the body of a PUT request to `url`."
)
class Upload:
    url: str = strawberry.field(
        description="The URL to which the file is sent, once. Anyone who has the URL can upload the file."
    )
    headers: list[UploadHeader] = strawberry.field(
        description="The headers that the request must have, besides `Content-Length`, which HTTP clients set "
        "themselves."
    )
    file_url: str = strawberry.field(
        description="The URL of the uploaded file. Pass it as `url` of an image or attachment to `publishPost`, "
        "`editPost`, `addComment` or `editComment`."
    )
    expires_at: datetime = strawberry.field(description="The time when `url` becomes invalid.")


@strawberry.input(description="The input of `createUpload`.")
class CreateUploadInput:
    mime_type: str = strawberry.field(description="The media type of the file: one of `UploadRules.mimeTypes`.")
    byte_size: int = strawberry.field(
        description="The exact number of bytes of the file: at most `UploadRules.maxBytes`."
    )


@strawberry.type(description="The result of `createUpload`.")
class CreateUploadPayload:
    subject: Upload | None = strawberry.field(
        name="upload", description="The upload. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="Which files users may upload with `createUpload`. Null if this deployment takes no uploads.",
        metadata=access(Rule.ALL),
    )
    async def upload_rules(self: Any, info: Info) -> UploadRules | None:
        return commands.rules(info.context)  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Returns a URL to which the viewer (the signed-in user) can upload one file, directly to the "
        "operator's store of files. A file that no post or comment shows is deleted after a day. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `NOT_ALLOWED` if this deployment takes no uploads, "
        "`INVALID` for a type or size that is not allowed, `SUSPENDED`.",
        metadata=access(Rule.ACCOUNT, writes="uploads"),
    )
    async def create_upload(self: Any, info: Info, input: CreateUploadInput) -> CreateUploadPayload | None:
        return await payload(commands.create(info.context, input.mime_type, input.byte_size))
