"""Text from outside, checked before it goes anywhere: what no store could hold, and what no person would write.

Its length is looked at before anything else is: a request may name one long text a thousand times.
"""

import re

from domain import invisible_characters
from domain.errors import BadInput, Refused, UserErrorCode

_LONGEST_HANDLE = 30
HANDLE = re.compile(r"[a-z0-9_]{2,30}")
MOST_MENTIONED = 20
"""Of those whom a text names so many are told."""
_MENTION = re.compile(r"(?<![A-Za-z0-9_@./])@([A-Za-z0-9_]{2,30})(?![A-Za-z0-9_@])")
"""Not a part of an address. Letters of other scripts may come right before and after it."""
_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f\"<>\\^`{|}]{1,2000}")
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def mentions(text: str) -> list[str]:
    """The handles that a text names with an @, each once and in lower case; of very many, the first ones."""
    return list(dict.fromkeys(handle.lower() for handle in _MENTION.findall(text)))[:MOST_MENTIONED]


def is_storable(text: str) -> bool:
    """Whether every store can hold it: no control characters but line breaks and tabs, no lone surrogates."""
    return _UNSTORABLE.search(text) is None


def name(text: str, what: str, longest: int = 255) -> str:
    """A machine's name for something (an external id, a key). Raises BadInput for one that cannot be one."""
    if not 0 < len(text) <= longest or not is_storable(text) or text != text.strip():
        raise BadInput(
            f"{what} is 1 to {longest} characters, without control characters and without white space at its ends."
        )
    return text


def written(text: str, longest: int, *field: str, empty: bool = True) -> str:
    """What a person wrote, without surrounding space, with line feeds alone between its lines, and without invisible
    characters that deceive. A text of which nothing can be seen is empty.

    Refused when too long, unstorable, or empty where it may not. As it comes it may be twice as long, for line feeds
    that are written as two characters, or space around it.
    """
    if len(text) <= 2 * longest:
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    _check_length(text, longest, *field)
    if not is_storable(text):
        raise Refused.because(UserErrorCode.TEXT_INVALID, "This text contains control characters.", *field)
    text = invisible_characters.without_deception(text).strip()
    _check_length(text, longest, *field)  # open isolates have been closed, by one character each
    if invisible_characters.is_blank(text):
        text = ""
    if not text and not empty:
        raise Refused.because(UserErrorCode.INVALID, "This field cannot be empty.", *field)
    return text


def _check_length(text: str, longest: int, *field: str) -> None:
    if len(text) > longest:
        raise Refused.because(UserErrorCode.TEXT_TOO_LONG, f"At most {longest} characters.", *field)


def url(text: str, *field: str) -> str:
    """An http(s) address. Refused when it is not one."""
    if not _URL.fullmatch(text):
        raise Refused.because(UserErrorCode.INVALID, "This is not an http or https address.", *field)
    return text


def folded_handle(text: str) -> str | None:
    """A handle in its one spelling: lower case. None unless 2 to 30 letters, digits and underscores."""
    lowered = text[: _LONGEST_HANDLE + 1].lower()
    return lowered if HANDLE.fullmatch(lowered) else None


def handle(text: str, *field: str) -> str:
    """The same. Refused where it is none."""
    lowered = folded_handle(text)
    if lowered is None:
        message = "A handle is 2 to 30 letters, digits and underscores."
        raise Refused.because(UserErrorCode.INVALID, message, *field)
    return lowered
