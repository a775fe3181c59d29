"""The headers of an HTTP request, and what they say: the accepted media types, the client, the user that a service acts
for.
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from context import Client, Viewer
from domain import languages, texts
from domain.errors import BadInput, NotServed
from store.write_log.journal import ACTING

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
EVENT_STREAM = "text/event-stream"
_EXACT = 3
_MEDIA_RANGES = {
    JSON: {
        "text/html": 0,
        "*/*": 1,
        "application/*": 2,
        JSON: _EXACT,
    },  # browsers get JSON, because this endpoint has no page
    GRAPHQL_JSON: {"*/*": 1, "application/*": 2, GRAPHQL_JSON: _EXACT},
    EVENT_STREAM: {EVENT_STREAM: _EXACT},  # an event stream is sent only to clients that ask for one
}
"""The ranges of an Accept header that match each media type, with their precision from 0 (lowest) to 3."""
_MOST_RANGES = 100
_WEIGHT = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")
_LONGEST_KEPT = 200
"""The longest Accept header, in characters, whose meaning is cached. Most clients send short ones."""

_LONGEST_LANGUAGES = 200
"""The most characters of Accept-Language that are read. Browsers send fewer."""

ACTED_FOR = "X-Plaudit-User"
"""A request header: the external id of a user, percent-encoded. A service sends it to act as this user."""
VARY = f"Accept, Authorization, X-Device-Id, {ACTED_FOR}"
"""The headers of a request on which its response depends."""
NAMES = "apollographql-client-name", "graphql-client-name", "x-graphql-client-name"
VERSIONS = "apollographql-client-version", "graphql-client-version", "x-graphql-client-version"
_LONGEST_ADDRESS = 50
"""No IP address has more characters."""


class Headers:
    """The headers of a request. The methods take names in lower case."""

    __slots__ = ("_values",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._values.setdefault(name, []).append(value)

    def all(self, name: str) -> list[str]:
        """Returns the values of all headers with this name, in order."""
        return [value.decode("latin-1") for value in self._values.get(name.encode(), ())]

    def first(self, name: str) -> str | None:
        """Returns the value of the first header with this name, or None if there is none."""
        values = self._values.get(name.encode())
        return values[0].decode("latin-1") if values else None

    def single(self, name: str) -> str | None:
        """Returns the value of a header, or None if the header is missing. Raises NotServed if the header is sent
        twice, because a proxy may have read the other value.
        """
        values = self._values.get(name.encode(), ())
        if len(values) > 1:
            raise NotServed(f"Send {name} once.", 400)
        return values[0].decode("latin-1") if values else None


class Accepted(NamedTuple):
    """The meaning of an Accept header: whether the client prefers an event stream to a single response, the media type
    of a single response, and the media type of error responses.

    The media type of a single response is None if the client accepts neither JSON nor GraphQL responses. If it accepts
    both equally, the media type is JSON, unless the header names the GraphQL type. Errors are GraphQL responses; they
    are JSON for browsers and for clients that do not accept GraphQL responses.
    """

    stream: bool
    media_type: str | None
    error_media_type: str


def accepted(headers: Headers) -> Accepted:
    """Returns which media types a request accepts, by its Accept headers."""
    text = ",".join(headers.all("accept"))
    return _kept(text) if len(text) <= _LONGEST_KEPT else _parsed(text)


def _parsed(accept: str) -> Accepted:
    weights = _weights(accept)
    stream = _preference(weights, EVENT_STREAM) > max(_preference(weights, JSON), _preference(weights, GRAPHQL_JSON))
    error = JSON if "text/html" in weights or weights.get(GRAPHQL_JSON) == 0 else GRAPHQL_JSON
    return Accepted(stream, _media_type(weights if accept else {"*/*": 1.0}), error)


_kept = lru_cache(1000)(_parsed)


def _media_type(weights: dict[str, float]) -> str | None:
    plain, modern = _preference(weights, JSON), _preference(weights, GRAPHQL_JSON)
    if not plain[0] and not modern[0]:
        return None
    return GRAPHQL_JSON if modern > plain or (modern == plain and modern[1] == _EXACT) else JSON


def _weights(accept: str) -> dict[str, float]:
    """Returns the weight of each media range in an Accept header (`q`, from 0 to 1), by range. Reads the first hundred
    ranges, and skips ranges with an invalid weight.
    """
    weights = {}
    for media_range_text in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        media_range, *parameters = (part.strip() for part in media_range_text.split(";"))
        weight = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
        if _WEIGHT.fullmatch(weight):
            weights[media_range] = float(weight)
    return weights


def _preference(weights: dict[str, float], media_type: str) -> tuple[float, int]:
    """Returns the weight of the most precise accepted range that contains a media type, and the precision of this range
    (from 0 to 3, as in `_MEDIA_RANGES`). Both are 0 if no range contains the media type.
    """
    named = [(exact, weights[name]) for name, exact in _MEDIA_RANGES[media_type].items() if name in weights]
    exact, weight = max(named, default=(0, 0.0))
    return weight, exact


def client_of(headers: Headers, ip: str | None, viewer: Viewer | None) -> Client:
    """Returns what a request says about its client: the network address, the device id, the kind of client, the name
    and version of the app, the wanted languages, and the service that acts for the viewer (then the languages are not
    those of the viewer, and left out). Raises NotServed if X-Client-Kind or X-Device-Id
    is invalid or sent twice.
    """
    if kind := headers.single("x-client-kind"):
        _label(kind, "an x-client-kind", 32)
        if kind.startswith(ACTING):
            raise NotServed(f"X-Client-Kind cannot begin with {ACTING}", 400)
    if device := headers.single("x-device-id"):
        _label(device, "an x-device-id", 128)
    name = next(filter(None, map(headers.first, NAMES)), "")
    version = next(filter(None, map(headers.first, VERSIONS)), "") if name else ""
    service_id = viewer.service_id if viewer else None
    wanted: Sequence[str] = ()
    if service_id is None and (header := ",".join(headers.all("accept-language"))):
        wanted = languages.accepted(header[:_LONGEST_LANGUAGES])
    return Client(address(ip), device or None, kind or None, service_id, name, version, wanted)


def _label(value: str, what: str, longest: int = 255) -> str:
    try:
        return texts.identifier(value, what, longest)
    except BadInput as error:
        raise NotServed(error.message, 400) from None


def address(ip: str | None) -> str | None:
    """Returns an IP address in canonical form: without a zone, and as IPv4 if it is an IPv4-mapped IPv6 address.
    Returns None for a text that is not an IP address: a proxy's header may contain anything.
    """
    return _canonical_address((ip or "").partition("%")[0][:_LONGEST_ADDRESS])


@lru_cache(10_000)
def _canonical_address(ip: str) -> str | None:
    try:
        parsed = ipaddress.ip_address(ip)
    except ValueError:
        return None
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def acted_for(value: str) -> str:
    """Returns the external id in a value of the header X-Plaudit-User. Raises NotServed if the value is invalid."""
    try:
        return _label(unquote(value, errors="strict"), ACTED_FOR)
    except UnicodeDecodeError:
        raise NotServed(f"{ACTED_FOR} is not percent-encoded UTF-8.", 400) from None
