"""`/graphql` as an event stream: one subscription per request, for clients that accept `text/event-stream`.

Input: the same requests as over HTTP, by GET or POST. Output: a `next` event for each response of api/execute.py, then
`complete`. A malformed or unauthenticated request is refused as JSON, with its status. The stream ends when the client
disconnects, the token expires or the process stops. In these cases there is no `complete`, so clients reconnect.

Follows the distinct connections mode of https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md.
"""

import asyncio
from contextlib import ExitStack, aclosing
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api import masking, messages
from api.execute import GraphQLService
from api.messages import GraphQLRequest
from api.transports.connection_limits import ConnectionLimits, expiry
from api.transports.http import asked, caller
from context import Context
from domain.errors import NotServed, PlauditError, Unauthenticated, Unavailable

_HEADERS = {
    "Content-Type": f"{messages.EVENT_STREAM}; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # proxies that know this header do not buffer the response
}
_COMPLETE = b"event: complete\ndata:\n\n"
_COMMENT = b":\n\n"


class Over(Exception):
    """The client has disconnected, or the process is stopping."""


class Expired(Exception):
    """The token has expired."""


class Streams:
    """Handles all requests for a stream."""

    def __init__(self, service: GraphQLService, limits: ConnectionLimits) -> None:
        self._service = service
        self._limits = limits

    async def __call__(self, request: Request) -> Response:
        """Sends the stream, or refuses the request."""
        held = ExitStack()
        try:
            held.enter_context(self._limits.in_process("stream"))
            wanted, context = await self._read(request)
            held.enter_context(self._limits.for_caller(context))
        except Exception as error:  # noqa: BLE001 - a client is answered whatever happens
            held.close()
            return _refusal(error)
        return Stream(self._service, wanted, context, self._limits, held)

    async def _read(self, request: Request) -> tuple[GraphQLRequest, Context]:
        if request.method == "HEAD":
            raise NotServed("Send GET or POST.", 405, allow="GET, POST")
        try:
            context = await caller(request, self._service)
        except TimeoutError as error:
            raise Unavailable from error
        return await asked(request, context, self._service), context


class Stream(Response):
    """One subscription while it is sent."""

    def __init__(
        self,
        service: GraphQLService,
        wanted: GraphQLRequest,
        context: Context,
        limits: ConnectionLimits,
        held: ExitStack,
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._service = service
        self._wanted = wanted
        self._context = context
        self._limits = limits
        self._held = held
        self._send: Send

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends events until the subscription or the connection ends."""
        del scope
        self._send = send
        with self._held:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            try:
                async with asyncio.TaskGroup() as tasks:
                    for watch in (self._client(receive), self._process(), self._token(), self._keep_alive()):
                        tasks.create_task(watch)
                    await self._tell()
            except* Expired:
                error = Unauthenticated("The token has expired.")
                await self._next(masking.request_error(error), _COMPLETE)
            except* Over:
                pass
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self) -> None:
        """Sends all responses of the subscription as events, then `complete`. Raises Over at the end."""
        try:
            async with aclosing(self._service.subscribe(self._wanted, self._context)) as answers:
                async for answer in answers:
                    await self._next(answer.body)
        except PlauditError as error:
            await self._next(masking.request_error(error))
        except Exception as error:  # noqa: BLE001 - every error is sent to the client
            await self._next(masking.unexpected(error))
        await self._say(_COMPLETE)
        raise Over

    async def _next(self, body: dict[str, Any], after: bytes = b"") -> None:
        await self._say(b"event: next\ndata: %s\n\n%s" % (orjson.dumps(body), after))

    async def _say(self, content: bytes) -> None:
        await self._send({"type": "http.response.body", "body": content, "more_body": True})

    async def _keep_alive(self) -> None:
        while True:
            await self._say(_COMMENT)
            await asyncio.sleep(self._service.settings.keep_alive_interval)

    async def _client(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        raise Over

    async def _process(self) -> None:
        await self._limits.stopping.wait()
        raise Over

    async def _token(self) -> None:
        await expiry(self._context)
        raise Expired


def _refusal(error: Exception) -> Response:
    if not isinstance(error, PlauditError):
        return _json(masking.unexpected(error), 500, {})
    return _json(masking.request_error(error), *messages.refusal(error))


def _json(body: dict[str, Any], status: int, extra: dict[str, str]) -> Response:
    return Response(
        orjson.dumps(body), status, {"Cache-Control": "no-store", **extra}, messages.GRAPHQL_JSON + messages.UTF8
    )
