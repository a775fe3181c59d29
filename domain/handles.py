"""Handles: their form, the handles that users may choose, and suggestions for new users.

Services may assign every valid handle. Users may choose some of them only. domain/reserved_names.py has the check for
reserved words and for names that look like them.
"""

import random
import re
from collections.abc import Callable, Iterable

from anyascii import anyascii

from domain.errors import Refused, UserErrorCode

PATTERN = r"[A-Za-z0-9_](?:[A-Za-z0-9_]|[.-](?=[A-Za-z0-9_])){1,63}"
"""Matches a handle, in texts too: the separators `.` and `-` stand only between two other characters, so that the dot
after a sentence is no part of a handle. The JavaScript in `docs/build/notifications.md` has the same pattern.
"""
_LONGEST, _LONGEST_CHOSEN = 64, 30
_SEPARATORS = ".-"
_HANDLE = re.compile(PATTERN)
_ADJECTIVES = (
    "amber", "brave", "bright", "calm", "clever", "coral", "dapper", "eager", "early", "gentle", "golden", "happy",
    "honest", "jolly", "kind", "lively", "lucky", "mellow", "merry", "nimble", "patient", "quiet", "silver", "sunny",
)  # fmt: skip
_ANIMALS = (
    "badger", "beaver", "crane", "dolphin", "falcon", "finch", "fox", "heron", "ibex", "jay", "koala", "lark", "lynx",
    "marten", "otter", "owl", "panda", "puffin", "robin", "seal", "swift", "tern", "wombat", "wren",
)  # fmt: skip


def canonical(text: str) -> str | None:
    """Returns a handle in lower case, or None if the text is no valid handle (see PATTERN)."""
    lowered = text[: _LONGEST + 1].lower()
    return lowered if _HANDLE.fullmatch(lowered) else None


def _rule(longest: int, separators: str) -> str:
    between = f", and single {' or '.join(f'`{one}`' for one in separators)} between them" if separators else ""
    return f"A handle has 2 to {longest} characters: letters, digits and `_`{between}."


RULE = _rule(_LONGEST, _SEPARATORS)
"""Says which handles are valid, in errors."""


def choice_rule(separators: str) -> str:
    """Says which handles users may choose, in errors. `separators` are those that the handles may have."""
    return _rule(_LONGEST_CHOSEN, separators)


def checked(text: str, *field: str, message: str = RULE) -> str:
    """Returns a handle in lower case. Raises Refused with the message, and with `field` as the path of the input field,
    if the text is not a valid handle.
    """
    handle = canonical(text)
    if handle is None:
        raise Refused.because(UserErrorCode.INVALID, message, *field)
    return handle


def check_choice(handle: str, separators: str, *field: str) -> None:
    """Raises Refused, with `field` as the path of the input field, if users may not choose a valid handle: it is longer
    than 30 characters, or has another separator than those in `separators`.
    """
    if len(handle) > _LONGEST_CHOSEN or any(one in handle for one in _SEPARATORS if one not in separators):
        raise Refused.because(UserErrorCode.INVALID, choice_rule(separators), *field)


def candidates(*names: str | None, separators: str, allowed: Callable[[str], bool] = bool) -> list[str]:
    """Returns the handles that can be made from these names or e-mail addresses, without duplicates and without handles
    for which `allowed` returns false. The names may be in any script. The handles have no other separators than those
    in `separators`.

    If no handle is left, returns one random handle, such as `quiet_otter`, which `allowed` does not check.
    """
    made = dict.fromkeys(handle for name in names if name and (handle := from_name(name, separators)))
    return list(filter(allowed, made)) or [f"{random.choice(_ADJECTIVES)}_{random.choice(_ANIMALS)}"]  # noqa: S311 - not a secret


def with_suffixes(candidates: Iterable[str]) -> Iterable[str]:
    """Yields handles to try until one is free: first the candidates, then the first candidate with 2, 3, 4, 6, 8 and 10
    random digits at its end. There must be at least one candidate. Digits make no handle longer than 30 characters, or
    than it is; they replace its last characters instead.
    """
    candidates = list(candidates)
    yield from candidates
    longest = max(_LONGEST_CHOSEN, len(candidates[0]))
    for digits in (2, 3, 4, 6, 8, 10):
        suffix = "".join(random.choices("0123456789", k=digits))  # noqa: S311 - not a secret
        yield candidates[0][: longest - digits] + suffix


def from_name(name: str, separators: str) -> str | None:
    """Returns a handle made of a name: transcribed to lower-case Latin letters, digits and underscores, and those
    separators of the name that are in `separators`. Returns None if too few characters are left. Of an e-mail address,
    uses only the part before the `@`, and of this part only what comes before a `+`.
    """

    def between(signs: re.Match[str]) -> str:
        return signs[0] if signs[0] in tuple(separators) else "_"

    mailbox = name.split("@", maxsplit=1)[0].split("+", maxsplit=1)[0] if name.find("@") > 0 else name
    latin = anyascii(mailbox[: 2 * _LONGEST_CHOSEN]).lower()
    handle = re.sub(r"[^a-z0-9_]+", between, latin).strip("_.-")[:_LONGEST_CHOSEN].strip("_.-")
    return handle if _HANDLE.fullmatch(handle) else None
