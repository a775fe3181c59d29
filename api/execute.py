"""The one door: whatever transport a GraphQL request comes by, it is identified, priced, executed and masked here.

Enters: what a transport has read of a request. Leaves: an `Answer`, or a PlauditError for a request that is refused.
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
"""What a document costs that is not executed, or a request that is none, or a new user: that is work, too."""
_CHARACTERS_PER_POINT = 4
"""Of a document that the process does not know: parsing and validating takes as long as answering several fields."""
_SHOWN = 100
"""How many characters of a wrong name are told."""
_MOST_AHEAD = 5000
"""What a query may cost that runs while it is charged, in vain or not; to a dearer one a trip more is little."""


class GraphQLService:
    """What every transport shares."""

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
        """Keeps documents that will be asked for, with their plans; the log tells which cannot be executed."""
        for text in texts:
            try:
                Executor.plans.prepare(schema._schema, self._documents.warm(text))
            except (Invalid, TooCostly) as error:
                self._unfit.add(text)
                log.warning("stored document is not for this schema", error=str(error), document=text[:200])

    async def context(self, headers: Headers, ip: str | None) -> Context:
        """Who asks, and from where. Raises Unauthenticated for a bad token, which is an error and never nobody."""
        try:
            client = Client(_address(ip), _label(headers, "x-device-id", 128), _label(headers, "x-client-kind", 32))
            viewer = await self._viewer(messages.only(headers, "authorization"), ip)
        except (BadInput, Unauthenticated):
            await self.charge_address(ip)
            raise
        return Context(self._state, self._shared, viewer, client)

    async def charge_address(self, ip: str | None, cost: int = _REFUSED_COST) -> None:
        """For what is done before it is known who pays. Raises RateLimited where the address has nothing left."""
        charging = self._state.budgets.charge(self._roles.address_charges(_address(ip), cost))
        if isinstance(charging, asyncio.Task):
            await charging

    async def charge_refused(self, context: Context, kilobytes: int) -> None:
        """Charges a caller for a request that was read and is none. Raises RateLimited."""
        await self._charge(context, _REFUSED_COST + kilobytes)

    def most_bytes(self, context: Context) -> int:
        """How large a caller's body may be: larger for tokens that register many things at once."""
        registers = context.viewer is not None and not BULK.isdisjoint(context.viewer.scopes)
        return self.settings.max_bulk_body_bytes if registers else self.settings.max_body_bytes

    async def execute(self, request: GraphQLRequest, context: Context) -> GraphQLResponse:
        """Runs a query or mutation. Raises PlauditError where nothing was run, or its answer is not to be had."""
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
        """Runs a subscription: an answer for each of its events, or one without data that says why there are none.

        The context is this subscription's alone. Raises PlauditError where nothing was run, or no longer can be.
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
        """What a request wants run; it has been charged, or is being charged while it reads. Raises Invalid, too."""
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
        """Raises BadInput for what no budget could ever hold."""
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
        """The operation of a text. One that is not known is read in turns with other requests, once that is paid for.

        Raises RateLimited and whatever is wrong with it.
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
        """Keeps a document that is trusted. One that cannot be executed is trusted no more. Raises Invalid."""
        try:
            await _in_turns(self._documents.warming(text))
        except Invalid:
            self._unfit.add(text)
            raise

    async def _charge(
        self, context: Context, cost: int, written: WriteCounts = _NOTHING, *, meanwhile: bool = False
    ) -> None:
        """What reads may run `meanwhile`, so that this takes no trip of its own: whoever cannot pay gets no answer."""
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
    """A document that is no GraphQL is a bad request; one that is, but not for this schema, cannot be processed."""
    return 400 if isinstance(error.error, GraphQLSyntaxError) else 422


def _status_of_refused(body: dict[str, Any]) -> int:
    """Variables that do not fit are the client's fault, everything else is ours."""
    return 500 if any(error["extensions"]["code"] == "INTERNAL" for error in body["errors"]) else 422


async def _in_turns(steps: Stepwise[T]) -> T:
    """Does something in steps, and between them what else the event loop has to do."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)
        await asyncio.sleep(0)


@contextmanager
def _priced() -> Iterator[None]:
    """Raises what a client is told instead of what execution raises."""
    try:
        yield
    except TooCostly as error:
        raise TooExpensive(str(error), limit=error.what, has=error.has, most=error.limit) from None
    except NoOperation:
        raise BadInput("operationName names no operation of the document, or none of several.") from None
    except Undeclared as error:
        raise BadInput(f"No operation of the document declares the variable ${error.name[:_SHOWN]}.") from None


def _extensions(operation: DocumentOperation, context: Context) -> dict[str, Any]:
    return {"cost": operation.price.cost, **context.degraded.extensions()}


def _misdirected(kinds: Collection[OperationType]) -> BadInput:
    """What to tell somebody whose operation is of a kind that is not run where it was sent."""
    if kinds is _STREAMED:
        return BadInput("Only subscriptions are run here. Send queries and mutations by POST.")
    if kinds is _READING:
        return NotServed("Only queries are run by GET.", 405, allow="POST")
    return BadInput("Subscriptions are run over WebSocket, or where text/event-stream is accepted.")


def _address(ip: str | None) -> str | None:
    """An address the log can hold. A proxy's header may say anything; a link-local address names its zone."""
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
