"""`GET /exports/<link>`: downloads an export of an account, which `exportUser` has requested, as JSON lines.

The link is sealed and expires, and is all that a client needs (domain/exports.py). Nothing is stored for a download: it
is read from Postgres page by page while it is sent, no faster than the client receives it. If a store fails, the
process stops or the download takes too long, the connection is closed before the end of the response, so clients report
an error. The last record is `end`, so an incomplete file can be told from a complete one later, too.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from api.execute import GraphQLService
from api.responses import status_and_headers
from domain import exports
from domain.errors import NotServed, PlauditError, RateLimited, Unavailable
from domain.exports import ExportLink
from models.exports import LIFE_MS
from observability import metrics
from observability.logs import Log
from state import State
from store.people.exports import requested

if TYPE_CHECKING:
    from archive.fields import Json

log = Log(__name__)

_MOST = 4
"""The most downloads of one process at a time. Each reads from Postgres all the time."""
_LONGEST_S = 3600.0
"""Seconds that a download may take."""
_BUSY_S = 10.0
"""Seconds after which a client should try again while too many downloads run."""
_HEADERS = {
    "Content-Type": "application/jsonl; charset=utf-8",
    "Content-Disposition": 'attachment; filename="account.jsonl"',
    "Cache-Control": "private, no-store",
    "X-Accel-Buffering": "no",  # otherwise nginx would write the data of a slow client to its disk
}


class ExportEndpoint:
    """The handler of all downloads of a process. `stopping` is set when the process begins to stop."""

    def __init__(self, state: State, service: GraphQLService, stopping: asyncio.Event) -> None:
        self._state, self._service, self._stopping = state, service, stopping
        self._running: set[int] = set()
        """The users whose accounts are being downloaded."""

    async def __call__(self, method: str, sealed: str, ip: str | None) -> Response:
        """Returns the response that sends the export of a sealed link, or an error response. Charges the network
        address `ip` for a download as for the most expensive document of a user, and for a wrong link as for any
        refused request.
        """
        try:
            with self._service.time_limit():
                user_id = await self._user_of(sealed, ip)
                if method == "HEAD":
                    return Response(headers=_HEADERS)
                await self._service.charge_address(ip, self._service.settings.limits.user.cost)
                response: Response = await self._begun(user_id)
        except PlauditError as error:
            response = _refusal(error)
        except TimeoutError:
            response = _refusal(Unavailable())
        if response.status_code != 200:
            metrics.EXPORTS.labels("refused").inc()
        return response

    async def _user_of(self, sealed: str, ip: str | None) -> int:
        """Returns the user whose account may be downloaded with a sealed link. Raises NotServed, after charging the
        address, if the link is wrong or has expired, or if another one was requested since.
        """
        try:
            link = exports.opened(self._state.cursors, sealed)
            await self._check(link)
        except NotServed:
            await self._service.charge_address(ip)
            raise
        return link.user_id

    async def _check(self, link: ExportLink) -> None:
        if self._state.now_ms() >= link.requested_ms + LIFE_MS:
            raise NotServed("This link has expired. Request another export.", 410)
        if await requested(self._state.postgres, link.user_id) != link.requested_ms:
            raise _unknown()

    async def _begun(self, user_id: int) -> "ExportResponse":
        """Returns the response of a download whose first page has been read, so that it can begin. Raises RateLimited
        while the account is being downloaded, Unavailable while too many others are, and NotServed if there is no such
        account any more.
        """
        from archive.lines import joined
        from archive.person import NoPerson, Person

        if user_id in self._running:
            raise RateLimited("This account is being downloaded already.", retry_after=_BUSY_S)
        if len(self._running) >= _MOST:
            raise Unavailable("There are too many downloads here right now.", retry_after=_BUSY_S)
        with ExitStack() as counted:
            self._running.add(user_id)
            counted.callback(self._running.discard, user_id)
            pages = Person(self._state, user_id).pages()
            try:
                first = await anext(pages)
            except NoPerson:
                raise _unknown() from None
            return ExportResponse(user_id, joined(first), pages, self._stopping, counted.pop_all())


class ExportResponse(Response):
    """The response that sends one export: `first`, the lines of its first page, then `pages`. Closes `counted` at its
    end, and so frees the place of the download.
    """

    def __init__(
        self,
        user_id: int,
        first: bytes,
        pages: "AsyncGenerator[list[Json]]",
        stopping: asyncio.Event,
        counted: ExitStack,
    ) -> None:
        super().__init__(headers=_HEADERS)
        del self.headers["content-length"]
        self._user_id, self._first, self._pages = user_id, first, pages
        self._stopping, self._counted = stopping, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the export. If it cannot be completed, returns without ending the response, so that the server closes
        the connection.
        """
        del scope
        gone, outcome = asyncio.create_task(_disconnected(receive)), "cut"
        try:
            with self._counted:
                async with asyncio.timeout(_LONGEST_S), aclosing(self._pages):
                    outcome = await self._send(send, gone)
        except Exception as error:  # noqa: BLE001 - a client must notice whatever happens
            log.warning("an export was cut", user=self._user_id, error=f"{type(error).__name__}: {error}")
        finally:
            gone.cancel()
            metrics.EXPORTS.labels(outcome).inc()

    async def _send(self, send: Send, gone: asyncio.Task[None]) -> str:
        """Sends the export until the client is gone or the process stops. Returns the outcome for metrics."""
        from archive.lines import joined

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self._first, "more_body": True})
        async for records in self._pages:
            if gone.done():
                return "abandoned"
            if self._stopping.is_set():
                return "cut"
            await send({"type": "http.response.body", "body": joined(records), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return "complete"


async def _disconnected(receive: Receive) -> None:
    """Returns when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _unknown() -> NotServed:
    return NotServed("There is no export with this link.", 404)


def _refusal(error: PlauditError) -> Response:
    status, headers = status_and_headers(error)
    return JSONResponse({"error": error.message}, status, {"Cache-Control": "no-store", **headers})
