"""`/graphql` over HTTP: reads a request, bounds its time, and sends the response of api/execute.py.

Every request is counted. A process runs a limited number at once; further requests are refused unread, because queueing
them would delay all.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from api import limits, masking, messages
from api.execute import GraphQLService
from api.messages import GraphQLRequest, GraphQLResponse
from api.transports.overload import OVERLOADED
from context import Context
from domain.errors import BadInput, NotServed, PlauditError, TooExpensive, Unavailable
from observability import metrics

_TOO_LONG = Unavailable("This took too long; whether a write was done is unknown.")


@dataclass(slots=True)
class HttpExchange:
    """What is known about a request so far."""

    request: Request
    media_type: str = messages.JSON
    context: Context | None = None


class Endpoint:
    """Handles all methods. Methods that are not served are refused with a GraphQL error, too."""

    def __init__(self, service: GraphQLService) -> None:
        self._service = service
        self._settings = service.settings
        self._running = 0

    @property
    def is_full(self) -> bool:
        """Whether the maximum number of requests is running."""
        return self._running >= self._settings.max_concurrent_requests

    async def __call__(self, request: Request) -> Response:
        """Answers one request. Never raises: every failure becomes a GraphQL response."""
        started, usage = time.perf_counter(), metrics.Usage()
        metrics.usage.set(usage)
        exchange = HttpExchange(request)
        answer, content = _encoded(await self._answer(exchange))
        name = exchange.context.operation if exchange.context else "refused"
        _measure(name, _outcome(answer), time.perf_counter() - started, usage)
        extra = {"Cache-Control": cache_control(exchange, answer, self._settings.public_max_age), **answer.headers}
        if exchange.context and exchange.context.allowance and "public" not in extra["Cache-Control"]:
            extra |= limits.headers(exchange.context.allowance, exchange.context.state.now_ms())
        status = _status(answer, exchange)
        return messages.response(request.method, request.headers, exchange.media_type, content, status, extra)

    async def _answer(self, exchange: HttpExchange) -> GraphQLResponse:
        request = exchange.request
        try:
            exchange.media_type = messages.negotiated(request.headers)
            with self._occupied():
                exchange.context = await caller(request, self._service)
            wanted = await asked(request, exchange.context, self._service)
            if self.is_full:  # the process was not full when the request came
                metrics.REQUESTS_SHED.inc()
                return GraphQLResponse(masking.request_error(OVERLOADED), *messages.refusal(OVERLOADED))
            return await self._run(wanted, exchange.context)
        except PlauditError as error:
            return GraphQLResponse(masking.request_error(error), *messages.refusal(error))
        except TimeoutError:
            return GraphQLResponse(masking.request_error(_TOO_LONG), 503)
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            return GraphQLResponse(masking.unexpected(error), 500)

    async def _run(self, wanted: GraphQLRequest, context: Context) -> GraphQLResponse:
        with self._occupied():
            async with asyncio.timeout(self._settings.request_timeout):
                return await self._service.execute(wanted, context)

    @contextmanager
    def _occupied(self) -> Iterator[None]:
        """Counts a request as running while the block runs. A request whose body is still being sent does not count,
        because its client may be slow.
        """
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1


async def caller(request: Request, service: GraphQLService) -> Context:
    """Authenticates a request from its head alone. Raises PlauditError, or TimeoutError. The cost of a head that is
    refused is charged to the address, because no user is authenticated yet.
    """
    ip = request.client.host if request.client else None
    try:
        messages.check_head(request.method, request.headers)
    except BadInput:
        await service.charge_address(ip)
        raise
    async with asyncio.timeout(service.settings.request_timeout):
        return await service.context(request.headers, ip)


async def asked(request: Request, context: Context, service: GraphQLService) -> GraphQLRequest:
    """Returns the operation that a request of any method wants executed. The caller's token decides how large the body
    may be. Raises BadInput or TooExpensive, which are charged to the caller, or RateLimited.
    """
    content = request.scope["query_string"] if request.method in messages.READING else b""
    try:
        if request.method in messages.READING:
            return messages.from_url(content, min(messages.LONGEST_URL, service.settings.max_body_bytes))
        content = await _body(request, service.most_bytes(context), service.settings.body_timeout)
        return messages.from_body(content)
    except (BadInput, TooExpensive):
        await service.charge_refused(context, len(content) // messages.KILOBYTE)
        raise


async def _body(request: Request, most: int, seconds: float) -> bytes:
    """Reads a body. Raises NotServed if it is too large: at once if its length was announced."""
    body = bytearray()
    announced = request.headers.get("content-length", "")
    _check_length(int(announced) if announced.isdecimal() and len(announced) < 20 else 0, most)
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                _check_length(len(body), most)
    except (TimeoutError, ClientDisconnect) as error:
        raise NotServed("The body of the request did not arrive in time.", 408) from error
    return bytes(body)


def _check_length(has: int, most: int) -> None:
    if has > most:
        raise NotServed(f"The body has {has} bytes or more; the limit is {most}.", 413)


def cache_control(exchange: HttpExchange, answer: GraphQLResponse, public_max_age: int) -> str:
    """Returns the Cache-Control header. Shared caches may keep responses that contain no personal data and were
    requested without a token.
    """
    context = exchange.context
    if exchange.request.method not in messages.READING:
        return "no-store"
    if context is None or _outcome(answer) != "ok":
        return "private, no-store"
    if context.actor_id is None and not context.is_personal:
        return f"public, max-age={public_max_age}"
    return "private, max-age=0, must-revalidate"


def _status(answer: GraphQLResponse, exchange: HttpExchange) -> int:
    """Returns the status. Partial data has its own status for clients that ask for the GraphQL media type."""
    is_partial = answer.status == 200 and "errors" in answer.body and "data" in answer.body
    return messages.PARTIAL if is_partial and exchange.media_type == messages.GRAPHQL_JSON else answer.status


def _encoded(answer: GraphQLResponse) -> tuple[GraphQLResponse, bytes]:
    try:
        return answer, orjson.dumps(answer.body)
    except TypeError as error:  # for values that JSON cannot hold
        answer = GraphQLResponse(masking.unexpected(error), 500)
        return answer, orjson.dumps(answer.body)


def _outcome(answer: GraphQLResponse) -> str:
    """Returns the outcome for metrics: whether everything was answered, something failed, or something is missing for
    now.
    """
    if "errors" in answer.body:
        return "errors"
    lacking = answer.body.get("extensions", {}).get("degraded", ())
    return "degraded" if any(one["retryAfter"] is not None for one in lacking) else "ok"


def _measure(operation: str, outcome: str, seconds: float, usage: metrics.Usage) -> None:
    metrics.REQUESTS.labels(operation, outcome).inc()
    metrics.REQUEST_SECONDS.labels(operation).observe(seconds)
    metrics.REQUEST_ROUND_TRIPS.labels(operation).observe(usage.redis_round_trips)
    metrics.REQUEST_QUERIES.labels(operation).observe(usage.sql_queries)
