"""Handles: their form, and suggestions for new users.

domain/reserved_names.py has the check for reserved words and for names that look like them.
"""

import random
import re
from collections.abc import Callable, Iterable

from anyascii import anyascii

from domain.errors import Refused, UserErrorCode

_LONGEST = 30
_HANDLE = re.compile(r"[a-z0-9_]{2,30}")
_ADJECTIVES = (
    "amber", "brave", "bright", "calm", "clever", "coral", "dapper", "eager", "early", "gentle", "golden", "happy",
    "honest", "jolly", "kind", "lively", "lucky", "mellow", "merry", "nimble", "patient", "quiet", "silver", "sunny",
)  # fmt: skip
_ANIMALS = (
    "badger", "beaver", "crane", "dolphin", "falcon", "finch", "fox", "heron", "ibex", "jay", "koala", "lark", "lynx",
    "marten", "otter", "owl", "panda", "puffin", "robin", "seal", "swift", "tern", "wombat", "wren",
)  # fmt: skip


def canonical(text: str) -> str | None:
    """Returns a handle in lower case, or None if the text is not 2 to 30 Latin letters, digits and underscores."""
    lowered = text[: _LONGEST + 1].lower()
    return lowered if _HANDLE.fullmatch(lowered) else None


def checked(text: str, *field: str) -> str:
    """Returns a handle in lower case. Raises Refused, with `field` as the path of the input field, if the text is not a
    valid handle.
    """
    handle = canonical(text)
    if handle is None:
        message = "A handle is 2 to 30 letters, digits and underscores."
        raise Refused.because(UserErrorCode.INVALID, message, *field)
    return handle


def candidates(*names: str | None, allowed: Callable[[str], bool] = bool) -> list[str]:
    """Returns the handles that can be made from these names or e-mail addresses, without duplicates and without handles
    for which `allowed` returns false. The names may be in any script.

    If no handle is left, returns one random handle, such as `quiet_otter`, which `allowed` does not check.
    """
    made = dict.fromkeys(handle for name in names if name and (handle := from_name(name)))
    return list(filter(allowed, made)) or [f"{random.choice(_ADJECTIVES)}_{random.choice(_ANIMALS)}"]  # noqa: S311 - not a secret


def with_suffixes(candidates: Iterable[str]) -> Iterable[str]:
    """Yields handles to try until one is free: first the candidates, then the first candidate with 2, 3, 4, 6, 8 and 10
    random digits at its end. There must be at least one candidate.
    """
    candidates = list(candidates)
    yield from candidates
    for digits in (2, 3, 4, 6, 8, 10):
        suffix = "".join(random.choices("0123456789", k=digits))  # noqa: S311 - not a secret
        yield candidates[0][: _LONGEST - digits] + suffix


def from_name(name: str) -> str | None:
    """Returns a handle made of a name: transcribed to lower-case Latin letters, digits and underscores. Returns None if
    too few of these are left. Of an e-mail address, uses only the part before the `@`, and of this part only what comes
    before a `+`.
    """
    mailbox = name.split("@", maxsplit=1)[0].split("+", maxsplit=1)[0] if name.find("@") > 0 else name
    latin = anyascii(mailbox[: 2 * _LONGEST]).lower()
    handle = re.sub(r"[^a-z0-9_]+", "_", latin).strip("_")[:_LONGEST].strip("_")
    return handle if _HANDLE.fullmatch(handle) else None
