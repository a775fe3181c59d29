"""`/graphql` over HTTP: reads a request, limits its time, and sends the response of api/execute.py with cache headers.

Every request is counted in metrics. A process runs a limited number of requests at once. Further requests are refused
unread, because queueing them would delay all requests.
"""

import time
from functools import cache

import orjson
from prometheus_client import Counter, Histogram
from starlette.types import Receive, Scope

from api import limits, masking, messages, responses
from api.execute import GraphQLService
from api.headers import GRAPHQL_JSON, JSON, VARY, Headers, accepted
from api.messages import GraphQLRequest, GraphQLResponse
from api.responses import HttpResponse
from api.time_limit import TimeLimit
from api.transports.overload import OVERLOADED
from context import Context
from domain.errors import BadInput, NotServed, PlauditError, TooExpensive, Unavailable
from observability import metrics, tracing

_TIMED_OUT = Unavailable("This took too long. It is unknown whether a write was done.")

_TIMING = 'redis;desc="{}", sql;desc="{}", total;dur={:.1f}'
"""The header Server-Timing, in development only: the round trips to Redis and the SQL queries of a request as
descriptions, and its milliseconds. Developer tools of browsers and the demo app show it.
"""


class HttpRequest:
    """One request: its method, headers and query string, the media types that the client accepts, the IP address of the
    client, and a function that receives its body. `context` is None until the request is authenticated.
    """

    __slots__ = ("accepted", "context", "headers", "ip", "method", "query_string", "receive")

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.method: str = scope["method"]
        self.headers = Headers(scope["headers"])
        self.accepted = accepted(self.headers)
        self.query_string: bytes = scope["query_string"]
        self.ip: str | None = scope["client"][0] if scope.get("client") else None
        self.receive = receive
        self.context: Context | None = None


class HttpEndpoint:
    """The handler of all HTTP methods at `/graphql`. Methods other than GET, HEAD and POST are refused with a GraphQL
    error.
    """

    def __init__(self, service: GraphQLService) -> None:
        self._service = service
        self._settings = service.settings
        self._is_timed = service.settings.env == "development"
        self._running = 0

    @property
    def is_full(self) -> bool:
        """Returns whether the process already runs the largest allowed number of requests."""
        return self._running >= self._settings.max_concurrent_requests

    async def __call__(self, request: HttpRequest, vary: str = VARY) -> HttpResponse:
        """Answers one request. `vary` names the headers on which the response depends. Never raises: every failure
        becomes a GraphQL response.
        """
        started, usage = time.perf_counter(), metrics.Usage()
        if tracing.tracer:
            usage.span = tracing.begin_request(request.headers.all("traceparent"))
        metrics.usage.set(usage)
        try:
            answer = await self._answer(request)
            content = orjson.dumps(answer.body)
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            answer = failed(error)
            content = orjson.dumps(answer.body)
        context, status = request.context, answer.status
        outcome = "ok"
        if "errors" in answer.body:
            outcome = "errors"
            if status == 200 and "data" in answer.body and request.accepted.media_type == GRAPHQL_JSON:
                status = messages.PARTIAL_STATUS
        elif context and context.degraded.was_reported:
            outcome = "degraded"
        took = time.perf_counter() - started
        _measure(context.operation if context else "refused", outcome, took, usage)
        if usage.span:
            tracing.end_request(usage, status, outcome, masking.failure(answer.body))
        caching = self._caching(context, outcome) if request.method in messages.READ_METHODS else "no-store"
        sent = {"Vary": vary, "Cache-Control": caching, **answer.headers}
        if context and context.allowance and "public" not in caching:
            sent |= limits.headers(context.allowance, context.state.now_ms())
        used = usage.redis_round_trips, usage.sql_queries, took * 1000
        sent |= {"Server-Timing": _TIMING.format(*used)} if self._is_timed else {}
        return responses.response(request.method, request.headers, request.accepted, content, status, sent)

    async def _answer(self, request: HttpRequest) -> GraphQLResponse:
        """Authenticates, reads and executes a request, and returns its response. Raises PlauditError for a request that
        is refused, TimeoutError for a request that takes too long.
        """
        if request.accepted.media_type is None:
            raise NotServed(f"Accept {GRAPHQL_JSON} or {JSON}.", 406)
        self._running += 1
        try:
            context = await authenticate(request, self._service)
        finally:
            self._running -= 1
        # A request whose body is still being received does not count as running, because its client may be slow.
        graphql_request = await read_request(request, context, self._service)
        if self.is_full:  # the process was not full when the request came
            metrics.REQUESTS_SHED.inc()
            return failed(OVERLOADED)
        self._running += 1
        try:
            with self._service.time_limit():
                return await self._service.execute(graphql_request, context)
        finally:
            context.release()
            self._running -= 1

    def _caching(self, context: Context | None, outcome: str) -> str:
        """Returns the Cache-Control header of the response to a GET or HEAD request. Shared caches may keep the
        response to a request without token and device id, if the response has no personal data, no errors, and no value
        that is missing because a store is down. No cache keeps what a service reads for a user.
        """
        if context is None or outcome != "ok" or context.client.service_id is not None:
            return "private, no-store"
        if context.actor_id is None and not context.is_personal:
            return f"public, max-age={self._settings.public_max_age}"
        return "private, max-age=0, must-revalidate"


