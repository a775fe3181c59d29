"""Runs a GraphQL request, whatever its transport: authenticates the caller, charges, checks, executes and masks errors.

Input: a request that a transport has parsed. Output: a `GraphQLResponse`, or a PlauditError for a refused request.
"""

import asyncio
import ipaddress
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from typing import Any, TypeVar, cast

import structlog
from graphql import ExecutionResult, GraphQLSyntaxError, OperationType
from starlette.datastructures import Headers

from api import masking, messages
from api.limits import BULK, Roles, WriteCounts
from api.messages import GraphQLRequest, GraphQLResponse
from api.persisted.operations import PersistedOperations
from commands.users import identify
from context import Client, Context, Viewer
from domain import texts
from domain.errors import BadInput, NotServed, PlauditError, RateLimited, TooExpensive, Unauthenticated
from execution.documents import DocumentOperation, Invalid, NoOperation, Stepwise, Undeclared, WrongKind
from execution.limits import TooCostly
from identity import permissions
from identity.auth import Verifier
from loaders.shared import SharedLoaders
from observability import metrics
from schema import schema
from schema.planned import Executor, documents_of, execute, subscribe
from state import State

log = structlog.get_logger(__name__)
T = TypeVar("T")

_READING = frozenset({OperationType.QUERY})
_ANSWERED = _READING | {OperationType.MUTATION}
_STREAMED = frozenset({OperationType.SUBSCRIPTION})
_NOTHING: WriteCounts = {}
_REFUSED_COST = 50
"""Points for a document that is refused, a malformed request, or the first request of a new user."""
_CHARACTERS_PER_POINT = 4
"""Characters of an unknown document that cost one point: parsing and validating take as long as several fields."""
_SHOWN = 100
"""Characters of an unknown variable's name that the error message repeats."""
_MOST_AHEAD = 5000
"""The highest price, in points, of a query that runs while its charge is still being made.

If the charge fails the work is lost, so a more expensive query waits for the charge first.
"""


