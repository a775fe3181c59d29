"""Traces: spans of requests and of workers' batches, and of what these send to the stores. OpenTelemetry sends them.

A traced request or batch has its span in `metrics.usage`. What it sends to the stores becomes a child of this span. If
the request or batch appends changes to a journal, the entries have the `traceparent` of the span, so the batch of a
worker continues the trace. OpenTelemetry is an optional package, and is imported when tracing starts.

Spans have names and numbers: operations, clients, commands, statements with placeholders. They have no variables, keys,
tokens, or messages of errors.
"""

import os
import socket
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from observability import metrics
from observability.logs import Log

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, SpanKind, Tracer

log = Log(__name__)
Attributes = Mapping[str, str | int]

_ENDPOINTS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
_FLUSH_SECONDS = 5.0
"""The most seconds that a process waits at its end until its last spans are sent."""
_LONGEST_TRACEPARENT = 100
"""The most characters of a `traceparent`. Version 00 has 55; later versions may have more."""
_LONGEST_NAME = 100
"""The most characters of a name that a client has chosen. The rest is cut off."""
_MOST_SPANS = 100
"""The most traces in which one batch gets a span."""

tracer: "Tracer | None" = None
"""The OpenTelemetry object that starts spans. None while this process traces nothing."""


@contextmanager
def running(service: str, wanted: bool | None) -> Iterator[None]:
    """Traces the requests and batches of this process while the block runs, if `wanted` is true. `service` names the
    kind of process, such as `api`. If `wanted` is None, traces if an OTEL_ environment variable says where to send
    spans (`_ENDPOINTS`). Does not trace if OpenTelemetry is not installed, if it refuses an OTEL_ environment variable,
    or if OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER turns tracing off.
    """
    global tracer  # noqa: PLW0603 - a process has one tracer
    provider = _provider(service) if _is_on(wanted) else None
    if provider is None:
        yield
        return
    tracer = provider.get_tracer("plaudit")
    try:
        yield
    finally:
        tracer = None
        sending = threading.Thread(target=provider.shutdown, daemon=True)  # it may wait long for a receiver
        sending.start()
        sending.join(_FLUSH_SECONDS)


def _is_on(wanted: bool | None) -> bool:
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(map(os.environ.get, _ENDPOINTS)) if wanted is None else wanted


def _provider(service: str) -> "TracerProvider | None":
    """Returns a provider that sends spans by OTLP over HTTP; None if OpenTelemetry is not installed, or refuses the
    value of an OTEL_ environment variable.
    """
    own = {"service.name": f"plaudit-{service}", "service.instance.id": f"{socket.gethostname()}-{os.getpid()}"}
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        resource = Resource.create({**own, **OTELResourceDetector().detect().attributes})
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    except ImportError:
        log.warning("no traces are sent: install plaudit[otel]")
        return None
    except ValueError as error:  # some variables are read when the modules are imported
        log.warning("no traces are sent: OpenTelemetry refuses one of the OTEL_ variables", error=str(error))
        return None
    return provider


def begin_request(traceparents: Sequence[str]) -> "Span | None":
    """Begins and returns the span of a request with these `traceparent` headers. Returns None if the request is not
    sampled. Ignores invalid headers. Call this function only while `tracer` is not None.
    """
    from opentelemetry.trace import SpanKind

    parent = _context(traceparents[0]) if len(traceparents) == 1 else None
    span = _start("request", parent, SpanKind.SERVER)
    return span if span.is_recording() else None


def current() -> "Span | None":
    """Returns the span of the current request or batch; None if it is not traced."""
    usage = metrics.usage.get()
    return usage.span if usage else None


def describe(kind: str, root_field: str, operation: str | None, client: str, version: str) -> None:
    """Names the span of the current request by the kind of its operation and the first root field. Adds the name of the
    operation, and the name and version of the client, as the client states them. Does nothing if the request is not
    traced.
    """
    if span := current():
        chosen = {"graphql.operation.name": operation, "plaudit.client.name": client, "plaudit.client.version": version}
        span.update_name(f"{kind} {root_field}")
        span.set_attributes({"graphql.operation.type": kind, "plaudit.operation": root_field})
        span.set_attributes({name: value[:_LONGEST_NAME] for name, value in chosen.items() if value})


