"""The headers that confine GraphiQL's page to its own origin."""

_DIRECTIVES = (
    "default-src 'none'",
    "script-src 'self'",
    # GraphiQL's menus and dialogs add one <style> element; it carries this response's nonce. What React and CodeMirror
    # write to element.style is not inline style to the policy, so 'unsafe-inline' is not needed.
    "style-src 'self' 'nonce-{nonce}'",
    "connect-src 'self'",
    # data: for the dots under a lint warning, embedded in GraphiQL's stylesheet; likewise its two fonts.
    "img-src 'self' data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)


def page_headers(nonce: str) -> dict[str, str]:
    """Headers of the page. `nonce` must be new in every response, hence no-store."""
    return {
        "Content-Security-Policy": "; ".join(_DIRECTIVES).format(nonce=nonce),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
