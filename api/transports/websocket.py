"""`/graphql` over WebSocket: subscriptions with the protocol `graphql-transport-ws`.

Input: a handshake, then messages. Output: the responses of api/execute.py as text messages. If a client sends invalid
data or does not read, its connection is closed with a code that gives the reason. After closing, no task of the
connection remains.

Follows https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md, with `ping` and `pong`.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Collection, Iterable
from contextlib import ExitStack, aclosing, suppress
from types import NoneType
from typing import Any

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from api import masking, messages
from api.execute import GraphQLService
from api.headers import NAMES, VERSIONS, Headers
from api.messages import GraphQLResponse
from api.transports.streaming_limits import StreamingLimits, wait_for_expiry
from api.transports.task_groups import ConnectionTasks
from context import Context
from domain.errors import BadInput, Forbidden, PlauditError, RateLimited, TooExpensive, Unauthenticated
from observability import metrics

PROTOCOL = "graphql-transport-ws"

BAD_MESSAGE, UNAUTHORIZED, FORBIDDEN, BAD_PROTOCOL, INIT_TIMEOUT, ID_TAKEN, INIT_TWICE = (
    *(4400, 4401, 4403),
    *(4406, 4408, 4409, 4429),
)
TRY_LATER, WENT_WRONG = 1013, 1011

_IN_PAYLOAD = frozenset(name.encode() for name in ("authorization", "x-device-id", "x-client-kind", *NAMES, *VERSIONS))
"""The headers that the payload of `connection_init` can set. X-Plaudit-User is not one of them, because a proxy that
refuses this header would not see it in the payload.
"""
_MOST_QUEUED = 100
"""The most messages that wait for a client. A client on a slow network catches up with a hundred; one that is further
behind has stopped reading, and is disconnected before its messages occupy memory.
"""
_LONGEST_ID = 128
"""The most characters in the id of a subscription, which the server keeps while the subscription runs."""


class CloseConnection(Exception):
    """Raised to close a WebSocket with a close code, and a reason of at most 123 bytes."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class WebSocketEndpoint:
    """The handler of all WebSocket handshakes at `/graphql`."""

    def __init__(self, service: GraphQLService, limits: StreamingLimits) -> None:
        self._service = service
        self._limits = limits

    async def __call__(self, websocket: WebSocket) -> None:
        """Serves one connection until it closes."""
        settings = self._service.settings
        headers = Headers(websocket.scope["headers"])
        if not _is_origin_allowed(headers, settings.cors_origins, settings.cors_pattern):
            await websocket.close()  # closing before accepting sends status 403
            return
        offers_protocol = PROTOCOL in websocket.scope["subprotocols"]
        await websocket.accept(PROTOCOL if offers_protocol else None)
        closed = None
        try:
            await self._serve(websocket, offers_protocol)
        except* WebSocketDisconnect:
            pass
        except* CloseConnection as group:
            closed = _first_error(group)
        except* RateLimited as group:
            closed = CloseConnection(TRY_LATER, _first_error(group).message)
        except* Exception as group:  # noqa: BLE001 - every error ends one connection, with its reason
            masking.internal_error(_first_error(group))
            closed = CloseConnection(WENT_WRONG, "Something went wrong here")
        if closed:
            metrics.WEBSOCKETS_CLOSED.labels(closed.code).inc()
            with suppress(WebSocketDisconnect, RuntimeError):  # the client may have disconnected
                await websocket.close(closed.code, closed.reason)

    async def _serve(self, websocket: WebSocket, offers_protocol: bool) -> None:
        if not offers_protocol:
            raise CloseConnection(BAD_PROTOCOL, "Subprotocol not acceptable")
        with self._limits.in_process("websocket"), ExitStack() as counted:
            async with ConnectionTasks() as tasks:
                await _Connection(websocket, self._service, self._limits, counted, tasks).handle_messages()


