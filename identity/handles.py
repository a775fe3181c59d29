"""Makes handles from the names and e-mail addresses in a user's token, in any script."""

import random
import re
from collections.abc import Callable, Iterable

from anyascii import anyascii

from domain import texts

_LONGEST = 30
_ADJECTIVES = (
    "amber", "brave", "bright", "calm", "clever", "coral", "dapper", "eager", "early", "gentle", "golden", "happy",
    "honest", "jolly", "kind", "lively", "lucky", "mellow", "merry", "nimble", "patient", "quiet", "silver", "sunny",
)  # fmt: skip
_ANIMALS = (
    "badger", "beaver", "crane", "dolphin", "falcon", "finch", "fox", "heron", "ibex", "jay", "koala", "lark", "lynx",
    "marten", "otter", "owl", "panda", "puffin", "robin", "seal", "swift", "tern", "wombat", "wren",
)  # fmt: skip


def wishes(*known: str | None, allowed: Callable[[str], bool] = bool) -> list[str]:
    """Returns the handles that these names make and that are allowed, in their order and without repetition.

    If none of them makes a handle, the list has one that is made up, such as `quiet_otter`.
    """
    made = dict.fromkeys(handle for name in known if name and texts.HANDLE.fullmatch(handle := _bent(name)))
    return list(filter(allowed, made)) or [f"{random.choice(_ADJECTIVES)}_{random.choice(_ANIMALS)}"]  # noqa: S311 - not a secret


def suffixed(wishes: Iterable[str]) -> Iterable[str]:
    """Returns what to try in turn until a handle is free: the wishes, then the first one with ever more digits."""
    wishes = list(wishes)
    yield from wishes
    for digits in (2, 3, 4, 6, 8, 10):
        suffix = "".join(random.choices("0123456789", k=digits))  # noqa: S311 - not a secret
        yield wishes[0][: _LONGEST - digits] + suffix


def _bent(name: str) -> str:
    """Returns a name in Latin letters, digits and underscores. Of an e-mail address only the mailbox is used."""
    mailbox = name.split("@", maxsplit=1)[0].split("+", maxsplit=1)[0] if name.find("@") > 0 else name
    latin = anyascii(mailbox[: 2 * _LONGEST]).lower()
    return re.sub(r"[^a-z0-9_]+", "_", latin).strip("_")[:_LONGEST].strip("_")
