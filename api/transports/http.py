"""`/graphql` over HTTP: reads a request, limits its time, and sends the response of api/execute.py.

Every request is counted in metrics. A process runs a limited number of requests at once. Further requests are refused
unread, because queueing them would delay all requests.
"""

import time
from functools import cache

import orjson
from prometheus_client import Counter, Histogram
from starlette.types import Receive, Scope

from api import accept, bodies, limits, masking, messages, responses
from api.accept import GRAPHQL_JSON, JSON
from api.execute import GraphQLService
from api.headers import Headers
from api.messages import GraphQLRequest, GraphQLResponse
from api.responses import HttpResponse
from api.transports.overload import OVERLOADED
from context import Context
from domain.errors import BadInput, PlauditError, TooExpensive, Unavailable
from observability import metrics, tracing

_TIMED_OUT = Unavailable("This took too long. It is unknown whether a write was done.")


class HttpRequest:
    """One request: its method, headers and query string, the IP address of the client, and a function that receives
    its body.
    """

    __slots__ = ("headers", "ip", "method", "query_string", "receive")

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.method: str = scope["method"]
        self.headers = Headers(scope["headers"])
        self.query_string: bytes = scope["query_string"]
        self.ip: str | None = scope["client"][0] if scope.get("client") else None
        self.receive = receive


class HttpExchange:
    """The parts of one request and its response that are known so far."""

    __slots__ = ("context", "media_type", "request")

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.media_type = JSON
        self.context: Context | None = None


class HttpEndpoint:
    """The handler of all HTTP methods at `/graphql`. Methods other than GET, HEAD and POST are refused with a GraphQL
    error.
    """

    def __init__(self, service: GraphQLService) -> None:
        self._service = service
        self._settings = service.settings
        self._running = 0

    @property
    def is_full(self) -> bool:
        """Returns whether the process runs as many requests as it may."""
        return self._running >= self._settings.max_concurrent_requests

    async def __call__(self, request: HttpRequest, vary: str = messages.VARY) -> HttpResponse:
        """Answers one request. `vary` names the headers on which the response depends. Never raises: every failure
        becomes a GraphQL response.
        """
        started = time.perf_counter()
        span = tracing.begin_request(request.headers.all("traceparent")) if tracing.tracer else None
        usage = metrics.Usage(span=span)
        metrics.usage.set(usage)
        exchange = HttpExchange(request)
        answer, content = _encoded(await self._answer(exchange))
        name = exchange.context.operation if exchange.context else "refused"
        _measure(name, _outcome(answer), time.perf_counter() - started, usage)
        if usage.span:
            tracing.end_request(usage, _status(answer, exchange), _outcome(answer), masking.failure(answer.body))
        caching = cache_control(exchange, answer, self._settings.public_max_age)
        headers = {"Vary": vary, "Cache-Control": caching, **answer.headers}
        if exchange.context and exchange.context.allowance and "public" not in headers["Cache-Control"]:
            headers |= limits.headers(exchange.context.allowance, exchange.context.state.now_ms())
        status = _status(answer, exchange)
        return responses.response(request.method, request.headers, exchange.media_type, content, status, headers)

    async def _answer(self, exchange: HttpExchange) -> GraphQLResponse:
        request = exchange.request
        try:
            exchange.media_type = accept.negotiate_media_type(request.headers)
            self._running += 1
            try:
                exchange.context = await authenticate(request, self._service)
            finally:
                self._running -= 1
            # A request whose body is still being received does not count as running, because its client may be slow.
            graphql_request = await read_request(request, exchange.context, self._service)
            if self.is_full:  # the process was not full when the request came
                metrics.REQUESTS_SHED.inc()
                return GraphQLResponse(masking.request_error(OVERLOADED), *responses.status_and_headers(OVERLOADED))
            return await self._run(graphql_request, exchange.context)
        except PlauditError as error:
            return GraphQLResponse(masking.request_error(error), *responses.status_and_headers(error))
        except TimeoutError:
            return GraphQLResponse(masking.request_error(_TIMED_OUT), 503)
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            return GraphQLResponse(masking.internal_error(error), 500)

    async def _run(self, graphql_request: GraphQLRequest, context: Context) -> GraphQLResponse:
        self._running += 1
        try:
            with self._service.time_limit():
                return await self._service.execute(graphql_request, context)
        finally:
            context.release()
            self._running -= 1


