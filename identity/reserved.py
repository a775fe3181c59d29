"""Handles that users cannot choose, because other users would mistake them for the operators of the site."""

from collections.abc import Collection

_LOOK_ALIKES = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "_": None}
)


def is_reserved(handle: str, reserved: Collection[str]) -> bool:
    """Returns whether a handle is a reserved handle or looks like one: `adm1n`, `_admin_`, `rnoderator`, `admin42`."""
    without_number = handle.rstrip("0123456789_")
    return not {_look(handle), _look(without_number)}.isdisjoint(map(_look, reserved))


def _look(handle: str) -> str:
    """Returns a common spelling of handles that look alike."""
    return handle.lower().replace("rn", "m").replace("vv", "w").translate(_LOOK_ALIKES)
