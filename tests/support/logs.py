"""Captures what the application logs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def capture_logs() -> Iterator[list[dict[str, Any]]]:
    """Yields a list that gets the events that are logged in the block, of every level, as dictionaries: `event`,
    `log_level`, `exc_info` if there is one, and the event's own values. Libraries are left out.
    """
    root, events = logging.getLogger(), list[dict[str, Any]]()
    capturing, level = _Capturing(events), root.level
    root.addHandler(capturing)
    root.setLevel(logging.DEBUG)
    try:
        yield events
    finally:
        root.removeHandler(capturing)
        root.setLevel(level)


class _Capturing(logging.Handler):
    def __init__(self, events: list[dict[str, Any]]) -> None:
        super().__init__()
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        if (values := getattr(record, "values", None)) is not None:
            error = {"exc_info": record.exc_info[1]} if record.exc_info else {}
            self._events.append(
                {"event": record.getMessage(), "log_level": record.levelname.lower(), **values, **error}
            )
