"""GraphQL over HTTP: what a request contains, and how its response is sent.

Input: headers, a URL or a body. Output: a `GraphQLRequest` or an error with its HTTP status; and the response. Bodies
must have a JSON media type, which HTML forms cannot send.

Follows the draft of GraphQL over HTTP that docs/reference/http.md names, with its appendix on persisted documents.
"""

import hashlib
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.datastructures import Headers
from starlette.responses import Response

from domain.errors import BadInput, NotServed, PlauditError, TooExpensive
from execution.sizes import measured

JSON = "application/json"
GRAPHQL_JSON = "application/graphql-response+json"
EVENT_STREAM = "text/event-stream"
PARTIAL = 294
"""The status of a response with data and errors."""
READING = frozenset({"GET", "HEAD"})
"""The methods whose requests are in the URL. They only read."""

UTF8 = "; charset=utf-8"
_VARY = "Accept, Authorization, X-Device-Id"
_BY_NAME = 3
_RANGES = {
    JSON: {
        "text/html": 0,
        "*/*": 1,
        "application/*": 2,
        JSON: _BY_NAME,
    },  # browsers get JSON, because this endpoint has no page
    GRAPHQL_JSON: {"*/*": 1, "application/*": 2, GRAPHQL_JSON: _BY_NAME},
    EVENT_STREAM: {EVENT_STREAM: _BY_NAME},  # an event stream is sent only to clients that ask for one
}
"""The media ranges that clients may accept, each with its precision."""
_MOST_RANGES = 100
_WEIGHT = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?")
_TAG = re.compile(r'"[^"]*"')
_DOCUMENT_ID = re.compile(r"sha256:[0-9a-f]{64}|x-[\w.~-]+:[\w.~-]+|[\w.~-]+", re.ASCII)
_LONGEST_ID = 200
LONGEST_URL = 32_768
MOST_SEPARATORS = 20_000
"""The most commas and opening brackets in one JSON text. They are counted before it is parsed, because a value may
begin at each.
"""
MOST_VALUES = 5000
"""The most values in one JSON text: all lists and objects, and everything in them."""
DEEPEST = 32
"""The deepest nesting of lists and objects."""
KILOBYTE = 1024


@dataclass(frozen=True, slots=True)
class GraphQLRequest:
    """The operation that a client wants executed: its text, its document id, or its hash with or without the text.

    `document_id` comes without the others; otherwise `query` or `query_hash` is set. With `only_reads` the operation
    must be a query. `query_hash` is Apollo's `sha256Hash`; clients with a manifest send ids in it.
    """

    query: str | None
    variables: dict[str, Any] | None
    name: str | None
    extensions: dict[str, Any] | None
    only_reads: bool
    document_id: str | None = None
    query_hash: str | None = None
    kilobytes: int = 0
    """The size of the request in whole kilobytes, from its body or URL. WebSocket messages are charged when they
    arrive.
    """


