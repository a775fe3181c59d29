"""`/graphql` as an event stream: one subscription per request, for clients that accept `text/event-stream`.

Input: the same requests as over HTTP, by GET or POST. Output: a `next` event for each response of api/execute.py, then
`complete`. A malformed or unauthenticated request is refused as JSON, with its status. When the token expires, the
stream ends with an error and `complete`. When the client disconnects or the process stops, the stream ends without
`complete`, so clients reconnect.

Follows the distinct connections mode of https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md.
"""

import asyncio
from contextlib import ExitStack, aclosing
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api import masking
from api.execute import GraphQLService
from api.headers import EVENT_STREAM, GRAPHQL_JSON
from api.messages import GraphQLRequest
from api.responses import UTF8
from api.transports.http import HttpRequest, authenticate, failed, read_request
from api.transports.streaming_limits import StreamingLimits, wait_for_expiry
from api.transports.task_groups import ConnectionTasks
from context import Context
from domain.errors import NotServed, PlauditError, Unauthenticated, Unavailable

_HEADERS = {
    "Content-Type": f"{EVENT_STREAM}; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # proxies that know this header do not buffer the response
}
_COMPLETE = b"event: complete\ndata:\n\n"
_COMMENT = b":\n\n"


class StreamEnded(Exception):
    """Raised to end a stream: after its last event, when the client has disconnected, or when the process stops."""


class TokenExpired(Exception):
    """Raised when the caller's token has expired."""


class SseEndpoint:
    """The handler of all requests for an event stream."""

    def __init__(self, service: GraphQLService, limits: StreamingLimits) -> None:
        self._service = service
        self._limits = limits

    async def __call__(self, request: HttpRequest) -> Response:
        """Returns the response that sends the stream, or an error response."""
        counted = ExitStack()
        try:
            counted.enter_context(self._limits.in_process("stream"))
            graphql_request, context = await self._read(request)
            counted.enter_context(self._limits.for_caller(context))
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            counted.close()
            return _error_response(error)
        return SseResponse(self._service, graphql_request, context, self._limits, counted)

    async def _read(self, request: HttpRequest) -> tuple[GraphQLRequest, Context]:
        if request.method == "HEAD":
            raise NotServed("Send GET or POST.", 405, headers={"Allow": "GET, POST"})
        try:
            context = await authenticate(request, self._service)
        except TimeoutError as error:
            raise Unavailable from error
        return await read_request(request, context, self._service), context


class SseResponse(Response):
    """The response that sends the events of one subscription. `counted` holds the places that the connection takes in
    the limits of connections. The response closes `counted` at its end, and so frees these places.
    """

    def __init__(
        self,
        service: GraphQLService,
        graphql_request: GraphQLRequest,
        context: Context,
        limits: StreamingLimits,
        counted: ExitStack,
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._service = service
        self._graphql_request = graphql_request
        self._context = context
        self._limits = limits
        self._counted = counted
        self._send: Send

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends events until the subscription or the connection ends."""
        del scope
        self._send = send
        with self._counted:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            try:
                async with ConnectionTasks() as tasks:
                    tasks.create_task(self._wait_for_disconnect(receive))
                    tasks.create_task(self._wait_for_shutdown())
                    tasks.create_task(self._wait_for_token_expiry())
                    tasks.create_task(self._send_keep_alives())
                    await self._send_events()
            except* TokenExpired:
                error = Unauthenticated("The token has expired.")
                await self._send_event(masking.request_error(error), _COMPLETE)
            except* StreamEnded:
                pass
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_events(self) -> None:
        """Sends all responses of the subscription as events, then `complete`. Raises StreamEnded at the end."""
        try:
            async with aclosing(self._service.subscribe(self._graphql_request, self._context)) as answers:
                async for answer in answers:
                    await self._send_event(answer.body)
        except PlauditError as error:
            await self._send_event(masking.request_error(error))
        except Exception as error:  # noqa: BLE001 - every error is sent to the client
            await self._send_event(masking.internal_error(error))
        await self._send_bytes(_COMPLETE)
        raise StreamEnded

    async def _send_event(self, body: dict[str, Any], after: bytes = b"") -> None:
        await self._send_bytes(b"event: next\ndata: %s\n\n%s" % (orjson.dumps(body), after))

    async def _send_bytes(self, content: bytes) -> None:
        await self._send({"type": "http.response.body", "body": content, "more_body": True})

    async def _send_keep_alives(self) -> None:
        while True:
            await self._send_bytes(_COMMENT)
            await asyncio.sleep(self._service.settings.connections.keep_alive_interval)

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        raise StreamEnded

    async def _wait_for_shutdown(self) -> None:
        await self._limits.stopping.wait()
        raise StreamEnded

    async def _wait_for_token_expiry(self) -> None:
        await wait_for_expiry(self._context)
        raise TokenExpired


def _error_response(error: Exception) -> Response:
    answer = failed(error)
    headers = {**answer.headers, "Cache-Control": "no-store"}
    return Response(orjson.dumps(answer.body), answer.status, headers, GRAPHQL_JSON + UTF8)
