import re
from html.parser import HTMLParser

import httpx


def policy(response: httpx.Response) -> dict[str, list[str]]:
    directives = (directive.split() for directive in response.headers["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in directives}


def nonce(response: httpx.Response) -> str:
    found = re.search(r"'nonce-([\w-]+)'", response.headers["Content-Security-Policy"])
    assert found
    return found[1]


class Inline(HTMLParser):
    """Collects the inline code of a document, which a strict policy would block."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocked: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag in {"style", "base"} or (tag == "script" and "src" not in names):
            self.blocked.append(f"<{tag}>")
        self.blocked += [f"{tag}.{name}" for name in names if name == "style" or name.startswith("on")]


async def test_the_page_may_load_only_from_this_origin(production: httpx.AsyncClient) -> None:
    page = await production.get("/graphiql")

    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert policy(page) == {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", f"'nonce-{nonce(page)}'"],
        "connect-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["data:"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
    }


async def test_the_page_has_no_inline_code(production: httpx.AsyncClient) -> None:
    page = await production.get("/graphiql")

    assert Inline(page.text).blocked == []


async def test_every_page_has_its_own_nonce_and_is_not_cacheable(production: httpx.AsyncClient) -> None:
    first, second = await production.get("/graphiql"), await production.get("/graphiql")

    assert nonce(first) != nonce(second)
    assert f'nonce="{nonce(first)}"' in first.text
    assert first.headers["Cache-Control"] == "no-store"


async def test_the_page_sends_no_referrer_and_is_not_sniffed(production: httpx.AsyncClient) -> None:
    page = await production.get("/graphiql")

    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