@dataclass(frozen=True, slots=True)
class GraphQLResponse:
    """A GraphQL response with its HTTP status and headers."""

    body: dict[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def from_url(query_string: bytes, longest: int) -> GraphQLRequest:
    """Returns the operation in the parameters of a URL. Raises BadInput if they are malformed."""
    if len(query_string) > longest:
        raise NotServed(f"The URL has {len(query_string)} bytes of parameters; the limit is {longest}.", 414)
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise NotServed("The URL's parameters are not form-encoded UTF-8, or too many.", 400) from error
    params: dict[str, Any] = dict(pairs)
    if len(params) < len(pairs):
        raise BadInput("A parameter of the URL is given twice.")
    for name in ("variables", "extensions"):
        params[name] = _json(params[name], name) if params.get(name) else None
    named = {**params, "operationName": params.get("operationName") or None}
    return _operation(named, only_reads=True, size=len(query_string))


def from_body(body: bytes) -> GraphQLRequest:
    """Returns the operation in a JSON body. Raises BadInput if it is malformed, TooExpensive if it has too many
    values.
    """
    params = _json(body, "The body")
    if isinstance(params, list):
        raise BadInput("Operations are sent one by one; a list of them is not taken.")
    if not isinstance(params, dict):
        raise BadInput("The body is not a JSON object.")
    return _operation(params, only_reads=False, size=len(body))


def message(text: str) -> Any:
    """Parses a WebSocket message. Raises BadInput if it is not JSON, TooExpensive if it has too many values."""
    return _json(text, "The message")


def from_message(payload: dict[str, Any]) -> GraphQLRequest:
    """Returns the operation in a `subscribe` message. Raises BadInput if it is malformed."""
    return _operation(payload, only_reads=True)


def _operation(params: dict[str, Any], *, only_reads: bool, size: int = 0) -> GraphQLRequest:
    """Returns the operation in parsed parameters. Raises BadInput if they name it in more than one way, because these
    could contradict each other. Only a hash may come with a text.
    """
    query, name = params.get("query"), params.get("operationName")
    variables, extensions = params.get("variables"), params.get("extensions")
    if not isinstance(variables, dict | None):
        raise BadInput("variables is not an object.")
    if not isinstance(name, str | None):
        raise BadInput("operationName is not a text.")
    if not isinstance(extensions, dict | None):
        raise BadInput("extensions is not an object.")
    document_id, query_hash = _document_id(params), _query_hash(extensions)
    if not isinstance(query, str | None) or not (query or (query is None and (document_id or query_hash))):
        raise BadInput("query is not a text.")
    if document_id and (query or query_hash):
        raise BadInput("Send documentId alone: no query beside it, and no persistedQuery.")
    kilobytes = size // KILOBYTE
    return GraphQLRequest(query, variables, name, extensions, only_reads, document_id, query_hash, kilobytes)


def _document_id(params: dict[str, Any]) -> str | None:
    """Returns the `documentId` of the draft's appendix, also under the name that Relay uses."""
    given = [params[name] for name in ("documentId", "doc_id") if params.get(name) is not None]
    if len(given) > 1:
        raise BadInput("Send documentId or doc_id, not both.")
    if given and not is_document_id(given[0]):
        raise BadInput("documentId is not a document identifier: sha256:<64 hex digits in lower case>, or a name.")
    return given[0] if given else None


def _query_hash(extensions: dict[str, Any] | None) -> str | None:
    """Returns the hash of Apollo's persisted queries, version 1."""
    persisted = (extensions or {}).get("persistedQuery")
    if persisted is None:
        return None
    if not isinstance(persisted, dict):
        raise BadInput("extensions.persistedQuery is not an object.")
    version, query_hash = persisted.get("version"), persisted.get("sha256Hash")
    if version != 1 or isinstance(version, bool):
        raise BadInput("Unsupported persisted query version")  # Apollo's wording
    if not isinstance(query_hash, str) or not is_document_id(query_hash):
        raise BadInput("extensions.persistedQuery.sha256Hash is not a SHA-256 in hex.")
    return query_hash


def is_document_id(value: Any) -> bool:
    """Tells whether a text has the form of a document identifier. Prefixes other than `sha256:` and `x-…:` are
    reserved.
    """
    return isinstance(value, str) and len(value) <= _LONGEST_ID and _DOCUMENT_ID.fullmatch(value) is not None


def _json(content: bytes | str, what: str) -> Any:
    _check(what, "separators", _separators(content), MOST_SEPARATORS)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise NotServed(f"{what} is not JSON in UTF-8.", 400) from error
    values, depth = measured(value)
    _check(what, "values", values, MOST_VALUES)
    _check(what, "levels", depth, DEEPEST)
    return value


def _separators(content: bytes | str) -> int:
    """Returns an upper bound for the number of values in a JSON text."""
    if isinstance(content, str):
        return sum(map(content.count, ",[{"))
    return sum(map(content.count, (b",", b"[", b"{")))


def _check(what: str, limit: str, has: int, most: int) -> None:
    if has > most:
        raise TooExpensive(f"{what} has {has} {limit}; the limit is {most}.", limit=limit, has=has, most=most)


def only(headers: Headers, name: str) -> str | None:
    """Returns the value of a header. Raises BadInput if it is sent twice, because a proxy may have read the
    other one.
    """
    values = headers.getlist(name)
    if len(values) > 1:
        raise NotServed(f"Send {name} once.", 400)
    return values[0] if values else None


def check_head(method: str, headers: Headers) -> None:
    """Raises NotServed for a wrong method, and for a body whose media type is not JSON in UTF-8. Web pages of other
    origins cannot send that media type without permission.
    """
    if method in READING:
        return
    if method != "POST":
        raise NotServed("Send GET or POST.", 405, allow="GET, POST")
    media_type, _, parameters = (only(headers, "content-type") or "").lower().partition(";")
    charset = parameters.partition("charset=")[2].partition(";")[0].strip(' "')
    if media_type.strip() != JSON or charset not in ("", "utf-8", "utf8"):
        raise NotServed("Send Content-Type: application/json, in UTF-8.", 415)


def is_welcome(headers: Headers, origins: Collection[str], pattern: str | None) -> bool:
    """Tells whether a page of this origin may open a WebSocket. Browsers do not ask for permission before they open
    one.

    Allowed are the API's own pages, `origins`, origins that match `pattern`, and clients that are not browsers.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None or origin in origins or "*" in origins or origin.partition("://")[2] == host.lower():
        return True
    return pattern is not None and re.fullmatch(pattern, origin) is not None


def wants_stream(headers: Headers) -> bool:
    """Tells whether the client prefers an event stream to a single response."""
    weights = _weights(",".join(headers.getlist("accept")))
    return _liking(weights, EVENT_STREAM) > max(_liking(weights, JSON), _liking(weights, GRAPHQL_JSON))


def negotiated(headers: Headers) -> str:
    """Returns the media type of the response: the one that the client prefers, or JSON if it has no preference. Raises
    NotServed.
    """
    weights = _weights(",".join(headers.getlist("accept")) or "*/*")
    plain, modern = _liking(weights, JSON), _liking(weights, GRAPHQL_JSON)
    if not plain[0] and not modern[0]:
        raise NotServed(f"Accept {GRAPHQL_JSON} or {JSON}.", 406)
    return GRAPHQL_JSON if modern > plain or (modern == plain and modern[1] == _BY_NAME) else JSON


def _weights(accept: str) -> dict[str, float]:
    """Yields the first hundred media ranges with their weights. Ranges with an invalid weight are left out."""
    weights = {}
    for wish in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        media_range, *parameters = (part.strip() for part in wish.split(";"))
        weight = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
        if _WEIGHT.fullmatch(weight):
            weights[media_range] = float(weight)
    return weights


def _liking(weights: dict[str, float], media_type: str) -> tuple[float, int]:
    """Returns the weight of the most precise range that contains a media type, and its precision."""
    named = [(exact, weights[name]) for name, exact in _RANGES[media_type].items() if name in weights]
    exact, weight = max(named, default=(0, 0.0))
    return weight, exact


def refusal(error: PlauditError) -> tuple[int, dict[str, str]]:
    """Returns the status and headers for an error of a whole request."""
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if isinstance(error, NotServed) and error.allow:
        headers["Allow"] = error.allow
    if error.retry_after is not None:
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    return error.status, headers


def refused(error: PlauditError) -> Response:
    """Returns the response to a request that is refused before anything else is known about it."""
    status, extra = refusal(error)
    body = {"errors": [{"message": error.message, "extensions": error.extensions}]}
    return Response(orjson.dumps(body), status, {"Cache-Control": "no-store", **extra}, GRAPHQL_JSON + UTF8)


def response(
    method: str, headers: Headers, media_type: str, content: bytes, status: int, extra: dict[str, str]
) -> Response:
    """Returns the response for an encoded body: whole, without the body for HEAD, or 304 if the client has the same
    body.
    """
    extra = {"Vary": _VARY, **extra}
    if "no-store" not in extra["Cache-Control"]:
        extra["ETag"] = _tag(content, media_type)
        if _has(headers, extra["ETag"]):
            return Response(status_code=304, headers=extra)
    if method == "HEAD":
        extra["Content-Length"], content = str(len(content)), b""
    return Response(content, status, extra, (media_type if status < 300 else _type_of_errors(headers)) + UTF8)


def _type_of_errors(headers: Headers) -> str:
    """Returns the media type of error responses: the GraphQL type, or plain JSON for clients that do not accept it and
    for browsers.
    """
    weights = _weights(",".join(headers.getlist("accept")))
    return JSON if "text/html" in weights or weights.get(GRAPHQL_JSON) == 0 else GRAPHQL_JSON


def _tag(content: bytes, media_type: str) -> str:
    """Returns a strong ETag. The same bytes with another media type have another ETag."""
    return f'"{hashlib.blake2b(content, digest_size=16, key=media_type.encode()).hexdigest()}"'


def _has(headers: Headers, tag: str) -> bool:
    known = ",".join(headers.getlist("if-none-match"))
    return known.strip() == "*" or tag in _TAG.findall(known)