class GraphQLService:
    """Runs operations for all transports of a process."""

    def __init__(self, state: State, shared: SharedLoaders, verifier: Verifier, persisted: PersistedOperations) -> None:
        self.settings = state.settings
        self._state = state
        self._shared = shared
        self._verifier = verifier
        self._persisted = persisted
        self._documents = documents_of(schema, shown=state.settings.shows_schema)
        self._unfit: set[str] = set()
        """Texts of persisted operations that cannot be executed."""
        self._roles = Roles(state.settings.limits, state.settings.businesses)

    def prepare(self, texts: Iterable[str]) -> None:
        """Parses, validates and plans documents before they are requested.

        Logs a warning for each that cannot be executed.
        """
        for text in texts:
            try:
                Executor.plans.prepare(schema._schema, self._documents.warm(text))
            except (Invalid, TooCostly) as error:
                self._unfit.add(text)
                log.warning("a persisted document does not fit the schema", error=str(error), document=text[:200])

    async def context(self, headers: Headers, ip: str | None) -> Context:
        """Returns the context of a request with these headers.

        Raises Unauthenticated for a bad token: it is never ignored.
        """
        try:
            client = Client(_address(ip), _label(headers, "x-device-id", 128), _label(headers, "x-client-kind", 32))
            viewer = await self._viewer(messages.only(headers, "authorization"), ip)
        except (BadInput, Unauthenticated):
            await self.charge_address(ip)
            raise
        return Context(self._state, self._shared, viewer, client)

    async def charge_address(self, ip: str | None, cost: int = _REFUSED_COST) -> None:
        """Charges an address for work done before the caller is known. Raises RateLimited if its budget is too low."""
        charging = self._state.budgets.charge(self._roles.address_charges(_address(ip), cost))
        if isinstance(charging, asyncio.Task):
            await charging

    async def charge_refused(self, context: Context, kilobytes: int) -> None:
        """Charges the caller for a request that was read and refused. Raises RateLimited."""
        await self._charge(context, _REFUSED_COST + kilobytes)

    def most_bytes(self, context: Context) -> int:
        """Returns how many bytes a caller's body may have. Tokens for bulk registration may send larger ones."""
        registers = context.viewer is not None and not BULK.isdisjoint(context.viewer.scopes)
        return self.settings.max_bulk_body_bytes if registers else self.settings.max_body_bytes

    async def execute(self, request: GraphQLRequest, context: Context) -> GraphQLResponse:
        """Runs a query or mutation. Raises PlauditError if it is refused, or if its answer may not be sent."""
        try:
            operation = await self._operation(request, context, _READING if request.only_reads else _ANSWERED)
        except Invalid as error:
            return GraphQLResponse(masking.invalid(error.error), _status_of(error))
        with _priced():
            result = await execute(schema, operation, request.variables, context)
        body = masking.response(result)
        await context.charged()
        if "data" not in body:
            return GraphQLResponse(body, _status_of_refused(body))
        return GraphQLResponse({**body, "extensions": _extensions(operation, context)})

    async def subscribe(self, request: GraphQLRequest, context: Context) -> AsyncGenerator[GraphQLResponse]:
        """Runs a subscription and yields a response for each event, or a single one without data if it cannot start.

        The context must not be shared with other operations. Raises PlauditError if the subscription is refused or
        cannot continue.
        """
        try:
            operation = await self._operation(request, context, _STREAMED)
        except Invalid as error:
            yield GraphQLResponse(masking.invalid(error.error), _status_of(error))
            return
        with metrics.SUBSCRIPTIONS.labels(context.operation).track_inprogress():
            results = await subscribe(schema, operation, request.variables, context)
            if isinstance(results, ExecutionResult):
                body = {"errors": masking.response(results)["errors"]}
                yield GraphQLResponse(body, _status_of_refused(body))
                return
            with _priced():
                async with aclosing(results):
                    async for result in results:
                        metrics.EVENTS.labels(context.operation).inc()
                        yield GraphQLResponse(
                            {**masking.response(result), "extensions": _extensions(operation, context)}
                        )

    async def _operation(
        self, request: GraphQLRequest, context: Context, kinds: Collection[OperationType]
    ) -> DocumentOperation:
        """Returns the operation that a request wants to run, after checking and charging it. Raises Invalid or
        PlauditError.

        The charge of a small query may still be pending; `context.charged` waits for it.
        """
        try:
            text = await self._persisted.text_of(request)
            operation = await self._found(text, request, context, kinds)
            if context.viewer and context.viewer.businesses is not None:
                permissions.check(operation.fields, context.viewer.businesses)
            await self._charge_for(operation, request, context)
        except RateLimited:
            raise
        except (Invalid, PlauditError):
            await self.charge_refused(context, request.kilobytes)
            raise
        await self._persisted.remember(request, text)
        await context.catch_up()
        return operation

    async def _charge_for(self, operation: DocumentOperation, request: GraphQLRequest, context: Context) -> None:
        """Charges the caller for an operation and its writes.

        Raises RateLimited, or BadInput if no full budget could hold it.
        """
        context.operation = operation.root_field or "fragment"
        context.is_personal = operation.is_personal
        cost, kind = operation.price.cost, operation.node.operation
        written = (
            self._roles.written(operation, request.variables or {}) if kind is OperationType.MUTATION else _NOTHING
        )
        await self._charge(context, cost, written, meanwhile=kind is OperationType.QUERY and cost <= _MOST_AHEAD)

    async def _found(
        self, text: str, request: GraphQLRequest, context: Context, kinds: Collection[OperationType]
    ) -> DocumentOperation:
        """Finds the operation to run in a document. Charges for parsing an unknown document, and lets other requests
        run meanwhile.

        Raises RateLimited, BadInput, NotServed, TooExpensive or Invalid.
        """
        limits = self._roles.limits_of(context.viewer).document
        if not self._documents.knows(text):
            if self._persisted.trusts(text) and text not in self._unfit:
                await self._warm(text)
            elif points := min(len(text), limits.characters) // _CHARACTERS_PER_POINT:
                await self._charge(context, points)
        wanted = text, request.name, request.variables, limits, kinds, request.kilobytes
        try:
            with _priced():
                return await _in_turns(self._documents.reading(*wanted))
        except WrongKind:
            raise _misdirected(kinds) from None

    async def _warm(self, text: str) -> None:
        """Parses and validates a trusted document, and keeps it for good.

        Raises Invalid, and then stops trusting it.
        """
        try:
            await _in_turns(self._documents.warming(text))
        except Invalid:
            self._unfit.add(text)
            raise

    async def _charge(
        self, context: Context, cost: int, written: WriteCounts = _NOTHING, *, meanwhile: bool = False
    ) -> None:
        """Charges a caller. With `meanwhile` it does not wait for the result: the operation runs during the round trip.

        The answer is withheld if the charge then fails.
        """
        context.charge(self._roles.charges(context.viewer, context.client, max(1, cost), written))
        if not meanwhile:
            await context.charged()

    async def _viewer(self, authorization: str | None, ip: str | None) -> Viewer | None:
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("Send a token as: Authorization: Bearer <token>.")
        claims = await self._verifier.verify(token.strip())
        user_id = await identify(self._state, self._shared, claims, partial(self.charge_address, ip))
        return Viewer(user_id, claims.issuer, claims.scopes, claims.businesses, claims.expires)


