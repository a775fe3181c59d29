"""The failure switch of `plaudit dev` in the demo app: the page sees which stores run, and stops and starts them.

The switch (runner/switch.py) listens on a port of its own, which the page may not reach. The routes of this module pass
requests on to it. They exist only in an API that `plaudit dev` has started, and serve only browsers on its machine.
"""

import os

import httpx
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from web.sign_in import is_local, is_own_page

_HEADER = "X-Plaudit-Dev"
_SECONDS = 40.0
"""The longest wait for the switch, which itself waits for 30 seconds until a store has stopped."""


def switch_url() -> str | None:
    """Returns the address of the failure switch, which `plaudit dev` passes on; None if something else runs the API."""
    return os.environ.get("PLAUDIT_SWITCH_URL")


def store_routes(url: str) -> list[BaseRoute]:
    """Returns the routes `GET /graphiql/stores`, which tells which stores run, and `POST /graphiql/stores/redis/stop`
    and so on, which stop and start them. They ask the switch at `url`.
    """

    async def answer(request: Request) -> Response:
        if not (is_local(request) and is_own_page(request)):
            return Response(status_code=403)
        return await _ask(f"{url}/{request.path_params.get('wish', '')}", request)

    return [
        Route("/graphiql/stores", answer, methods=["GET"]),
        Route("/graphiql/stores/{wish:path}", answer, methods=["POST"]),
    ]


async def _ask(url: str, request: Request) -> Response:
    """Returns the answer of the switch. Answers 503 if the switch does not answer. The switch itself refuses requests
    without its header.
    """
    async with httpx.AsyncClient(trust_env=False, timeout=_SECONDS) as client:
        try:
            given = {_HEADER: request.headers.get(_HEADER, "")}
            answer = await client.request(request.method, url, headers=given)
        except httpx.HTTPError:
            return JSONResponse({"error": "The failure switch does not answer."}, 503)
    return Response(answer.content, answer.status_code, {"Cache-Control": "no-store"}, "application/json")
