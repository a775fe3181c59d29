"""Checks the attachments of posts and comments, and profile pictures."""

from collections.abc import Sequence

from context import Context
from domain import texts
from domain.errors import ImageNotAllowed, Refused, UserErrorCode
from domain.images import facts
from models.attachments import Attachment, AttachmentKind
from state import State

_LONGEST_ALT = 500


def check(context: Context, attachments: Sequence[Attachment], most: int, field: str) -> list[Attachment]:
    """Returns the attachments of a post or comment in the form in which they are stored: with canonical, unsigned URLs.
    `field` is the input field with the attachments.

    Raises Refused with TOO_MANY_IMAGES for more than `most`, or with IMAGE_NOT_ALLOWED, TEXT_TOO_LONG, TEXT_INVALID or
    INVALID for an invalid attachment.
    """
    if len(attachments) > most:
        raise Refused.because(UserErrorCode.TOO_MANY_IMAGES, f"At most {most} {field}.", field)
    return [checked(context.state, one, field, str(at)) for at, one in enumerate(attachments)]


def checked(state: State, one: Attachment, *at: str) -> Attachment:
    """Returns an attachment in the form in which it is stored. `at` is the path of its input. Raises Refused with
    IMAGE_NOT_ALLOWED, TEXT_TOO_LONG, TEXT_INVALID or INVALID.
    """
    is_image, is_audio = one.kind is AttachmentKind.IMAGE, one.kind is AttachmentKind.AUDIO
    if is_image and (one.poster_url is not None or one.duration_ms is not None):
        raise Refused.because(UserErrorCode.INVALID, "An image has neither a poster nor a duration.", *at)
    if is_audio and (one.width is not None or one.height is not None):
        raise Refused.because(UserErrorCode.INVALID, "An audio file has neither width nor height.", *at)
    facts.check_pixels(one.width, *at, "width")
    facts.check_pixels(one.height, *at, "height")
    facts.check_blurhash(one.blurhash, *at, "blurhash")
    facts.check_mime_type(one.mime_type, one.kind.value.lower(), *at, "mimeType")
    facts.check_duration(one.duration_ms, *at, "durationSeconds")
    poster = one.poster_url
    return one._replace(
        url=check_url(state, one.url, *at, "url"),
        alt=one.alt and texts.user_text(one.alt, _LONGEST_ALT, *at, "alt"),
        poster_url=None if poster is None else check_url(state, poster, *at, "posterUrl"),
    )


def check_url(state: State, url: str, *field: str) -> str:
    """Returns the URL of an image, video, audio file or profile picture in the form in which it is stored: canonical
    and unsigned (`Images.canonical_url`). Raises Refused with IMAGE_NOT_ALLOWED if users may not show this URL. `field`
    is the path of the input field with the URL.
    """
    try:
        return state.images.canonical_url(url)
    except ImageNotAllowed as error:
        raise Refused.because(UserErrorCode.IMAGE_NOT_ALLOWED, error.message, *field) from error
