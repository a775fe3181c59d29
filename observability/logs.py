"""Structured logs: events with named values. In production, each line is one JSON object."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from observability import metrics

_COLOURS = {"warning": 33, "error": 31, "critical": 31}
"""The colours of levels on a terminal, as ANSI codes."""
_NORMAL = 0


class Log:
    """Logs events with named values. The values of `always` are added to every event of this log."""

    def __init__(self, name: str, **always: object) -> None:
        self._logger = logging.getLogger(name)
        self._always = always

    def info(self, event: str, **values: object) -> None:
        self._write(logging.INFO, event, values)

    def warning(self, event: str, **values: object) -> None:
        self._write(logging.WARNING, event, values)

    def error(self, event: str, *, exc_info: BaseException | None = None, **values: object) -> None:
        self._write(logging.ERROR, event, values, exc_info)

    def _write(self, level: int, event: str, values: dict[str, object], error: BaseException | None = None) -> None:
        self._logger.log(level, event, exc_info=error, extra={"values": self._always | values})


class _JsonFormatter(logging.Formatter):
    """Formats a record of `Log` or of a library as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_facts(record), default=repr, skipkeys=True)


class _TextFormatter(logging.Formatter):
    """Formats a record as text for people, with colours on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        event, level, time, trace = (facts.pop(name, "") for name in ("event", "level", "timestamp", "exception"))
        if sys.stderr.isatty():
            level = f"\033[{_COLOURS.get(level, _NORMAL)}m{level}\033[{_NORMAL}m"
        line = " ".join([time, f"[{level}]", event, *(f"{name}={value}" for name, value in facts.items())])
        return f"{line}\n{trace}" if trace else line


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    """Returns the values of a record by name: its named values, `event`, `level`, `timestamp`, and `trace_id` and
    `exception` if the record has them. A traceback has no local variables, because they may contain users' texts and
    tokens.
    """
    facts: dict[str, Any] = dict(getattr(record, "values", {}))
    if (usage := metrics.usage.get()) and usage.span:
        facts["trace_id"] = f"{usage.span.get_span_context().trace_id:032x}"
    if record.exc_info:
        facts["exception"] = logging.Formatter().formatException(record.exc_info)
    time = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
    return facts | {"event": record.getMessage(), "level": record.levelname.lower(), "timestamp": time}


class _StandardError(logging.StreamHandler[TextIO]):
    """A log handler that writes to the current standard error. A program that runs a command may replace standard
    error.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record to the current standard error."""
        self.stream = sys.stderr
        super().emit(record)


def configure(level: str = "INFO", *, as_json: bool = False) -> None:
    """Sends the logs of this program and of libraries to standard error, as JSON or as text for people. Replaces all
    handlers of the root logger.
    """
    handler = _StandardError()
    handler.setFormatter(_JsonFormatter() if as_json else _TextFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("uvicorn.access", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
