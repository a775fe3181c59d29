"""The configuration of logs."""

import logging

import pytest
import structlog
from structlog.testing import capture_logs

from observability import logs


def test_a_second_configuration_also_applies_to_loggers_that_have_been_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands configure logs when they begin, and tests run several commands in one process."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    log = structlog.get_logger("test")
    logs.configure()
    log.warning("first")
    logs.configure()

    with capture_logs() as captured:
        log.warning("second")

    assert [one["event"] for one in captured] == ["second"]
