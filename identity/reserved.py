"""Handles that nobody may choose, because they would be taken for the people who run the place."""

from collections.abc import Collection

_LOOK_ALIKES = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "_": None}
)


def is_reserved(handle: str, reserved: Collection[str]) -> bool:
    """Returns whether a handle is one of the reserved ones, or looks like one: `adm1n`, `_admin_`, `rnoderator`."""
    return _look(handle) in {_look(one) for one in reserved}


def _look(handle: str) -> str:
    """Returns one spelling for all handles that look alike."""
    return handle.lower().replace("rn", "m").replace("vv", "w").translate(_LOOK_ALIKES)
