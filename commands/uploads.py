"""createUpload, and the check of uploaded files that posts and comments show."""

from collections.abc import Collection, Sequence

from commands import suspended
from context import Context
from domain.errors import Refused, UserErrorCode
from domain.file_types import begins_as
from models.attachments import Attachment
from models.base import ms
from models.uploads import STORED_WITHIN_MS, UploadRow, UploadRules
from store.content import uploaded_files
from store.gather import gather_all
from store.uploads import Key, UploadStore

_POSTER = "image"
_DAY_MS = 86_400_000


def rules(context: Context) -> UploadRules | None:
    """Resolves Query.uploadRules: which files users may upload; None if this deployment takes no uploads."""
    uploads = context.state.settings.images.uploads
    return UploadRules(uploads.max_bytes, uploads.types) if uploads else None


async def create(context: Context, mime_type: str, byte_size: int) -> UploadRow:
    """Returns a new upload of the viewer, for one file of this media type and size.

    Raises Unauthenticated, AccountDeleted, Unavailable; Refused with SUSPENDED, NOT_ALLOWED if this deployment takes no
    uploads, or INVALID for a file that users may not upload.
    """
    user_id, allowed = context.require_viewer().user_id, rules(context)
    await suspended.check_viewer(context)
    store = context.state.uploads
    if store is None or allowed is None:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "This deployment takes no uploads.")
    if mime_type not in allowed.mime_types:
        types = ", ".join(allowed.mime_types)
        raise Refused.because(UserErrorCode.INVALID, f"A file has one of these types: {types}.", "mimeType")
    if not 1 <= byte_size <= allowed.max_bytes:
        raise Refused.because(UserErrorCode.INVALID, f"A file has 1 to {allowed.max_bytes} bytes.", "byteSize")
    key, upload = store.upload(user_id, mime_type, byte_size, context.state.now_ms())
    async with context.state.postgres.transaction() as transaction:
        await uploaded_files.remember(transaction, [key], ms(upload.expires_at))
    return upload


async def check(
    context: Context, attachments: Sequence[Attachment], field: str, before: Collection[Attachment] = ()
) -> None:
    """Checks those files of a post or comment that are in the store of uploads: the viewer uploaded them, and they have
    the types of their uploads. Does not check the files that the post or comment has already (`before`).

    Raises Refused with IMAGE_NOT_ALLOWED; Unavailable if the store does not answer. `field` is the input field with the
    attachments.
    """
    store = context.state.uploads
    if store is None:
        return
    known = {url for one in before for url in (one.url, one.poster_url)}
    wanted = [
        (url, kind, (field, str(number), name))
        for number, one in enumerate(attachments)
        for url, kind, name in ((one.url, one.kind.value.lower(), "url"), (one.poster_url, _POSTER, "posterUrl"))
        if url is not None and url not in known
    ]
    keys = [(_own_key(context, store, url, kind, at), at) for url, kind, at in wanted]
    await gather_all(*[_check(context, store, key, at) for key, at in keys if key])


def _own_key(context: Context, store: UploadStore, url: str, kind: str, at: Sequence[str]) -> Key | None:
    """Returns the key of an uploaded file; None for a file of another host. Raises Refused if another user uploaded the
    file, or if its type is not of the kind `image`, `video` or `audio`.
    """
    try:
        key = store.key_of(url)
    except ValueError:
        raise _refusal("No file was uploaded to this URL.", at) from None
    if key and key.user_id != context.require_viewer().user_id:
        raise _refusal("Another user uploaded this file.", at)
    if key and not key.mime_type.startswith(f"{kind}/"):
        raise _refusal(f"This file is not of the kind {kind.upper()}.", at)
    return key


async def _check(context: Context, store: UploadStore, key: Key, at: Sequence[str]) -> None:
    """Raises Refused if a file was not uploaded, is not what its upload says, or is about to be deleted because nothing
    has shown it for long.
    """
    state = context.state
    file, uploads = await store.stored(key, state.now_ms()), state.settings.images.uploads
    assert uploads is not None
    if file is None:
        raise _refusal("This file was not uploaded.", at)
    if file.size > uploads.max_bytes or file.mime_type != key.mime_type or not begins_as(key.mime_type, file.beginning):
        raise _refusal("This file is not of the size and type of its upload.", at)
    before_ms = state.now_ms() - int(state.settings.retention.unused_upload_days * _DAY_MS) + STORED_WITHIN_MS
    if file.uploaded_ms < before_ms and not await uploaded_files.is_kept(state.postgres, store, key, before_ms):
        raise _refusal("This file was not used for long, and will be deleted. Upload it again.", at)


def _refusal(message: str, at: Sequence[str]) -> Refused:
    return Refused.because(UserErrorCode.IMAGE_NOT_ALLOWED, message, *at)