def end_request(usage: metrics.Usage, status: int, outcome: str, failure: str | None) -> None:
    """Ends the span of a request: `usage.span`, which must not be None. `outcome` is `ok`, `errors` or `degraded`;
    `failure` is the code of the error if the server has failed.

    Tasks that the request has started and that go on are not traced any more.
    """
    span, usage.span = usage.span, None
    assert span is not None
    span.set_attributes({"http.response.status_code": status, "plaudit.outcome": outcome})
    if failure:
        fail(span, failure)
    span.end()


def traceparent() -> str:
    """Returns the `traceparent` of the current request, for its journal entries; empty if it is not traced."""
    if (span := current()) is None:
        return ""
    of = span.get_span_context()
    return f"00-{of.trace_id:032x}-{of.span_id:016x}-01"


@contextmanager
def batch(name: str, traceparents: Iterable[bytes | None]) -> Iterator[None]:
    """Traces a block that handles journal entries. `traceparents` are those of the entries, None for an entry that is
    not traced. `name` is the name of the spans.

    What the block sends to the stores belongs to the trace of the first traced entry. The trace of each further entry
    gets a span that is linked to it. Does nothing if no entry is traced.
    """
    each = list(traceparents) if tracer else []
    parents = list(dict.fromkeys(filter(None, each)))[:_MOST_SPANS]
    spans = _linked(name, [_context(one.decode("latin-1")) for one in parents], len(each)) if parents else []
    if not spans:
        yield
        return
    usage = metrics.Usage(span=spans[0])
    token = metrics.usage.set(usage)
    try:
        yield
    except BaseException as error:
        for span in spans:
            fail(span, type(error).__name__)
        raise
    finally:
        metrics.usage.reset(token)
        usage.span = None  # tasks that the block has started may go on
        for span in spans:
            span.end()


def _linked(name: str, parents: "Sequence[Context]", entries: int) -> "list[Span]":
    """Starts one span of a batch in the trace of each parent, and links the first span and each other span with each
    other. Each span states the number of `entries` in the batch. Returns the spans that are sampled.
    """
    from opentelemetry.trace import SpanKind

    started = [_start(name, parent, SpanKind.CONSUMER, {"plaudit.entries": entries}) for parent in parents]
    spans = [span for span in started if span.is_recording()]
    for other in spans[1:]:
        other.add_link(spans[0].get_span_context())
        spans[0].add_link(other.get_span_context())
    return spans


def child(parent: "Span", name: str, attributes: Attributes) -> "Span":
    """Starts and returns a span for commands or a statement sent to a store. `parent` is the span of the request or
    batch.
    """
    from opentelemetry.trace import SpanKind

    return _start(name, _below(parent), SpanKind.CLIENT, attributes)


def begin_load(loader: str, keys: int) -> "Span | None":
    """Begins and returns the span of a loader that loads this number of keys. Returns None if the request is not
    traced.
    """
    from opentelemetry.trace import SpanKind

    parent = current()
    return _start(f"load {loader}", _below(parent), SpanKind.INTERNAL, {"plaudit.keys": keys}) if parent else None


def _below(parent: "Span") -> "Context":
    from opentelemetry.context import Context
    from opentelemetry.trace import set_span_in_context

    return set_span_in_context(parent, Context())


def fail(span: "Span", reason: str) -> None:
    """Marks a span as failed. `reason` is the name of an error, not its message, which may contain users' texts."""
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", reason)
    span.set_status(Status(StatusCode.ERROR))


def _start(name: str, parent: "Context | None", kind: "SpanKind", attributes: Attributes | None = None) -> "Span":
    from opentelemetry.context import Context
    from opentelemetry.trace import NoOpTracer

    return (tracer or NoOpTracer()).start_span(name, parent or Context(), kind, attributes)


def _context(value: str) -> "Context":
    """Returns the OpenTelemetry context that a `traceparent` names; an empty one if the value is invalid."""
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    if len(value) > _LONGEST_TRACEPARENT:
        return Context()
    return TraceContextTextMapPropagator().extract({"traceparent": value}, Context())
