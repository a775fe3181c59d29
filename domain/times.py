"""Reads and writes times as the API does: as texts in the format of RFC 3339, section 5.6."""

import re
from datetime import UTC, datetime, timedelta

from domain.errors import BadInput

_RFC_3339 = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]((?:[01][0-9]|2[0-3]):[0-5][0-9]):([0-9]{2})(\.[0-9]+)?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_LEAP_SECOND = "60"


def formatted(time: datetime) -> str:
    """Returns a time as RFC 3339 text in UTC with milliseconds, such as `2026-05-01T12:00:00.000Z`."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: object) -> datetime:
    """Returns the time of an RFC 3339 text, in UTC. Digits after the microseconds are cut.

    A leap second is read as the second that follows it, because `datetime` has none. Raises BadInput for any other
    value, and for times outside the years 1 to 9999 in UTC.
    """
    match = _RFC_3339.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise BadInput("A DateTime is a text in the format of RFC 3339, such as 2026-05-01T12:00:00Z.")
    date, minute, second, fraction, offset = match.groups("")
    is_leap = second == _LEAP_SECOND
    try:
        local = datetime.fromisoformat(f"{date}T{minute}:{'59' if is_leap else second}{fraction}{offset.upper()}")
        time = local.astimezone(UTC)
        return _after_leap_second(time) if is_leap else time
    except (ValueError, OverflowError):
        raise BadInput("This DateTime does not exist, or is not between the years 1 and 9999 in UTC.") from None


def _after_leap_second(time: datetime) -> datetime:
    """Returns the second after `time`, which must be 23:59:59 on the last day of a month. Raises ValueError for any
    other time.
    """
    later = time + timedelta(seconds=1)
    if (later.day, later.hour, later.minute) != (1, 0, 0):
        raise ValueError
    return later


def end_ms(until: datetime) -> int:
    """Returns `until`, the end of a mute or suspension, in milliseconds since the Unix epoch."""
    return int(until.timestamp() * 1000)


def check_future(end_ms: int, now_ms: int) -> None:
    """Raises BadInput if the end of a mute or suspension is not in the future. Both are milliseconds since the Unix
    epoch.
    """
    if end_ms <= now_ms:
        raise BadInput("until must be in the future.")
