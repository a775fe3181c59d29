"""URLs of images in their one spelling.

Enters: what a client calls an image's URL. Leaves: the URL that is stored, signed and asked for, the same characters
each time. Promised: whatever proxies do to a path before they look for a file (decode it, resolve dots), they find what
the spelling says; and the canonical form of a canonical form is itself.
"""

import re
from collections.abc import Collection

from domain.errors import ImageNotAllowed

LONGEST = 2000
EXPIRY_AND_KEY = r"e=(?P<expires>[0-9]{1,12})&k=(?P<key>[A-Za-z0-9_-]{1,16})"
"""Unix seconds, and the id of a key."""
SIGNATURE = r"s=(?P<signature>[A-Za-z0-9_-]{22})"
"""16 bytes in base64url. Before it stand expiry and key, before them what is nobody's or the image's own query."""
SIGNED_LONGER = 60
"""How many characters a signature adds at most."""

_HOST = r"[A-Za-z0-9.-]+(?::[0-9]+)?"
_PATH = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*"
_QUERY = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
_URL = re.compile(rf"(?i:https)://({_HOST})(|/{_PATH})(?:\?({_QUERY}))?", re.ASCII)
_ESCAPE = re.compile(r"%(..)")
_SIGNED = re.compile(rf"(?:^|&){EXPIRY_AND_KEY}&{SIGNATURE}\Z")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_CONTROL = re.compile("%[01].|%7F")
_SLASH = re.compile("%2F|%5C")
_RESERVED = frozenset("eks")


def canonical(url: str, hosts: Collection[str]) -> str:
    """The one spelling of a URL, less the signature with which we may have given it away.

    Raises ImageNotAllowed for anything but an https URL of one of `hosts`, and for paths that are read in several ways.
    """
    match = _URL.fullmatch(url) if len(url) <= LONGEST + SIGNED_LONGER else None
    if not match:
        raise ImageNotAllowed(
            f"This is not an https URL of at most {LONGEST} characters, percent-encoded and without #."
        )
    host, path, query = authority(match[1]), _unescaped(match[2] or "/"), _unescaped(match[3] or "")
    if host not in hosts:
        raise ImageNotAllowed("Images of this host are not shown here.")
    if _SLASH.search(path) or any(segment in (".", "..") for segment in path.split("/")):
        raise ImageNotAllowed("This URL's path has dot segments, or slashes in disguise.")
    if query := _SIGNED.sub("", query):
        path = f"{path}?{query}"
    if _CONTROL.search(path) or any(part.partition("=")[0] in _RESERVED for part in query.split("&")):
        raise ImageNotAllowed("This URL has control characters, or parameters named e, k or s, which are ours.")
    spelling = f"https://{host}{path}"
    if len(spelling) > LONGEST:
        raise ImageNotAllowed(f"An image's URL is at most {LONGEST} characters.")
    return spelling


def authority(host: str) -> str:
    """A host in its one spelling: lower case, and without the port that https has anyway."""
    return host.lower().removesuffix(":443")


def _unescaped(part: str) -> str:
    """With escapes in upper case, and none where there need be none (RFC 3986, 6.2.2)."""
    return _ESCAPE.sub(_plainest, part)


def _plainest(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()
