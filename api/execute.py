"""Runs GraphQL requests of all transports: authenticates and charges the caller, checks and executes the operation, and
hides the details of unexpected errors.

Input: a request that a transport has parsed. Output: a `GraphQLResponse` (for a subscription, one for each event), or a
PlauditError for a refused request.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

import orjson
from graphql import ExecutionResult, OperationType

from api import masking, positions, refusals
from api.events import IncompleteEvents
from api.forwarding import FORWARDED, Forwarder, is_forwarded, origin, reported
from api.headers import ACTED_FOR, Headers, acted_for, address, client_of
from api.limits import CallerLimits, WriteCounts
from api.messages import GraphQLRequest, GraphQLResponse
from api.persisted.operations import PersistedOperations
from api.positions import Position
from api.refusals import NOT_RUNNABLE
from api.time_limit import TimeLimit
from commands.users import identify, known
from context import ACT, Context, Viewer
from domain.errors import (
    BadInput,
    Forbidden,
    NotServed,
    PlauditError,
    RateLimited,
    TooExpensive,
    Unauthenticated,
    Unavailable,
)
from execution.documents import DocumentOperation, Invalid, Stepwise
from execution.limits import MOST_KEPT_BYTES, TooCostly
from identity import permissions
from identity.auth import Verifier
from loaders.shared import SharedLoaders
from observability import metrics, tracing
from observability.logs import Log
from schema import RULES, schema
from schema.deletions import is_for_deleted
from schema.planned import Executor, documents_of, execute, subscribe
from settings import WriteKind
from state import State
from store.people.identities import Identity

log = Log(__name__)
T = TypeVar("T")

_NO_WRITES: WriteCounts = {}
_REFUSED_COST = 50
"""Points charged for a refused operation, a malformed request, invalid headers, or the first request of a new user."""
_CHARACTERS_PER_POINT = 4
"""An unknown document costs one point for this many characters, because parsing and validating it take time."""
_LONGEST_SIGN_IN, _SIGN_IN_POLL = 2.0, 0.05
"""Seconds for which a reading site waits for a new user, and seconds between two looks for the user."""
_MAX_COST_BEFORE_CHARGE = 5000
"""The highest cost, in points, of a query that runs before the budget has confirmed its charge.