class _Connection:
    """The WebSocket connection of one client. If one of its tasks raises an exception, the other tasks are cancelled
    and the connection ends.
    """

    def __init__(
        self,
        websocket: WebSocket,
        service: GraphQLService,
        limits: StreamingLimits,
        counted: ExitStack,
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._websocket = websocket
        self._service = service
        self._settings = service.settings
        self._limits = limits
        self._counted = counted
        """Counts this connection for its user, once the user is known."""
        self._tasks = tasks
        self._outgoing: asyncio.Queue[str] = asyncio.Queue(_MOST_QUEUED)
        self._context: Context | None = None
        self._subscriptions: dict[str, asyncio.Task[None]] = {}

    async def handle_messages(self) -> None:
        """Reads and handles messages until the connection ends. Raises CloseConnection, WebSocketDisconnect or
        RateLimited.
        """
        self._tasks.create_task(self._send())
        self._tasks.create_task(self._enforce_init_timeout())
        try:
            while True:
                await self._handle(await self._read())
        finally:
            self._subscriptions.clear()  # through their tasks and exceptions, they refer to this object

    @property
    def _ip(self) -> str | None:
        client = self._websocket.client
        return client.host if client else None

    async def _read(self) -> Any:
        """Returns the next message, parsed. Charges the address for a long message."""
        event = await self._websocket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event["code"])
        text = event.get("text") or ""
        if kilobytes := len(text) // messages.KILOBYTE:
            await self._service.charge_address(self._ip, kilobytes)
        return _parse(text)

    async def _handle(self, message: Any) -> None:
        match message:
            case {"type": "subscribe", "id": str(id_), "payload": dict(payload)} if 0 < len(id_) <= _LONGEST_ID:
                self._subscribe(id_, payload)
            case {"type": "complete", "id": str(id_)}:
                if subscription := self._subscriptions.pop(id_, None):
                    subscription.cancel()
            case {"type": "ping"} if isinstance(payload := message.get("payload"), (dict, NoneType)):
                self._queue_message(type="pong", **({"payload": payload} if payload else {}))
            case {"type": "pong"}:
                pass
            case {"type": "connection_init"} if isinstance(payload := message.get("payload"), (dict, NoneType)):
                await self._init(payload or {})
            case _:
                raise CloseConnection(BAD_MESSAGE, "This is not a message of the protocol")

    async def _init(self, payload: dict[str, Any]) -> None:
        """Authenticates the client by the payload of `connection_init`, or else by the headers of the handshake. Raises
        CloseConnection if this fails or was done before, RateLimited if the user or address has too many connections.
        """
        if self._context:
            raise CloseConnection(INIT_TWICE, "Too many initialisation requests")
        try:
            headers = merged_headers(self._websocket.scope["headers"], payload)
            async with asyncio.timeout(self._settings.request_timeout):
                context = await self._service.context(headers, self._ip)
        except (Forbidden, Unauthenticated):
            raise CloseConnection(FORBIDDEN, "Forbidden") from None
        except BadInput:
            raise CloseConnection(BAD_MESSAGE, "The payload of connection_init is invalid") from None
        except (PlauditError, TimeoutError):
            raise CloseConnection(TRY_LATER, "Tokens cannot be checked right now") from None
        self._counted.enter_context(self._limits.for_caller(context))
        self._context = context
        self._tasks.create_task(self._close_at_expiry(context))
        self._queue_message(type="connection_ack")

    def _subscribe(self, id_: str, payload: dict[str, Any]) -> None:
        if self._context is None:
            raise CloseConnection(UNAUTHORIZED, "Unauthorized")
        if id_ in self._subscriptions:
            raise CloseConnection(
                ID_TAKEN, f"Subscriber for {id_[:40].encode('ascii', 'replace').decode()} already exists"
            )
        most = self._settings.connections.subscriptions
        try:
            if len(self._subscriptions) >= most:
                raise RateLimited(f"A connection has at most {most} subscriptions.")
            request = messages.from_message(payload)
        except PlauditError as error:
            self._queue_message(id=id_, type="error", payload=masking.request_error(error)["errors"])
            return
        answers = self._service.subscribe(request, self._context.another())
        self._subscriptions[id_] = self._tasks.create_task(self._run(id_, answers))

    async def _run(self, id_: str, answers: AsyncGenerator[GraphQLResponse]) -> None:
        """Sends the responses of a subscription, and finally `complete`, or `error` if the subscription cannot start or
        continue. If the client has ended the subscription, sends neither.

        Does not keep the payload of the `subscribe` message, because a subscription may run for hours.
        """
        try:
            error_body = await self._send_answers(id_, answers)
        except PlauditError as error:
            error_body = masking.request_error(error)
        except CloseConnection:
            raise
        except Exception as error:  # noqa: BLE001 - the other subscriptions go on
            error_body = masking.internal_error(error)
        if self._subscriptions.get(id_) is asyncio.current_task():
            del self._subscriptions[id_]
            self._queue_message(
                id=id_, **({"type": "error", "payload": error_body["errors"]} if error_body else {"type": "complete"})
            )

    async def _send_answers(self, id_: str, answers: AsyncGenerator[GraphQLResponse]) -> dict[str, Any] | None:
        """Queues the responses of a subscription for sending. If the subscription cannot start or continue, returns the
        response body with the error, otherwise None.
        """
        async with aclosing(answers):
            async for answer in answers:
                if "data" not in answer.body:
                    return answer.body
                self._queue_message(id=id_, type="next", payload=answer.body)
        return None

    def _queue_message(self, **message: Any) -> None:
        """Queues a message for sending. Raises CloseConnection if the queue is full, because the client reads too
        slowly.
        """
        try:
            self._outgoing.put_nowait(orjson.dumps(message).decode())
        except asyncio.QueueFull:
            raise CloseConnection(TRY_LATER, "Messages are not read fast enough") from None

    async def _send(self) -> None:
        while True:
            await self._websocket.send_text(await self._outgoing.get())

    async def _enforce_init_timeout(self) -> None:
        await asyncio.sleep(self._settings.connections.init_timeout)
        if self._context is None:
            raise CloseConnection(INIT_TIMEOUT, "Connection initialisation timeout")

    async def _close_at_expiry(self, context: Context) -> None:
        await wait_for_expiry(context)
        raise CloseConnection(FORBIDDEN, "The token has expired")


