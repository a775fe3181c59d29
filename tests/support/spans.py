"""A receiver of traces: an HTTP server on loopback that decodes what OpenTelemetry sends, and keeps the spans."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


@dataclass(frozen=True)
class ReceivedSpan:
    """A span as it was received. Ids are hexadecimal; `parent` is empty for the first span of a trace."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    kind: str
    attributes: dict[str, str | int]
    links: list[tuple[str, str]]
    failed: bool
    message: str
    events: list[str]


@dataclass
class Receiver:
    """A server that receives spans."""

    url: str
    spans: list[ReceivedSpan] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def named(self, name: str) -> list[ReceivedSpan]:
        """Returns the spans whose name begins like this."""
        return [span for span in list(self.spans) if span.name.startswith(name)]

    async def until(self, condition: Callable[[Sequence[ReceivedSpan]], object]) -> None:
        """Returns when the spans fulfil a condition."""
        async with asyncio.timeout(30):
            while not condition(list(self.spans)):
                await asyncio.sleep(0.02)


@contextmanager
def receiving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """Starts a receiver. Lets this process, and processes that it starts, send spans to it soon after they end."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.bodies.append(body)
            receiver.spans += _decoded(body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library
            """Logs nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield receiver
        server.shutdown()


def _decoded(body: bytes) -> Iterator[ReceivedSpan]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        service = next(one.value.string_value for one in resource.resource.attributes if one.key == "service.name")
        for scope in resource.scope_spans:
            yield from (_received(service, span) for span in scope.spans)


def _received(service: str, span: Span) -> ReceivedSpan:
    return ReceivedSpan(
        service,
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        {one.key: one.value.string_value or one.value.int_value for one in span.attributes},
        [(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
        span.status.code == Status.STATUS_CODE_ERROR,
        span.status.message,
        [event.name for event in span.events],
    )
