"""Checks texts from clients before they are used: texts that stores cannot hold, or that users would not write.

The length is checked first, because a request may use one long text a thousand times.
"""

import re

from domain import invisible_characters
from domain.errors import BadInput, Refused, UserErrorCode

_LONGEST_HANDLE = 30
HANDLE = re.compile(r"[a-z0-9_]{2,30}")
MOST_MENTIONED = 20
"""The most users who are notified because a text mentions them."""
_MENTION = re.compile(r"(?<![A-Za-z0-9_@./])@([A-Za-z0-9_]{2,30})(?![A-Za-z0-9_@])")
"""A mention. Not part of an e-mail address. Letters of other scripts may stand right before and after it."""
_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f\"<>\\^`{|}]{1,2000}")
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def mentions(text: str) -> list[str]:
    """Returns the handles that a text mentions with an @, each once and in lower case; only the first ones if there are
    many.
    """
    return list(dict.fromkeys(handle.lower() for handle in _MENTION.findall(text)))[:MOST_MENTIONED]


def is_storable(text: str) -> bool:
    """Tells whether all stores can hold a text: no control characters except line breaks and tabs, no lone
    surrogates.
    """
    return _UNSTORABLE.search(text) is None


def name(text: str, what: str, longest: int = 255) -> str:
    """Returns an identifier that another system has made, such as an external id or a key. Raises BadInput if it is
    invalid.
    """
    if not 0 < len(text) <= longest or not is_storable(text) or text != text.strip():
        raise BadInput(
            f"{what} is 1 to {longest} characters, without control characters and without white space at its ends."
        )
    return text


def written(text: str, longest: int, *field: str, empty: bool = True) -> str:
    """Returns a text that a user wrote: without surrounding space and deceptive invisible characters, with line feeds
    as line breaks. A text without visible characters becomes empty.

    Raises Refused if the text is too long, cannot be stored, or is empty although `empty` is false. Before cleaning it
    may be twice as long, because line breaks may have two characters.
    """
    if len(text) <= 2 * longest:
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    _check_length(text, longest, *field)
    if not is_storable(text):
        raise Refused.because(UserErrorCode.TEXT_INVALID, "This text contains control characters.", *field)
    text = invisible_characters.without_deception(text).strip()
    _check_length(text, longest, *field)  # one character was added for each isolate that was left open
    if invisible_characters.is_blank(text):
        text = ""
    if not text and not empty:
        raise Refused.because(UserErrorCode.INVALID, "This field cannot be empty.", *field)
    return text


def _check_length(text: str, longest: int, *field: str) -> None:
    if len(text) > longest:
        raise Refused.because(UserErrorCode.TEXT_TOO_LONG, f"At most {longest} characters.", *field)


def url(text: str, *field: str) -> str:
    """Returns an http(s) address. Raises Refused if it is not one."""
    if not _URL.fullmatch(text):
        raise Refused.because(UserErrorCode.INVALID, "This is not an http or https address.", *field)
    return text


def folded_handle(text: str) -> str | None:
    """Returns the canonical form of a handle, in lower case; None unless it has 2 to 30 letters, digits and
    underscores.
    """
    lowered = text[: _LONGEST_HANDLE + 1].lower()
    return lowered if HANDLE.fullmatch(lowered) else None


def handle(text: str, *field: str) -> str:
    """Returns the canonical form of a handle. Raises Refused if it is invalid."""
    lowered = folded_handle(text)
    if lowered is None:
        message = "A handle is 2 to 30 letters, digits and underscores."
        raise Refused.because(UserErrorCode.INVALID, message, *field)
    return lowered
