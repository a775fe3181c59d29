"""Times in the input of mutations."""

from datetime import UTC, datetime

from domain.errors import BadInput


def end_ms(until: datetime) -> int:
    """Returns the end of a mute or suspension in milliseconds since the Unix epoch. Raises BadInput if it has no time
    zone, or is out of range.
    """
    if until.tzinfo is None:
        raise BadInput("until needs a time zone, such as Z.")
    try:
        return int(until.astimezone(UTC).timestamp() * 1000)
    except OverflowError as error:
        raise BadInput("until is out of range.") from error


def check_future(end_ms: int, now_ms: int) -> None:
    """Raises BadInput if the end of a mute or suspension is not in the future. Both are milliseconds since the Unix
    epoch.
    """
    if end_ms <= now_ms:
        raise BadInput("until must be in the future.")
