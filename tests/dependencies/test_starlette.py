"""The parts of Starlette that dependencies/starlette.py takes."""

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dependencies.starlette import answer_404, never_redirect, set_fallback
from tests.dependencies.library import Library

STARLETTE = Library("starlette", "starlette")


async def page(_: Request) -> PlainTextResponse:
    return PlainTextResponse("page")


async def status(app: Starlette, path: str) -> int:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as http:
        return (await http.get(path)).status_code


async def test_a_path_with_another_slash_is_not_redirected() -> None:
    app = Starlette(routes=[Route("/page", page)])
    STARLETTE.has(app.router, "default", "not_found", "redirect_slashes")
    assert await status(app, "/page/") == 307

    never_redirect(app)

    assert await status(app, "/page/") == 404, STARLETTE.has_changed("redirect_slashes of the router has no effect")
    assert await status(app, "/page") == 200


async def test_a_fallback_answers_for_paths_without_a_route() -> None:
    async def fallback(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/other":
            await PlainTextResponse("fallback", 418)(scope, receive, send)
        else:
            await answer_404(scope, receive, send)

    app = Starlette(routes=[Route("/page", page)])
    set_fallback(app, fallback)

    assert [await status(app, path) for path in ("/page", "/other", "/none")] == [200, 418, 404], STARLETTE.has_changed(
        "the router does not call its attribute `default`"
    )