async def authenticate(request: HttpRequest, service: GraphQLService) -> Context:
    """Authenticates a request by its headers. Returns the context.

    Raises PlauditError or TimeoutError. The cost of a refused request is charged to the address, because no user is
    authenticated yet.
    """
    try:
        messages.check_method_and_type(request.method, request.headers)
    except BadInput:
        await service.charge_address(request.ip)
        raise
    with service.time_limit():
        return await service.context(request.headers, request.ip)


async def read_request(request: HttpRequest, context: Context, service: GraphQLService) -> GraphQLRequest:
    """Returns the operation that a request of any method wants executed. The caller's token decides how large the body
    may be.

    Raises BadInput or TooExpensive, after charging the caller for the refused request; RateLimited if the caller's
    budget is too low for this charge.
    """
    content = request.query_string if request.method in messages.READ_METHODS else b""
    try:
        if request.method in messages.READ_METHODS:
            return messages.from_url(content, min(messages.LONGEST_URL, service.settings.connections.body_bytes))
        content = await bodies.read(
            request.headers, request.receive, service.most_bytes(context), service.body_time_limit
        )
        return messages.from_body(content)
    except (BadInput, TooExpensive):
        await service.charge_refused(context, len(content) // messages.KILOBYTE)
        raise


def cache_control(exchange: HttpExchange, answer: GraphQLResponse, public_max_age: int) -> str:
    """Returns the Cache-Control header of a response. Shared caches may keep the response to a GET or HEAD request
    without token and device id, if the response has no personal data, no errors, and no value that is missing because a
    store is down. No cache keeps what a service reads for a user.
    """
    context = exchange.context
    if exchange.request.method not in messages.READ_METHODS:
        return "no-store"
    if context is None or _outcome(answer) != "ok" or context.client.service_id is not None:
        return "private, no-store"
    if context.actor_id is None and not context.is_personal:
        return f"public, max-age={public_max_age}"
    return "private, max-age=0, must-revalidate"


def _status(answer: GraphQLResponse, exchange: HttpExchange) -> int:
    """Returns the HTTP status. A response with both data and errors has status 294 for clients that ask for the GraphQL
    media type.
    """
    is_partial = answer.status == 200 and "errors" in answer.body and "data" in answer.body
    return messages.PARTIAL_STATUS if is_partial and exchange.media_type == GRAPHQL_JSON else answer.status


def _encoded(answer: GraphQLResponse) -> tuple[GraphQLResponse, bytes]:
    try:
        return answer, orjson.dumps(answer.body)
    except TypeError as error:  # for values that JSON cannot hold
        answer = GraphQLResponse(masking.internal_error(error), 500)
        return answer, orjson.dumps(answer.body)


def _outcome(answer: GraphQLResponse) -> str:
    """Returns the outcome for metrics: `ok`, `errors`, or `degraded` if a value is missing because a store is down."""
    if "errors" in answer.body:
        return "errors"
    lacking = answer.body.get("extensions", {}).get("degraded", ())
    return "degraded" if any(one["retryAfter"] is not None for one in lacking) else "ok"


def _measure(operation: str, outcome: str, seconds: float, usage: metrics.Usage) -> None:
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
    """Returns the histograms of an operation: duration, round trips to Redis, SQL queries."""
    each = metrics.REQUEST_SECONDS, metrics.REQUEST_ROUND_TRIPS, metrics.REQUEST_QUERIES
    took, round_trips, queries = (one.labels(operation) for one in each)
    return took, round_trips, queries
