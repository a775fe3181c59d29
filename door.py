"""The one door: every GraphQL request passes here, is authenticated, bounded, executed, masked and counted."""

import asyncio
import ipaddress
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from strawberry.schema.exceptions import CannotGetOperationTypeError

import masking
import metrics
import texts
from auth import Verifier
from commands.users import identify
from context import Client, Context, Viewer
from errors import BadInput, PlauditError, Unauthenticated, Unavailable
from loaders.shared import SharedLoaders
from schema import schema
from state import State

_STATUS = {"UNAUTHENTICATED": 401, "UNAVAILABLE": 503, "RATE_LIMITED": 429}
_TOO_LONG = Unavailable("This took too long; whether a write was done is unknown.")
_GRAPHQL_JSON = "application/graphql-response+json"


@dataclass(frozen=True, slots=True)
class Operation:
    """What a client wants executed."""

    query: str
    variables: dict[str, Any] | None
    name: str | None


class Door:
    """An endpoint for `POST /graphql`."""

    def __init__(self, state: State, shared: SharedLoaders, verifier: Verifier) -> None:
        self._state = state
        self._shared = shared
        self._verifier = verifier

    async def __call__(self, request: Request) -> Response:
        """Answers one request. Never raises: whatever happens is a GraphQL response."""
        started, usage = time.perf_counter(), metrics.Usage()
        metrics.usage.set(usage)
        context: Context | None = None
        try:
            operation = parse(await self._body(request), request.headers)
            async with asyncio.timeout(self._state.settings.request_timeout):
                context = await self._context(request.headers, request.client.host if request.client else None)
                body, status = await self._execute(operation, context)
        except PlauditError as error:
            body, status = masking.request_error(error), _STATUS.get(error.code, 400)
        except TimeoutError:
            body, status = masking.request_error(_TOO_LONG), 503
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            body, status = masking.unexpected(error), 500
        _measure(context.operation if context else "refused", "errors" in body, time.perf_counter() - started, usage)
        return _encoded(body, status, request.headers)

    async def _body(self, request: Request) -> bytes:
        body, most = bytearray(), self._state.settings.max_body_bytes
        try:
            async with asyncio.timeout(self._state.settings.body_timeout):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > most:
                        raise BadInput(f"A request is at most {most} bytes.")
        except (TimeoutError, ClientDisconnect) as error:
            raise BadInput("The request's body did not arrive.") from error
        return bytes(body)

    async def _context(self, headers: Mapping[str, str], ip: str | None) -> Context:
        client = Client(_address(ip), _label(headers, "x-device-id", 128), _label(headers, "x-client-kind", 32))
        return Context(self._state, self._shared, await self._viewer(headers.get("authorization")), client)

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

    async def _execute(self, operation: Operation, context: Context) -> tuple[dict[str, Any], int]:
        try:
            result = await schema.execute(
                operation.query, operation.variables, context_value=context, operation_name=operation.name
            )
        except CannotGetOperationTypeError:
            raise BadInput("operationName names no operation of the document, or none of several.") from None
        body = masking.response(result)
        return body, 200 if "data" in body else 400


def parse(body: bytes, headers: Mapping[str, str]) -> Operation:
    """The operation in a JSON body. Raises BadInput for anything that is none."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadInput("Send Content-Type: application/json.")
    try:
        params = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadInput("The body is not JSON in UTF-8.") from error
    if not isinstance(params, dict):
        raise BadInput("The body is not a JSON object.")
    query, variables, name = params.get("query"), params.get("variables"), params.get("operationName")
    if not isinstance(query, str) or not query:
        raise BadInput("query is not a text.")
    if not isinstance(variables, dict | None):
        raise BadInput("variables is not an object.")
    if not isinstance(name, str | None):
        raise BadInput("operationName is not a text.")
    return Operation(query, variables, name)


def _address(ip: str | None) -> str | None:
    """An address the log can hold. A proxy's header may say anything, and a link-local address names its zone."""
    try:
        return str(ipaddress.ip_address((ip or "").partition("%")[0]))
    except ValueError:
        return None


def _label(headers: Mapping[str, str], header: str, longest: int) -> str | None:
    value = headers.get(header)
    return texts.name(value, f"an {header}", longest) if value else None


def _encoded(body: dict[str, Any], status: int, headers: Mapping[str, str]) -> Response:
    media_type = _GRAPHQL_JSON if _GRAPHQL_JSON in headers.get("accept", "") else "application/json"
    extra = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(orjson.dumps(body), status, extra, media_type=media_type)


def _measure(operation: str, failed: bool, seconds: float, usage: metrics.Usage) -> None:
    metrics.REQUESTS.labels(operation, "errors" if failed else "ok").inc()
    metrics.REQUEST_SECONDS.labels(operation).observe(seconds)
    metrics.REQUEST_ROUND_TRIPS.labels(operation).observe(usage.redis_round_trips)
    metrics.REQUEST_QUERIES.labels(operation).observe(usage.sql_queries)
