"""Quiet hours: the hours of each day in which a user wants no push messages."""

import re
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

LONGEST_ZONE = 64
_TIME = re.compile(r"(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])")
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*")
_SECOND = timedelta(seconds=1)


def minute_of(text: str) -> int | None:
    """Returns the minute of the day of a time such as `22:00`; None if the text is not such a time."""
    match = _TIME.fullmatch(text)
    return int(match["hour"]) * 60 + int(match["minute"]) if match else None


def text_of(minute: int) -> str:
    """Returns a minute of the day as a text such as `22:00`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def zone_of(name: str) -> ZoneInfo | None:
    """Returns the time zone with a name of the IANA database, such as `Asia/Shanghai`; None if there is none."""
    if len(name) > LONGEST_ZONE or not _ZONE.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # also for a folder of the database, such as Asia
        return None


class QuietHours(NamedTuple):
    """The quiet hours of a user: the minutes of the day at which they begin and end, which differ, and the time zone.
    If they end at an earlier minute than they begin, they end on the next day.
    """

    begin: int
    end: int
    zone: str

    def until(self, now_ms: int) -> datetime | None:
        """Returns when the quiet hours end in which the time `now_ms` is, in milliseconds since the Unix epoch. Returns
        None outside of quiet hours, and if the time zone does not exist any more.

        If clocks go back, a time of the day that comes twice begins quiet hours the first time, and ends them the
        second time. If clocks go forward over a time of the day, quiet hours begin or end at this moment.
        """
        zone = zone_of(self.zone)
        if zone is None:
            return None
        now = datetime.fromtimestamp(now_ms / 1000, UTC)
        today = now.astimezone(zone).date()
        for days in (-1, 0):
            day = today + timedelta(days=days)
            begin, _ = _moments(datetime.combine(day, _time(self.begin)), zone)
            next_day = day if self.end > self.begin else day + timedelta(days=1)
            _, end = _moments(datetime.combine(next_day, _time(self.end)), zone)
            if begin <= now < end:
                return end
        return None


def _time(minute: int) -> time:
    return time(minute // 60, minute % 60)


def _moments(local: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Returns the first and the last moment at which clocks of a time zone show a time. If no moment shows it, returns
    twice the moment when the clocks go forward over it.
    """
    first, last = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= last:
        return first, last
    before, after = last, first
    while after - before > _SECOND:
        middle = before + (after - before) / 2
        if middle.astimezone(zone).replace(tzinfo=None) < local:
            before = middle
        else:
            after = middle
    moment = after.replace(microsecond=0)
    return moment, moment
