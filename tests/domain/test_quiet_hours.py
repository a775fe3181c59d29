"""Quiet hours over nights, days, and days on which clocks change."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from domain.quiet_hours import QuietHours, minute_of, text_of, zone_of

BERLIN, SHANGHAI, NEW_YORK = "Europe/Berlin", "Asia/Shanghai", "America/New_York"


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("hours", "zone", "now", "until"),
    [
        ("22:00-07:00", SHANGHAI, "2026-11-30T13:59:59Z", None),
        ("22:00-07:00", SHANGHAI, "2026-11-30T14:00:00Z", "2026-11-30T23:00:00Z"),
        ("22:00-07:00", SHANGHAI, "2026-11-30T22:59:59Z", "2026-11-30T23:00:00Z"),
        ("22:00-07:00", SHANGHAI, "2026-11-30T23:00:00Z", None),
        ("12:00-13:30", SHANGHAI, "2026-11-30T04:00:00Z", "2026-11-30T05:30:00Z"),
        ("12:00-13:30", SHANGHAI, "2026-11-30T05:30:00Z", None),
        ("00:00-23:59", "UTC", "2026-11-30T23:58:59Z", "2026-11-30T23:59:00Z"),
        ("00:01-00:00", "UTC", "2026-11-30T23:59:00Z", "2026-12-01T00:00:00Z"),
        # On 29 March 2026, clocks in Berlin go from 02:00 to 03:00 at 01:00 UTC. 02:30 does not exist.
        ("22:00-02:30", BERLIN, "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"),
        ("22:00-02:30", BERLIN, "2026-03-29T01:00:00Z", None),
        ("02:30-06:00", BERLIN, "2026-03-29T00:59:59Z", None),
        ("02:30-06:00", BERLIN, "2026-03-29T01:00:00Z", "2026-03-29T04:00:00Z"),
        ("22:00-07:00", BERLIN, "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        # On 25 October 2026, clocks in Berlin go from 03:00 to 02:00 at 01:00 UTC. 02:30 comes twice.
        ("22:00-02:30", BERLIN, "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
        ("22:00-02:30", BERLIN, "2026-10-25T01:30:00Z", None),
        ("02:30-06:00", BERLIN, "2026-10-25T00:29:59Z", None),
        ("02:30-06:00", BERLIN, "2026-10-25T00:30:00Z", "2026-10-25T05:00:00Z"),
        ("02:30-06:00", BERLIN, "2026-10-25T01:15:00Z", "2026-10-25T05:00:00Z"),
        ("22:00-07:00", NEW_YORK, "2026-11-01T04:00:00Z", "2026-11-01T12:00:00Z"),
        ("22:00-07:00", "Asia/Atlantis", "2026-11-30T23:00:00Z", None),
    ],
)
def test_quiet_hours_end_at_the_time_of_the_users_clock(hours: str, zone: str, now: str, until: str | None) -> None:
    begin, end = (minute_of(one) for one in hours.split("-"))
    assert begin is not None
    assert end is not None

    found = QuietHours(begin, end, zone).until(ms(now))

    assert found == (None if until is None else datetime.fromisoformat(until))


@pytest.mark.parametrize("zone", [BERLIN, NEW_YORK, SHANGHAI, "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"])
def test_away_from_changes_of_clocks_quiet_hours_are_what_the_clock_shows(zone: str) -> None:
    chosen, place = random.Random(zone), zone_of(zone)
    assert place
    for _ in range(300):
        begin, end = chosen.sample(range(1440), 2)
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chosen.randrange(365 * 1440))
        offsets = {(now + timedelta(hours=hours)).astimezone(place).utcoffset() for hours in range(-30, 31)}
        if len(offsets) > 1:
            continue
        local = now.astimezone(place)
        minute = local.hour * 60 + local.minute
        left = (end - minute) % 1440 if (minute - begin) % 1440 < (end - begin) % 1440 else 0
        found = QuietHours(begin, end, zone).until(int(now.timestamp() * 1000))
        assert found == (now + timedelta(minutes=left) if left else None)


def test_times_and_zones_have_one_form() -> None:
    assert [minute_of(text) for text in ("00:00", "07:05", "23:59")] == [0, 425, 1439]
    assert [text_of(minute) for minute in (0, 425, 1439)] == ["00:00", "07:05", "23:59"]
    assert {minute_of(text) for text in ("", "24:00", "7:05", "07:60", "07:05:00", "07:05\n", "٠٧:٠٥")} == {None}
    assert [bool(zone_of(name)) for name in ("UTC", "Asia/Shanghai", "America/Argentina/Ushuaia", "Etc/GMT+5")] == [
        True
    ] * 4
    for bad in ("", "Asia", "../etc/passwd", "/etc/localtime", "Asia/Atlantis", "UTC\x00", "A" * 65, "中国"):
        assert zone_of(bad) is None
