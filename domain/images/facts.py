"""Checks the facts that clients give about attachments: sizes, placeholders, media types and durations."""

import re

from domain.errors import Refused, UserErrorCode

MOST_PIXELS = 100_000
"""The greatest width and height, in pixels."""
LONGEST_MS = 86_400_000
"""The longest duration of a video or audio file, in milliseconds: a day."""
_BASE_83 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
_BLURHASH = re.compile(rf"[{re.escape(_BASE_83)}]{{6,166}}")
_MIME_TYPE = re.compile(r"(image|video|audio)/[a-z0-9][a-z0-9.+-]{0,63}")


def check_pixels(pixels: int | None, *field: str) -> None:
    """Raises Refused with INVALID unless a width or height is 1 to MOST_PIXELS pixels, or None."""
    if pixels is not None and not 1 <= pixels <= MOST_PIXELS:
        raise Refused.because(UserErrorCode.INVALID, f"A width or height is 1 to {MOST_PIXELS} pixels.", *field)


def check_blurhash(text: str | None, *field: str) -> None:
    """Raises Refused with INVALID if a text is not a BlurHash. Source:
    https://github.com/woltapp/blurhash/blob/master/Algorithm.md. The first character of a BlurHash says how many
    components it has, and so how long it is.
    """
    if text is None:
        return
    if _BLURHASH.fullmatch(text):
        y, x = divmod(_BASE_83.index(text[0]), 9)
        if y < 9 and len(text) == 4 + 2 * (x + 1) * (y + 1):
            return
    raise Refused.because(UserErrorCode.INVALID, "This is not a BlurHash.", *field)


def check_mime_type(text: str | None, kind: str, *field: str) -> None:
    """Raises Refused with INVALID if a text is not a media type of the kind `image`, `video` or `audio`, in lower case
    and without parameters, such as `video/mp4`.
    """
    match = text is None or _MIME_TYPE.fullmatch(text)
    if not match or (match is not True and match[1] != kind):
        raise Refused.because(UserErrorCode.INVALID, f"This is not a media type such as {kind}/….", *field)


def check_duration(duration_ms: int | None, *field: str) -> None:
    """Raises Refused with INVALID unless a duration is a millisecond to a day, or None."""
    if duration_ms is not None and not 1 <= duration_ms <= LONGEST_MS:
        raise Refused.because(UserErrorCode.INVALID, "A duration is 0.001 to 86400 seconds.", *field)
