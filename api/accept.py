"""Content negotiation: which media type of response a client accepts."""

import re
from functools import lru_cache
from typing import NamedTuple

from api.headers import Headers
from domain.errors import NotServed

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
"""The ranges of an Accept header that match each media type, with their precision."""
_MOST_RANGES = 100
_WEIGHT = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")
_LONGEST_KEPT = 200
"""The longest Accept header, in characters, whose result is kept. Most clients send short ones."""


class _Accepted(NamedTuple):
    """The meaning of an Accept header: whether the client prefers an event stream, the media type of a single response
    (None if it accepts neither), and the media type of error responses.
    """

    stream: bool
    media_type: str | None
    error_media_type: str


def wants_stream(headers: Headers) -> bool:
    """Returns whether the client prefers an event stream to a single response."""
    return _accepted(headers).stream


def negotiate_media_type(headers: Headers) -> str:
    """Returns the media type of the response that the client prefers: plain JSON, or the type of GraphQL responses. If
    the client accepts both equally, returns plain JSON, unless the header names the GraphQL type.

    Raises NotServed if the client accepts neither type.
    """
    media_type = _accepted(headers).media_type
    if media_type is None:
        raise NotServed(f"Accept {GRAPHQL_JSON} or {JSON}.", 406)
    return media_type


def error_media_type(headers: Headers) -> str:
    """Returns the media type of error responses: that of GraphQL responses, or plain JSON for browsers and for clients
    that do not accept GraphQL responses.
    """
    return _accepted(headers).error_media_type


def _accepted(headers: Headers) -> _Accepted:
    text = headers.joined("accept")
    return _kept(text) if len(text) <= _LONGEST_KEPT else _parsed(text)


def _parsed(accept: str) -> _Accepted:
    weights = _weights(accept)
    stream = _preference(weights, EVENT_STREAM) > max(_preference(weights, JSON), _preference(weights, GRAPHQL_JSON))
    error = JSON if "text/html" in weights or weights.get(GRAPHQL_JSON) == 0 else GRAPHQL_JSON
    return _Accepted(stream, _media_type(weights if accept else {"*/*": 1.0}), error)


_kept = lru_cache(1000)(_parsed)


def _media_type(weights: dict[str, float]) -> str | None:
    plain, modern = _preference(weights, JSON), _preference(weights, GRAPHQL_JSON)
    if not plain[0] and not modern[0]:
        return None
    return GRAPHQL_JSON if modern > plain or (modern == plain and modern[1] == _EXACT) else JSON


def _weights(accept: str) -> dict[str, float]:
    """Returns the first hundred media ranges of an Accept header with their weights. Skips ranges with an invalid
    weight.
    """
    weights = {}
    for media_range_text in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        media_range, *parameters = (part.strip() for part in media_range_text.split(";"))
        weight = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
        if _WEIGHT.fullmatch(weight):
            weights[media_range] = float(weight)
    return weights


def _preference(weights: dict[str, float], media_type: str) -> tuple[float, int]:
    """Returns the weight of the most precise accepted range that contains a media type, and the precision of this
    range. Both are 0 if no range contains the media type.
    """
    named = [(exact, weights[name]) for name, exact in _MEDIA_RANGES[media_type].items() if name in weights]
    exact, weight = max(named, default=(0, 0.0))
    return weight, exact