def failed(error: Exception) -> GraphQLResponse:
    """Returns the response to a request that an exception has ended. Counts the error, and logs an unexpected one."""
    if isinstance(error, PlauditError):
        return GraphQLResponse(masking.request_error(error), *responses.status_and_headers(error))
    if isinstance(error, TimeoutError):
        return GraphQLResponse(masking.request_error(_TIMED_OUT), 503)
    return GraphQLResponse(masking.internal_error(error), 500)


async def authenticate(request: HttpRequest, service: GraphQLService) -> Context:
    """Checks the method and media type of a request, and authenticates the request by its headers. Returns the context
    of the request, and stores it in `request.context`.

    Raises PlauditError if the request is refused, and TimeoutError if authentication takes too long. The cost of a
    refused request is charged to the address, because no user is authenticated yet.
    """
    if request.method not in messages.READ_METHODS:
        try:
            _check_media_type(request)
        except BadInput:
            await service.charge_address(request.ip)
            raise
    with service.time_limit():
        request.context = await service.context(request.headers, request.ip)
    return request.context


def _check_media_type(request: HttpRequest) -> None:
    """Raises NotServed if the method of a request is not POST, or if the media type of its body is not JSON in UTF-8.
    Not for GET and HEAD requests, which have no body.

    HTML forms cannot send this media type. Browsers let a page of another origin send it only if the server permits it
    (CORS).
    """
    if request.method != "POST":
        raise NotServed("Send GET or POST.", 405, headers={"Allow": "GET, POST"})
    media_type, _, parameters = (request.headers.single("content-type") or "").lower().partition(";")
    charset = parameters.partition("charset=")[2].partition(";")[0].strip(' "')
    if media_type.strip() != JSON or charset not in ("", "utf-8", "utf8"):
        raise NotServed("Send Content-Type: application/json, in UTF-8.", 415)


async def read_request(request: HttpRequest, context: Context, service: GraphQLService) -> GraphQLRequest:
    """Returns the operation that a request of any method wants executed. The caller's token decides how large the body
    may be.

    Raises BadInput or TooExpensive, after charging the caller for the refused request; RateLimited if the caller's
    budget is too low for this charge.
    """
    content, connections = b"", service.settings.connections
    try:
        if request.method in messages.READ_METHODS:
            content = request.query_string
            return messages.from_url(content, min(messages.LONGEST_URL, connections.body_bytes))
        registers = context.viewer is not None and not limits.BULK_SCOPES.isdisjoint(context.viewer.scopes)
        most = connections.bulk_body_bytes if registers else connections.body_bytes
        content = await read_body(request.headers, request.receive, most, service.body_time_limit)
        return messages.from_body(content)
    except (BadInput, TooExpensive):
        await service.charge_refused(context, len(content) // messages.KILOBYTE)
        raise


async def read_body(headers: Headers, receive: Receive, most: int, time_limit: TimeLimit) -> bytes:
    """Returns the body of a request. Raises NotServed if the body is compressed, has more than `most` bytes, or does
    not arrive in time. If the headers say that the body is compressed or too large, raises before reading.
    """
    codings = {coding.strip().lower() for coding in ",".join(headers.all("content-encoding")).split(",")}
    if codings - {"", "identity"}:  # decoding could turn a small body into a very large one
        explanation = "Send the body as it is, without Content-Encoding."
        raise NotServed(explanation, 415, headers={"Accept-Encoding": "identity"})
    announced = headers.first("content-length") or ""
    size = int(announced) if announced.isdecimal() and len(announced) < 20 else 0
    body, more, is_cut = bytearray(), True, False
    try:
        with time_limit():
            while more and size <= most:
                message = await receive()
                body += message.get("body", b"")
                size, more = len(body), message.get("more_body", False)
                is_cut = message["type"] == "http.disconnect"
    except TimeoutError:
        is_cut = True
    if is_cut:
        raise NotServed("The body of the request did not arrive in time.", 408)
    if size > most:
        raise NotServed(f"The body has {size} bytes or more; the limit is {most}.", 413)
    return bytes(body)


def _measure(operation: str, outcome: str, seconds: float, usage: metrics.Usage) -> None:
    """Counts a request in metrics, with its duration in seconds and its accesses to the stores. `outcome` is `ok`,
    `errors`, or `degraded` if a value is missing because a store is down.
    """
    took, round_trips, queries = _histograms(operation)
    _requests(operation, outcome).inc()
    took.observe(seconds)
    round_trips.observe(usage.redis_round_trips)
    queries.observe(usage.sql_queries)


@cache
def _requests(operation: str, outcome: str) -> Counter:
    return metrics.REQUESTS.labels(operation, outcome)


@cache
def _histograms(operation: str) -> tuple[Histogram, Histogram, Histogram]:
    """Returns the histograms of requests with this operation: duration, round trips to Redis, SQL queries."""
    each = metrics.REQUEST_SECONDS, metrics.REQUEST_ROUND_TRIPS, metrics.REQUEST_QUERIES
    took, round_trips, queries = (one.labels(operation) for one in each)
    return took, round_trips, queries
