"""The configuration of logs, and the form of a line."""

import json
import logging
import secrets
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider

from observability import logs, metrics
from observability.logs import Log

log = Log("test", store="redis")


@pytest.fixture(autouse=True)
def root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_second_configuration_replaces_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Commands configure logs when they begin, and tests run several commands in one process."""
    logs.configure("WARNING")
    logs.configure("INFO")

    log.info("only once")

    assert capsys.readouterr().err.count("only once") == 1


def test_in_production_a_line_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(as_json=True)

    log.warning("a store is\ndown", attempts=2, error=ValueError("no"))
    logging.getLogger("library").warning("%s of a library", "a line")

    ours, other = map(json.loads, capsys.readouterr().err.splitlines())
    assert ours.pop("timestamp").endswith("Z")
    assert ours == {
        "event": "a store is\ndown",
        "level": "warning",
        "store": "redis",
        "attempts": 2,
        "error": "ValueError('no')",
    }
    assert (other["event"], other["level"]) == ("a line of a library", "warning")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_traceback_has_no_local_variables(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(as_json=as_json)
    token = secrets.token_hex()

    with pytest.raises(LookupError) as caught:
        refuse(token)
    log.error("unexpected error", exc_info=caught.value)

    line = capsys.readouterr().err
    assert f"LookupError: {len(token)}" in line
    assert "in refuse" in line
    assert token not in line


def test_a_line_of_a_traced_request_has_the_trace_id(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure(as_json=True)
    span = TracerProvider().get_tracer("test").start_span("request")
    token = metrics.usage.set(metrics.Usage(span=span))

    log.info("inside")
    metrics.usage.reset(token)
    log.info("outside")

    inside, outside = map(json.loads, capsys.readouterr().err.splitlines())
    assert inside["trace_id"] == f"{span.get_span_context().trace_id:032x}"
    assert "trace_id" not in outside


def refuse(token: str) -> None:
    raise LookupError(len(token))


def test_in_development_a_line_has_the_event_and_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()

    log.warning("a store is down", attempts=2)

    time, _, line = capsys.readouterr().err.partition(" ")
    assert time.endswith("Z")
    assert line == "[warning] a store is down store=redis attempts=2\n"
