"""Structured logs: coloured lines in development, one JSON object per line in production."""

import logging
import sys
from typing import TextIO

import structlog
import structlog.tracebacks

_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)  # locals hold what users wrote, and tokens
)


class _StandardError(logging.StreamHandler[TextIO]):
    """A log handler that writes to the current standard error. A program that runs a command may replace standard
    error.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record to the current standard error."""
        self.stream = sys.stderr
        super().emit(record)


def configure(level: str = "INFO", *, as_json: bool = False) -> None:
    """Sends the logs of structlog and of libraries to standard error, in one format. By default, structlog writes to
    standard output.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    renderer: list[structlog.typing.Processor] = (
        [_TRACEBACKS, structlog.processors.JSONRenderer()]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        ]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = _StandardError()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("uvicorn.access", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
