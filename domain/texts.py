"""Checks texts from clients: refuses texts that the stores cannot hold, and removes invisible characters that deceive.

The length is checked first, because a request may use one long text a thousand times.
"""

import json
import re

import regex

from domain import invisible_characters
from domain.errors import BadInput, Refused, UserErrorCode

_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f\"<>\\^`{|}]{1,2000}")
_BREAKS = re.compile(r"[\n\t\u2028\u2029]")
_LONGEST_QUOTED = 60
_LONGEST_EXCERPT = 140
_VISIBLE_CHARACTER = regex.compile(r"\X")
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def quoted(text: str) -> str:
    """Returns the beginning of a text from a client, in the quotation marks of JSON, for an error message."""
    return json.dumps(text[:_LONGEST_QUOTED], ensure_ascii=False)


def excerpt(text: str) -> str:
    """Returns the beginning of a text: at most 140 characters, with `…` at the end if it is not the whole text. Does
    not cut an emoji, or another visible character of several code points, in two.
    """
    if len(text) <= _LONGEST_EXCERPT:
        return text
    *whole, last = _VISIBLE_CHARACTER.findall(text[:_LONGEST_EXCERPT])
    return "".join(whole or last[:-1]).rstrip() + "…"


def no_business(name: str) -> str:
    """Returns the error message for the name of a business that is not configured."""
    return f"There is no business with the name {quoted(name)}. The businesses file of the deployment lists all names."


def is_storable(text: str) -> bool:
    """Returns whether all stores can hold a text: no control characters except line breaks and tabs, no lone
    surrogates.
    """
    return _UNSTORABLE.search(text) is None


def identifier(text: str, what: str, longest: int = 255) -> str:
    """Returns an identifier from another system, such as an external id or a key, unchanged. Raises BadInput if the
    identifier is empty, has more than `longest` characters, control characters, or white space at its ends. `what`
    names the identifier in the error message.
    """
    if not 0 < len(text) <= longest or not is_storable(text) or text != text.strip():
        raise BadInput(
            f"{what} is 1 to {longest} characters, without control characters and without white space at its ends."
        )
    return text


def user_text(text: str, longest: int, *field: str, empty: bool = True) -> str:
    """Returns a user's text without surrounding space and deceptive invisible characters, with line feeds as line
    breaks. A text without visible characters becomes empty.

    Raises Refused, with `field` as the path of the input field, if the text has more than `longest` characters, cannot
    be stored, or is empty although `empty` is false. Before line breaks are converted, the text may be twice as long,
    because a line break may have two characters.
    """
    if len(text) <= 2 * longest:
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    _check_length(text, longest, *field)
    if not is_storable(text):
        raise Refused.because(UserErrorCode.TEXT_INVALID, "This text contains control characters.", *field)
    text = invisible_characters.remove_deceptive(text).strip()
    _check_length(text, longest, *field)  # one character was added for each isolate that was left open
    if invisible_characters.is_blank(text):
        text = ""
    if not text and not empty:
        raise Refused.because(UserErrorCode.INVALID, "This field cannot be empty.", *field)
    return text


def line(text: str, longest: int, *field: str, empty: bool = True) -> str:
    """Returns a user's text of one line, such as a name or a title. Does the same as `user_text`, and replaces each
    line break or tab, with the white space around it, by one space. Raises Refused in the same cases as `user_text`.
    """
    parts = _BREAKS.split(user_text(text, longest, *field, empty=empty))
    return " ".join(filter(None, (part.strip() for part in parts)))


def _check_length(text: str, longest: int, *field: str) -> None:
    if len(text) > longest:
        raise Refused.because(UserErrorCode.TEXT_TOO_LONG, f"At most {longest} characters.", *field)


def url(text: str, *field: str) -> str:
    """Returns an http or https address unchanged. Raises Refused, with `field` as the path of the input field, if the
    text is not an http or https address, or has more than 2000 characters after `://`.
    """
    if not _URL.fullmatch(text):
        raise Refused.because(UserErrorCode.INVALID, "This is not an http or https address.", *field)
    return text