def _status_of(error: Invalid) -> int:
    """Returns 400 for a document with a syntax error, 422 for one that does not fit the schema."""
    return 400 if isinstance(error.error, GraphQLSyntaxError) else 422


def _status_of_refused(body: dict[str, Any]) -> int:
    """Returns 422 if the variables do not fit, 500 for an internal error."""
    return 500 if any(error["extensions"]["code"] == "INTERNAL" for error in body["errors"]) else 422


async def _in_turns(steps: Stepwise[T]) -> T:
    """Runs the steps to the end, and lets other tasks of the event loop run between them. Returns their result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)
        await asyncio.sleep(0)


@contextmanager
def _priced() -> Iterator[None]:
    """Translates errors of `execution/` into errors for the client."""
    try:
        yield
    except TooCostly as error:
        raise TooExpensive(str(error), limit=error.what, has=error.has, most=error.limit) from None
    except NoOperation:
        raise BadInput("operationName must be the name of one operation of the document.") from None
    except Undeclared as error:
        raise BadInput(f"The document does not declare the variable ${error.name[:_SHOWN]}.") from None


def _extensions(operation: DocumentOperation, context: Context) -> dict[str, Any]:
    return {"cost": operation.price.cost, **context.degraded.extensions()}


def _misdirected(kinds: Collection[OperationType]) -> BadInput:
    """Returns the error for an operation whose kind cannot be run over the transport that it came by."""
    if kinds is _STREAMED:
        return BadInput("Only subscriptions can be run here. Send queries and mutations by POST.")
    if kinds is _READING:
        return NotServed("Only queries can be sent by GET. Send this operation by POST.", 405, allow="POST")
    return BadInput("Run subscriptions over WebSocket, or over HTTP with the header Accept: text/event-stream.")


def _address(ip: str | None) -> str | None:
    """Returns an IP address in canonical form, or None for what is not one.

    A proxy's header may contain anything; the zone of a link-local address is removed.
    """
    try:
        address = ipaddress.ip_address((ip or "").partition("%")[0])
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)


def _label(headers: Headers, header: str, longest: int) -> str | None:
    value = messages.only(headers, header)
    try:
        return texts.name(value, f"an {header}", longest) if value else None
    except BadInput as error:
        raise NotServed(error.message, 400) from None
