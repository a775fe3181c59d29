"""The client of a request: its network address, device, kind, name and version."""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from api import messages
from api.headers import Headers
from context import Client, Viewer
from domain import texts
from domain.errors import BadInput, NotServed
from store.write_log.journal import ACTING

_LONGEST_ADDRESS = 50
"""No IP address has more characters."""
NAMES = "apollographql-client-name", "graphql-client-name", "x-graphql-client-name"
VERSIONS = "apollographql-client-version", "graphql-client-version", "x-graphql-client-version"


def client_of(headers: Headers, ip: str | None, viewer: Viewer | None) -> Client:
    """Returns the client of a request with these headers. Raises NotServed for an invalid header."""
    kind = _label(headers, "x-client-kind", 32)
    if kind and kind.startswith(ACTING):
        raise NotServed(f"X-Client-Kind cannot begin with {ACTING}", 400)
    service_id = viewer.service_id if viewer else None
    device, name = _label(headers, "x-device-id", 128), _stated(headers, NAMES)
    return Client(address(ip), device, kind, service_id, name, _stated(headers, VERSIONS) if name else "")


def address(ip: str | None) -> str | None:
    """Returns an IP address in canonical form, without the zone of a link-local address. Returns None for a text that
    is not an IP address: a proxy's header may contain anything.
    """
    return _canonical_address((ip or "").partition("%")[0][:_LONGEST_ADDRESS])


@lru_cache(10_000)
def _canonical_address(ip: str) -> str | None:
    try:
        parsed = ipaddress.ip_address(ip)
    except ValueError:
        return None
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def _stated(headers: Headers, names: Iterable[str]) -> str:
    """Returns the value of the first of these headers that the request has, or an empty text."""
    return next((value for name in names if (value := headers.first(name))), "")


def _label(headers: Headers, header: str, longest: int) -> str | None:
    value = messages.single_header(headers, header)
    try:
        return texts.identifier(value, f"an {header}", longest) if value else None
    except BadInput as error:
        raise NotServed(error.message, 400) from None
