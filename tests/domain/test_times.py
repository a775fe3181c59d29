"""Times are read and written exactly in the format of RFC 3339."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import times
from domain.errors import BadInput

MIDNIGHT = datetime(2100, 1, 1, tzinfo=UTC)
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TIMES = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=OFFSETS)  # noqa: DTZ001 - zones are added


@given(TIMES, st.sampled_from("Tt"), st.sampled_from("Zz"), st.integers(1, 12))
def test_every_time_is_read_in_each_spelling(time: datetime, t: str, z: str, digits: int) -> None:
    text = time.isoformat().replace("T", t)
    if "." in text:
        text = text.replace(f".{time.microsecond:06}", f".{time.microsecond:06}" + "9" * (digits - 1))
    if time.utcoffset() == timedelta(0):
        text = text.removesuffix("+00:00") + z

    read = times.parse(text)

    assert read == time
    assert read.utcoffset() == timedelta(0)


@given(TIMES)
def test_a_written_time_can_be_read_again(time: datetime) -> None:
    text = times.formatted(time)

    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text)
    assert timedelta(0) <= time - times.parse(text) < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2099-12-31T23:59:60Z", MIDNIGHT),
        ("2099-12-31T23:59:60.5Z", MIDNIGHT + timedelta(seconds=0.5)),
        ("2100-01-01T05:29:60+05:30", MIDNIGHT),
        ("2099-12-31T23:59:59.1Z", MIDNIGHT - timedelta(seconds=0.9)),
        ("2099-12-31T23:59:59.1234567891Z", MIDNIGHT - timedelta(microseconds=876_544)),
        ("2100-01-01T00:00:00-00:00", MIDNIGHT),
        ("2000-02-29T00:00:00Z", datetime(2000, 2, 29, tzinfo=UTC)),
    ],
)
def test_a_leap_second_is_the_next_second_and_decimals_are_cut(text: str, expected: datetime) -> None:
    assert times.parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "20990101T000000Z",
        "2099-01-01T00:00:00,5Z",
        "2099-01-01T00:00Z",
        "2099-01-01T00Z",
        "2099-01-01T00:00:00+0000",
        "2099-01-01T00:00:00+00",
        "2099-01-01T00:00:00+00:00:00",
        "2099-01-01T00:00:00+24:00",
        "2099-01-01T00:00:00+00:60",
        "2099-01-01T00:00:00\N{MINUS SIGN}01:00",
        "2099-W01-1T00:00Z",
        "2099-W01-1T00:00:00Z",
        "2099-001T00:00:00Z",
        "2099-01-01",
        "2099-01-01T00:00:00",
        "2099-01-01 00:00:00Z",
        "2099-01-01T00:00:00.Z",
        "2099-01-01T00:00:00Z ",
        " 2099-01-01T00:00:00Z",
        "2099-01-01T00:00:00Z\n",
        "2099-1-1T0:0:0Z",
        "+2099-01-01T00:00:00Z",
        "12099-01-01T00:00:00Z",
        "２０９９-01-01T00:00:00Z",
        "2099-02-29T00:00:00Z",
        "2099-00-01T00:00:00Z",
        "2099-13-01T00:00:00Z",
        "2099-01-01T24:00:00Z",
        "2099-01-01T00:60:00Z",
        "2099-01-01T00:00:61Z",
        "2099-01-01T12:00:60Z",
        "2099-06-15T23:59:60Z",
        "2099-12-31T23:59:60+01:00",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:60Z",
        "9999-12-31T23:59:59-00:01",
        "",
        "now",
        4_070_908_800,
        4_070_908_800.0,
        None,
        True,
        ["2099-01-01T00:00:00Z"],
    ],
)
def test_every_other_value_is_refused(text: Any) -> None:
    with pytest.raises(BadInput):
        times.parse(text)
