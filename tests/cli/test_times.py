"""Times that are typed on the command line."""

from datetime import UTC, datetime, timedelta, timezone

from cli.console import past


def test_a_time_is_read_with_its_offset() -> None:
    noon = datetime(2026, 1, 1, 12)  # noqa: DTZ001 - as typed, without an offset
    assert past(noon) == datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert past(noon.replace(tzinfo=timezone(timedelta(hours=1)))) == datetime(2026, 1, 1, 11, tzinfo=UTC)
