"""The HTTP headers that restrict pages to their own origin."""

from collections.abc import Iterable

_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    # GraphiQL's menus and dialogs add one <style> element, which has this response's nonce. React and CodeMirror write
    # to element.style, which the policy allows without 'unsafe-inline'.
    "style-src 'self' 'nonce-{nonce}'",
    "connect-src 'self'",
    # data: for the dots under a lint warning and for two fonts, which GraphiQL's stylesheet contains.
    "img-src 'self' data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)


def page_headers(nonce: str) -> dict[str, str]:
    """Returns the headers of GraphiQL's page. They allow the <style> element that has this `nonce`, a random text. The
    nonce must be new in every response, so the page must not be cached.
    """
    return {
        "Content-Security-Policy": "; ".join(_DIRECTIVES).format(nonce=nonce),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }


_APP_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src {connections}",
    "img-src {media}",
    "media-src {media}",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)


def app_headers(media_sources: Iterable[str], connections: Iterable[str] = ()) -> dict[str, str]:
    """Returns the headers of the page of the demo app or the moderation console. The page loads scripts and styles of
    its own origin only, and also images, videos and audio files of `media_sources`. It connects to its own origin, and
    to `connections`. Both are CSP sources such as `https://images.example.com`.
    """
    media, connected = (" ".join(["'self'", *sources]) for sources in (media_sources, connections))
    return {
        "Content-Security-Policy": "; ".join(_APP_DIRECTIVES).format(media=media, connections=connected),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
