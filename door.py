"""The one door: every GraphQL request passes here, is authenticated, bounded, executed, masked and counted."""

import asyncio
import ipaddress
import time
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types.execution import PreExecutionError
from strawberry.types.graphql import OperationType

import masking
import metrics
import texts
import wire
from auth import Verifier
from commands.users import identify
from context import Client, Context, Viewer
from errors import BadInput, NotServed, PlauditError, Unauthenticated, Unavailable
from loaders.shared import SharedLoaders
from persisted.operations import PersistedOperations
from schema import schema
from state import State
from wire import Answer, Operation

_TOO_LONG = Unavailable("This took too long; whether a write was done is unknown.")


@dataclass(slots=True)
class Exchange:
    """What has become known of a request so far."""

    request: Request
    media_type: str = wire.JSON
    operation: Operation | None = None
    text: str = ""
    """The document: what the operation says, or what its id or hash stands for."""
    context: Context | None = None


class Door:
    """The endpoint of `/graphql`, for every method."""

    def __init__(self, state: State, shared: SharedLoaders, verifier: Verifier, persisted: PersistedOperations) -> None:
        self._state = state
        self._shared = shared
        self._verifier = verifier
        self._persisted = persisted

    async def __call__(self, request: Request) -> Response:
        """Answers one request. Never raises: whatever happens is a GraphQL response."""
        started, usage = time.perf_counter(), metrics.Usage()
        metrics.usage.set(usage)
        exchange = Exchange(request)
        answer = await self._answer(exchange)
        name = exchange.context.operation if exchange.context else "refused"
        _measure(name, "errors" in answer.body, time.perf_counter() - started, usage)
        kept = cache_control(exchange, answer, self._state.settings.public_max_age)
        return wire.response(request.method, request.headers, exchange.media_type, answer, kept)

    async def _answer(self, exchange: Exchange) -> Answer:
        request = exchange.request
        try:
            exchange.media_type = wire.negotiated(request.headers)
            exchange.operation = operation = await self._operation(request)
            async with asyncio.timeout(self._state.settings.request_timeout):
                exchange.context = await self._context(request.headers, request.client.host if request.client else None)
                exchange.text = await self._persisted.text_of(operation)
                return await self._execute(operation, exchange.text, exchange.context)
        except PlauditError as error:
            return Answer(masking.request_error(error), *wire.refusal(error))
        except TimeoutError:
            return Answer(masking.request_error(_TOO_LONG), 503)
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            return Answer(masking.unexpected(error), 500)

    async def _operation(self, request: Request) -> Operation:
        if request.method in wire.READING:
            return wire.from_url(request.scope["query_string"], self._state.settings.max_body_bytes)
        if request.method != "POST":
            raise NotServed("Send GET or POST.", 405, allow="GET, POST")
        wire.require_json(request.headers)
        return wire.from_body(await self._body(request))

    async def _body(self, request: Request) -> bytes:
        body, most = bytearray(), self._state.settings.max_body_bytes
        try:
            async with asyncio.timeout(self._state.settings.body_timeout):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > most:
                        raise NotServed(f"A body is at most {most} bytes.", 413)
        except (TimeoutError, ClientDisconnect) as error:
            raise BadInput("The request's body did not arrive.") from error
        return bytes(body)

    async def _context(self, headers: Headers, ip: str | None) -> Context:
        client = Client(_address(ip), _label(headers, "x-device-id", 128), _label(headers, "x-client-kind", 32))
        return Context(self._state, self._shared, await self._viewer(wire.only(headers, "authorization")), client)

    async def _viewer(self, authorization: str | None) -> Viewer | None:
        """Nobody without a token; a bad token is an error, never nobody."""
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("Send a token as: Authorization: Bearer <token>.")
        claims = await self._verifier.verify(token.strip())
        user_id = await identify(self._state, self._shared, claims)
        return Viewer(user_id, claims.issuer, claims.scopes, claims.businesses)

    async def _execute(self, operation: Operation, text: str, context: Context) -> Answer:
        try:
            result = await schema.execute(
                text,
                operation.variables,
                context_value=context,
                operation_name=operation.name,
                allowed_operation_types=[OperationType.QUERY] if operation.only_reads else None,
            )
        except CannotGetOperationTypeError:
            raise BadInput("operationName names no operation of the document, or none of several.") from None
        except InvalidOperationTypeError:
            raise NotServed("Only queries are run by GET.", 405, allow="POST") from None
        if not isinstance(result, PreExecutionError):
            await self._persisted.remember(operation, text)
        body = masking.response(result)
        return Answer(body, 200 if "data" in body else 400)


def cache_control(exchange: Exchange, answer: Answer, public_max_age: int) -> str:
    """Who may keep an answer: anybody, if nobody in particular asked and all would be told the same."""
    context = exchange.context
    if exchange.request.method not in wire.READING:
        return "no-store"
    if context is None or "errors" in answer.body:
        return "private, no-store"
    if context.actor_id is None and not wire.may_differ_by_viewer(exchange.text):
        return f"public, max-age={public_max_age}"
    return "private, max-age=0, must-revalidate"


def _address(ip: str | None) -> str | None:
    """An address the log can hold. A proxy's header may say anything, and a link-local address names its zone."""
    try:
        return str(ipaddress.ip_address((ip or "").partition("%")[0]))
    except ValueError:
        return None


def _label(headers: Headers, header: str, longest: int) -> str | None:
    value = wire.only(headers, header)
    return texts.name(value, f"an {header}", longest) if value else None


def _measure(operation: str, failed: bool, seconds: float, usage: metrics.Usage) -> None:
    metrics.REQUESTS.labels(operation, "errors" if failed else "ok").inc()
    metrics.REQUEST_SECONDS.labels(operation).observe(seconds)
    metrics.REQUEST_ROUND_TRIPS.labels(operation).observe(usage.redis_round_trips)
    metrics.REQUEST_QUERIES.labels(operation).observe(usage.sql_queries)
