"""The canonical form of the image URLs of posts, comments and profiles.

Input: an image URL from a client. Output: the URL that is stored, signed and requested, always in the same spelling.
Proxies decode paths and resolve `.` and `..` before they look for a file. A canonical URL names the same file before
and after that. The canonical form of a canonical URL is the URL itself.
"""

import re
from collections.abc import Collection

from domain.errors import ImageNotAllowed

LONGEST = 2000
EXPIRY_AND_KEY = r"e=(?P<expires>[0-9]{1,12})&k=(?P<key>[A-Za-z0-9_-]{1,16})"
"""A pattern for the query parameters `e`, the time at which the URL expires in Unix seconds, and `k`, the id of the
signing key.
"""
SIGNATURE = r"s=(?P<signature>[A-Za-z0-9_-]{22})"
"""A pattern for the query parameter `s`, the signature: 16 bytes in base64url. `s` follows `e` and `k`, which follow
the image's own query.
"""
SIGNATURE_LENGTH = 60
"""The greatest number of characters that signing adds to a URL."""

_HOST = r"[A-Za-z0-9.-]+(?::[0-9]+)?"
_PATH = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*"
_QUERY = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
_URL = re.compile(rf"(?i:(https?))://({_HOST})(|/{_PATH})(?:\?({_QUERY}))?", re.ASCII)
_LOOPBACK = re.compile(r"http://(?:localhost|127\.0\.0\.1)(?::[1-9][0-9]{0,4})?")
_ESCAPE = re.compile(r"%(..)")
_SIGNED = re.compile(rf"(?:^|&){EXPIRY_AND_KEY}&{SIGNATURE}\Z")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_CONTROL = re.compile("%[01].|%7F")
_SLASH = re.compile("%2F|%5C")
_RESERVED = frozenset("eks")


def canonical(url: str, hosts: Collection[str], *, loopback: bool = False) -> str:
    """Returns the canonical form of a URL, without the signature that this deployment may have added.

    Raises ImageNotAllowed if the URL is not an https URL of one of `hosts`, has more than LONGEST characters, has an
    ambiguous path, or has a parameter of signatures (`e`, `k` or `s`). If `loopback` is true, http URLs of this machine
    are allowed, too.
    """
    match = _URL.fullmatch(url) if len(url) <= LONGEST + SIGNATURE_LENGTH else None
    if not match:
        raise ImageNotAllowed(
            f"This is not an https URL of at most {LONGEST} characters, percent-encoded and without #."
        )
    origin = _origin(match[1].lower(), match[2])
    path, query = _normalize_escapes(match[3] or "/"), _normalize_escapes(match[4] or "")
    if origin.removeprefix("https://") not in hosts and not (loopback and _LOOPBACK.fullmatch(origin)):
        raise ImageNotAllowed("This image has a host that is not allowed here, or is not an https URL.")
    if _SLASH.search(path) or any(segment in (".", "..") for segment in path.split("/")):
        raise ImageNotAllowed("This URL's path has dot segments, or percent-encoded slashes.")
    if query := _SIGNED.sub("", query):
        path = f"{path}?{query}"
    if _CONTROL.search(path) or any(part.partition("=")[0] in _RESERVED for part in query.split("&")):
        raise ImageNotAllowed("This URL has control characters, or a reserved parameter: e, k or s.")
    result = f"{origin}{path}"
    if len(result) > LONGEST:
        raise ImageNotAllowed(f"An image's URL is at most {LONGEST} characters.")
    return result


def canonical_host(host: str) -> str:
    """Returns a host in lower case, without the default port of https."""
    return host.lower().removesuffix(":443")


def _origin(scheme: str, host: str) -> str:
    """Returns scheme and host of a URL, without the default port."""
    return f"https://{canonical_host(host)}" if scheme == "https" else f"http://{host.lower().removesuffix(':80')}"


def _normalize_escapes(part: str) -> str:
    """Returns a path or query with percent-escapes in upper case, and without unnecessary escapes (RFC 3986, 6.2.2)."""
    return _ESCAPE.sub(_normalize_escape, part)


def _normalize_escape(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()