def _parse(text: str) -> Any:
    """Returns a parsed message. Raises CloseConnection if the message is not JSON or has too many values."""
    try:
        return messages.parse_json(text, "The message")
    except TooExpensive as error:
        raise CloseConnection(BAD_MESSAGE, error.message) from None
    except BadInput:
        raise CloseConnection(BAD_MESSAGE, "The message is not JSON") from None


def merged_headers(handshake: Iterable[tuple[bytes, bytes]], payload: dict[str, Any]) -> Headers:
    """Returns the headers of the handshake. A member of the payload of `connection_init` whose name is in `_IN_PAYLOAD`
    sets or replaces this header; all other members are ignored. Raises BadInput if a value cannot be a header.
    """
    named = ((name.lower().encode(), value) for name, value in payload.items() if value is not None)
    given = {name: _header_value(value) for name, value in named if name in _IN_PAYLOAD}
    return Headers([*given.items(), *((name, value) for name, value in handshake if name not in given)])


def _header_value(value: object) -> bytes:
    if not isinstance(value, str):
        raise BadInput("A header is not a text.")
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError as error:
        raise BadInput("The payload has a text that cannot be a header.") from error


def _first_error(group: BaseExceptionGroup[Any]) -> Any:
    """Returns the first exception in a group of exceptions, or in the groups inside it. This exception ended the
    connection.
    """
    error: Any = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _is_origin_allowed(headers: Headers, origins: Collection[str], pattern: str | None) -> bool:
    """Returns whether a page of the request's origin may open a WebSocket. Browsers open WebSockets to any origin
    without asking the server first.

    Allowed are the API's own pages, `origins`, origins that match `pattern`, and clients that are not browsers.
    """
    origin, host = headers.first("origin"), headers.first("host") or ""
    if origin is None or origin in origins or "*" in origins or origin.partition("://")[2] == host.lower():
        return True
    return pattern is not None and re.fullmatch(pattern, origin) is not None