If the charge fails, the work is wasted. So a more expensive query waits for the charge first.
"""


class GraphQLService:
    """Runs GraphQL operations for all transports of a process: HTTP, server-sent events and WebSocket."""

    def __init__(self, state: State, shared: SharedLoaders, verifier: Verifier, persisted: PersistedOperations) -> None:
        self.settings = state.settings
        self._state = state
        self._shared = shared
        self._verifier = verifier
        self._persisted = persisted
        self._documents = documents_of(schema, shown=state.settings.shows_schema)
        self._invalid_texts: set[str] = set()
        """Texts of trusted operations (of manifests and imports) that cannot be executed."""
        self._limits = CallerLimits(state.settings.limits, state.settings.businesses)
        self.time_limit = TimeLimit(state.settings.request_timeout)
        """Limits how long a request may take. The time in which its body arrives does not count."""
        other = state.settings.connections.other_site
        self.forwarder: Forwarder | None = None
        """The client of the API at the other of two sites; None if there is one site."""
        if other:
            self.forwarder = Forwarder(other, state.settings.request_timeout, state.settings.signing_key)
            persisted.report = self.forwarder.report
        self.body_time_limit = TimeLimit(state.settings.connections.body_timeout)

    async def aclose(self) -> None:
        """Ends the connections to the other site."""
        if self.forwarder:
            await self.forwarder.close()

    def prepare(self, texts: Iterable[str]) -> None:
        """Parses, validates and compiles the texts of trusted operations (of manifests and imports), before the process
        serves requests.

        Logs a warning for each text that does not fit the schema or is too costly to compile. From then on, such a text
        is checked like a text that a client sends.
        """
        for text in texts:
            try:
                Executor.plans.prepare(self._documents.warm(text))
            except (Invalid, TooCostly) as error:
                self._invalid_texts.add(text)
                log.warning("a persisted document does not fit the schema", error=str(error), document=text[:200])

    async def context(self, headers: Headers, ip: str | None) -> Context:
        """Returns the context of a request with these headers: the user, the client and the loaders of the request. If
        the token is valid and its user does not exist yet, creates the user.

        Raises Unauthenticated for an invalid token, or for X-Plaudit-User without a token; Forbidden if the token may
        not act for users; BadInput for another invalid header. Charges the network address `ip` before it raises one of
        these errors. Also raises RateLimited if the budget of the address is too low, and Unavailable if the token
        cannot be checked or the user cannot be found because another server does not answer.
        """
        try:
            forwarded = origin(headers, ip) if self.forwarder else {}
            if forwarded and is_forwarded(forwarded) and (uses := reported(headers, self.settings.signing_key)):
                await self._persisted.add(uses)
            authorization = headers.single("authorization")
            viewer = await self._authenticate(authorization, ip, forwarded) if authorization is not None else None
            if (user := headers.single(ACTED_FOR.lower())) is not None:
                viewer = await self._act_for(viewer, acted_for(user))
            client = client_of(headers, ip, viewer)
        except (BadInput, Forbidden, Unauthenticated):
            await self.charge_address(ip)
            raise
        context = Context(self._state, self._shared, viewer, client)
        context.origin = forwarded
        return context

    async def charge_address(self, ip: str | None, cost: int = _REFUSED_COST) -> None:
        """Charges a network address `cost` points for work done before the caller is known. Raises RateLimited if the
        budget of the address is too low.
        """
        charging = self._state.budgets.charge(self._limits.address_charges(address(ip), cost))
        if isinstance(charging, asyncio.Task):
            await charging

    async def charge_refused(self, context: Context, kilobytes: int) -> None:
        """Charges the caller for a request that was read and then refused. `kilobytes` is the size of the request.
        Raises RateLimited if the caller's budget is too low.
        """
        await self._charge(context, _REFUSED_COST + kilobytes)

    async def charge_write(self, context: Context, kind: WriteKind, cost: int) -> None:
        """Charges the caller for one write of a kind that is not part of an operation, such as that of a form, and
        `cost` points. Raises RateLimited if a budget is too low.
        """
        await self._charge(context, cost, {(kind, ""): 1})

    async def execute(self, request: GraphQLRequest, context: Context) -> GraphQLResponse:
        """Runs a query or mutation, and returns its response. If the document is invalid, or if nothing was executed,
        for example because of a variable of the wrong type, the response has only errors. Raises PlauditError if the
        operation is refused, or if the caller's budget is too low for it.
        """
        kinds = refusals.QUERIES if request.only_reads else refusals.QUERIES_AND_MUTATIONS
        try:
            operation = await self._admit(request, context, kinds)
            is_mutation = operation.node.operation is OperationType.MUTATION
            if self.forwarder and (answer := await self._answered_elsewhere(request, context, is_mutation)):
                return answer
            result = await execute(schema, operation, request.variables, context)
        except Invalid as error:
            return GraphQLResponse(masking.invalid_document(error.error), refusals.status_of_invalid(error))
        except TooCostly as error:
            raise refusals.refusal(error, kinds) from None
        body = masking.response(result)
        await context.charged()
        await context.check_account()
        if "data" not in body:
            return GraphQLResponse(body, refusals.status_of_failed(body))
        degraded = context.degraded.extensions()
        body["extensions"] = {"cost": operation.price.cost, **degraded}
        if self.forwarder:
            return await self._completed(request, context, body, is_mutation)
        return GraphQLResponse(body)

    @property
    def _only_reads(self) -> bool:
        """Whether this site is the one of two that takes no writes."""
        return not self._state.write_mode.takes_writes

    @property
    def _is_released(self) -> bool:
        """Whether this site has released the writes to the other one, and so receives no changes."""
        mode = self._state.write_mode
        return mode.current.is_released and not mode.only_reads

    async def _answered_elsewhere(
        self, request: GraphQLRequest, context: Context, is_mutation: bool
    ) -> GraphQLResponse | None:
        """Returns the answer of the other site to an operation that this site should not run; None if this site should.
        Raises Unavailable if the operation is a mutation, and the other site does not answer.
        """
        if not self._only_reads:
            return None
        if is_mutation:
            return await self._forward(request, context, is_mutation=True)
        if not await self._is_here(request, context):
            with suppress(Unavailable):
                return await self._forward(request, context)
            context.is_behind = True  # this site answers as well as it can
        return None

    async def _completed(
        self, request: GraphQLRequest, context: Context, body: dict[str, Any], is_mutation: bool
    ) -> GraphQLResponse:
        """Returns the response with this body. If a store of this site, which only reads, is down, returns that of the
        other site to a query instead. Otherwise adds how far this site is behind. Adds the position after the writes of
        a mutation.
        """
        extensions = body["extensions"]
        is_behind = context.is_behind or (self._only_reads and not self._state.freshness.is_current)
        if (
            not is_mutation
            and self._only_reads
            and ("degraded" in extensions or masking.failure(body) == Unavailable.code)
        ):
            with suppress(Unavailable):
                return await self._forward(request, context)
        if is_behind:
            extensions["stale"] = self._state.freshness.stale_seconds
            metrics.STALE_ANSWERS.inc()
        if is_mutation:
            extensions["position"] = str(await positions.after_writes(self._state, context.actor_id))
        return GraphQLResponse(body)

    async def _is_here(self, request: GraphQLRequest, context: Context) -> bool:
        """Returns whether this site, which only reads, has what the answer to a query must include: it is not too far
        behind, and has the writes of the viewer that the request names.
        """
        position = Position.of(request.extensions)
        if not self._state.freshness.is_current:
            return False
        return position is None or await positions.is_here(self._state, context.actor_id, position)

    async def _forward(
        self, request: GraphQLRequest, context: Context, *, is_mutation: bool = False
    ) -> GraphQLResponse:
        """Returns the answer of the other site. Raises Unavailable if it does not answer, or if it has forwarded the
        operation to this site.
        """
        assert self.forwarder
        if is_forwarded(context.origin):
            raise Unavailable("Neither site takes writes.")
        sent = {**context.origin, FORWARDED: "2"}
        return await self.forwarder.execute(request, sent, is_mutation=is_mutation)

    async def subscribe(self, request: GraphQLRequest, context: Context) -> AsyncGenerator[GraphQLResponse]:
        """Runs a subscription and yields a response for each event. Skips an event if it lacks values and repeats the
        last event about the object. If the document is invalid or the subscription fails to start, yields one response
        without data. Charges the caller for the start and for each event.

        Releases the context at the end, so other operations must not use the context. Raises PlauditError if the caller
        may not run the subscription, or if the subscription cannot continue.
        """
        variables = request.variables
        try:
            try:
                operation = await self._admit(request, context, refusals.SUBSCRIPTIONS)
            except Invalid as error:
                yield GraphQLResponse(masking.invalid_document(error.error), refusals.status_of_invalid(error))
                return
            del request  # the text and the extensions are not needed while the subscription runs
            if self.forwarder and self._is_released:
                raise Unavailable("Another site takes the place of this one. Subscribe again in a moment.")
            event_cost = operation.price.event_cost
            context.event_charges = self._limits.charges(context.viewer, context.client, event_cost, _NO_WRITES)
            with metrics.SUBSCRIPTIONS.labels(context.operation).track_inprogress():
                results = await subscribe(schema, operation, variables, context)
                if isinstance(results, ExecutionResult):
                    body = {"errors": masking.response(results)["errors"]}
                    yield GraphQLResponse(body, refusals.status_of_failed(body))
                    return
                async with aclosing(results):
                    events = IncompleteEvents()
                    async for result in results:
                        await context.check_account()
                        body = masking.response(result)
                        extensions = {"cost": event_cost, **context.degraded.extensions()}
                        context.degraded.was_reported |= masking.failure(body) == Unavailable.code
                        if events.repeats(context.changed, body, is_complete=not context.degraded.was_reported):
                            continue
                        metrics.EVENTS.labels(context.operation).inc()
                        yield GraphQLResponse({**body, "extensions": extensions})
        except TooCostly as error:
            raise refusals.refusal(error, refusals.SUBSCRIPTIONS) from None
        finally:
            context.release()

    async def _admit(
        self, request: GraphQLRequest, context: Context, kinds: Collection[OperationType]
    ) -> DocumentOperation:
        """Decides whether the operation of a request may run, and returns the operation. Checks the permissions of the
        caller, and charges the caller for the operation and its writes. `kinds` are the kinds of operations that the
        transport can run. Writes the name of the operation into the context for metrics. If the request has a text and
        its hash, registers the text under the hash. Finally waits until this process knows whether writes go through
        Redis or directly to Postgres.

        Raises RateLimited if a budget is too low. Raises Invalid if the document is invalid, and another PlauditError
        if the request is refused for another reason, such as BadInput for an operation that costs more than a full
        budget; in these cases, charges the caller for the refused request first. The charge of a small query may still
        be pending; `context.charged` waits for it.
        """
        try:
            if kinds is refusals.SUBSCRIPTIONS:
                _check_kept_variables(request.variables)
            counts = not (context.origin and is_forwarded(context.origin))
            viewer = context.viewer
            is_admin = viewer is not None and permissions.ADMIN in viewer.scopes and viewer.businesses is None
            text = await self._persisted.text_of(request, context.client, counts=counts, is_admin=is_admin)
            operation = await self._find_operation(text, request, context, kinds)
            if context.viewer and context.viewer.businesses is not None:
                permissions.check_fields(RULES, operation.fields, context.viewer.businesses)
            context.operation = operation.root_field or "fragment"
            context.is_personal = operation.is_personal
            cost, kind = operation.price.cost, operation.node.operation
            if tracing.tracer:
                client = context.client
                tracing.describe(kind.value, context.operation, operation.name, client.name, client.version)
            if kind is OperationType.MUTATION:
                await self._charge(context, cost, self._limits.count_writes(operation, request.variables or {}))
            else:
                without_waiting = kind is OperationType.QUERY and cost <= _MAX_COST_BEFORE_CHARGE
                await self._charge(context, cost, without_waiting=without_waiting)
        except RateLimited:
            raise
        except (Invalid, PlauditError):
            await self.charge_refused(context, request.kilobytes)
            raise
        if request.query is not None and request.query_hash is not None:
            await self._persisted.register(request.query_hash, text)
        context.is_for_deleted = is_for_deleted(operation.fields)
        await context.catch_up()
        return operation

    async def _find_operation(
        self, text: str, request: GraphQLRequest, context: Context, kinds: Collection[OperationType]
    ) -> DocumentOperation:
        """Returns the operation that the request names in the document `text`. Charges the caller for parsing a
        document that is neither cached nor trusted. Other requests run between the steps of parsing.

        Raises RateLimited if the caller cannot pay for parsing, TooExpensive if the document exceeds a limit, and
        Invalid if the document is invalid. Raises BadInput (or its subclass NotServed) if the document has no such
        operation, if the operation is not of one of these `kinds`, or if the document does not declare a variable of
        the request.
        """
        limits = self._limits.document_limits[self._limits.role_of(context.viewer)]
        if not self._documents.knows(text):
            if text in self._persisted.trusted.operations and text not in self._invalid_texts:
                await self._prepare_trusted(text)
            elif points := min(len(text), limits.characters) // _CHARACTERS_PER_POINT:
                await self._charge(context, points)
        arguments = text, request.name, request.variables, limits, kinds, request.kilobytes
        try:
            return await _run_cooperatively(self._documents.reading(*arguments))
        except NOT_RUNNABLE as error:
            raise refusals.refusal(error, kinds) from None

    async def _prepare_trusted(self, text: str) -> None:
        """Parses and validates a trusted document (of a manifest or an import), and caches the document until the
        process ends.

        If the document does not fit the schema, raises Invalid, and treats the document as untrusted from then on.
        """
        try:
            await _run_cooperatively(self._documents.warming(text))
        except Invalid:
            self._invalid_texts.add(text)
            raise

    async def _charge(
        self, context: Context, cost: int, write_counts: WriteCounts = _NO_WRITES, *, without_waiting: bool = False
    ) -> None:
        """Charges the caller `cost` points, and the writes of `write_counts`. With `without_waiting`, returns before
        Redis has confirmed the charge; `context.charged` then waits for the confirmation. Raises RateLimited if a
        budget is too low, and BadInput if the charge is higher than a full budget.
        """
        context.charge(self._limits.charges(context.viewer, context.client, cost, write_counts))
        if not without_waiting:
            await context.charged()

    async def _authenticate(self, authorization: str, ip: str | None, forwarded: Mapping[str, str]) -> Viewer:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("Send a token as: Authorization: Bearer <token>.")
        claims = await self._verifier.verify(token.strip())
        user_id = self._shared.signed_in.get((claims.issuer, claims.subject))
        if user_id is None and self.forwarder and self._only_reads:
            user_id = await self._sign_in_elsewhere((claims.issuer, claims.subject), forwarded)
        if user_id is None:
            user_id = await identify(self._state, self._shared, claims, partial(self.charge_address, ip))
        rights = claims.scopes, claims.businesses, claims.expires
        return Viewer(
            *(user_id, claims.issuer, *rights), role=claims.role, subject=claims.subject, age_band=claims.age_band
        )

    async def _sign_in_elsewhere(self, identity: Identity, forwarded: Mapping[str, str]) -> int | None:
        """Returns the id of a user whose token this site, which only reads, has received. If the user is unknown, lets
        the other site create the user, and waits until this site knows the user. Returns None if that takes more than
        two seconds. Raises Unavailable if the other site does not answer.
        """
        assert self.forwarder
        user_id = await known(self._shared, identity)
        if user_id is None:
            await self.forwarder.sign_in({**forwarded, FORWARDED: "2"})
            until = time.monotonic() + _LONGEST_SIGN_IN
            while user_id is None and time.monotonic() < until:
                await asyncio.sleep(_SIGN_IN_POLL)
                user_id = await known(self._shared, identity)
        return user_id

    async def _act_for(self, service: Viewer | None, external_id: str) -> Viewer:
        """Returns the viewer of a request that a service sends for a user. The user is the one whose id at the issuer
        of the service's token is `external_id`. The viewer has neither the scopes nor the role of the service. Raises
        Unauthenticated if `service` is None, Forbidden if the service lacks the scope `act`, and NotServed if there is
        no such user.
        """
        if service is None:
            raise Unauthenticated(f"{ACTED_FOR} needs the token of a service.")
        permissions.check_scopes(service.scopes, [ACT])
        user_id = await known(self._shared, (service.issuer, external_id))
        if user_id is None:
            raise NotServed(f"{ACTED_FOR} names no user. Create the user first, with upsertUsers.", 400)
        return replace(
            service, user_id=user_id, scopes=frozenset(), role=None, service_id=service.user_id, subject=external_id
        )


def _check_kept_variables(variables: dict[str, Any] | None) -> None:
    """Raises TooExpensive if the variables are too large to be kept while a subscription runs."""
    size = len(orjson.dumps(variables))
    if size > MOST_KEPT_BYTES:
        message = f"The variables have {size} bytes of JSON; the limit for subscriptions is {MOST_KEPT_BYTES}."
        raise TooExpensive(message, limit="variables", has=size, most=MOST_KEPT_BYTES)


async def _run_cooperatively(steps: Stepwise[T]) -> T:
    """Runs all steps of a generator, and lets other tasks of the event loop run between two steps. Returns the result
    of the generator.
    """
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("T", done.value)
        await asyncio.sleep(0)
