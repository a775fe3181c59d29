"""The HTTP headers that restrict pages to their own origin."""

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
    """Returns the headers of GraphiQL's page. `nonce` must be new in every response, so the page must not be cached."""
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
    "connect-src 'self'",
    # Posts may show images of any host. Images of the demo data are at 127.0.0.1, also if the page is at localhost.
    "img-src 'self' https: http://127.0.0.1:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)


def app_headers() -> dict[str, str]:
    """Returns the headers of the demo app's page."""
    return {
        "Content-Security-Policy": "; ".join(_APP_DIRECTIVES),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }
