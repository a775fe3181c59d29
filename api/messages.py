"""Reads operations from HTTP requests and from messages of WebSockets.

Input: the parameters of a URL, a body, or a `subscribe` message. Output: a `GraphQLRequest`, or an error with its HTTP
status.

Follows the draft of GraphQL over HTTP that docs/reference/http.md names, with its appendix on persisted documents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any
from urllib.parse import parse_qsl

import orjson

from domain.document_ids import is_document_id
from domain.errors import BadInput, NotServed, TooExpensive
from execution.limits import measured

PARTIAL_STATUS = 294
"""The HTTP status of a response that has both data and errors."""
READ_METHODS = frozenset({"GET", "HEAD"})
"""The HTTP methods that send the operation in the URL. They never run mutations."""
LONGEST_URL = 32_768
MOST_SEPARATORS = 20_000
"""The most commas and opening brackets in one JSON text. Counting them before the text is parsed bounds the number of
values that parsing creates.
"""
MOST_VALUES = 5000
"""The most values in one JSON text. Lists, objects and their members all count."""
DEEPEST = 32
"""The deepest nesting of lists and objects in one JSON text."""
KILOBYTE = 1024


@dataclass(frozen=True, slots=True)
class GraphQLRequest:
    """The operation that a client wants executed: its text, its document id, or its hash with or without the text.

    If `document_id` is set, `query` and `query_hash` are not; otherwise at least one of these two is set. With
    `only_reads` the operation must not be a mutation. `query_hash` is Apollo's `sha256Hash`; clients with a manifest
    send the ids of the manifest in this field. `name` is the name of the operation, None if the request states none.
    """

    query: str | None
    variables: dict[str, Any] | None
    name: str | None
    extensions: dict[str, Any] | None
    only_reads: bool
    document_id: str | None = None
    query_hash: str | None = None
    kilobytes: int = 0
    """The size of the body or URL in whole kilobytes. 0 for WebSocket messages, which are charged on arrival."""


@dataclass(frozen=True, slots=True)
class GraphQLResponse:
    """A GraphQL response with its HTTP status and headers."""

    body: dict[str, Any]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def from_url(query_string: bytes, longest: int) -> GraphQLRequest:
    """Returns the operation in the parameters of a URL. Raises BadInput if the parameters are malformed or have more
    than `longest` bytes, TooExpensive if a parameter has too many values or is nested too deeply.
    """
    if len(query_string) > longest:
        raise NotServed(f"The URL has {len(query_string)} bytes of parameters; the limit is {longest}.", 414)
    try:
        pairs = parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError as error:
        raise NotServed("The parameters of the URL are not form-encoded UTF-8, or there are too many.", 400) from error
    params: dict[str, Any] = dict(pairs)
    if len(params) < len(pairs):
        raise BadInput("A parameter of the URL is sent twice.")
    for name in ("variables", "extensions"):
        params[name] = parse_json(params[name], name) if params.get(name) else None
    named = {**params, "operationName": params.get("operationName") or None}
    return _operation(named, only_reads=True, size=len(query_string))


def from_body(body: bytes) -> GraphQLRequest:
    """Returns the operation in a JSON body. Raises BadInput if the body is malformed, TooExpensive if it has too many
    values or is nested too deeply.
    """
    params = parse_json(body, "The body")
    if isinstance(params, list):
        raise BadInput("The body is a list. Send one operation per request.")
    if not isinstance(params, dict):
        raise BadInput("The body is not a JSON object.")
    return _operation(params, only_reads=False, size=len(body))


def from_message(payload: dict[str, Any]) -> GraphQLRequest:
    """Returns the operation in a `subscribe` message. Raises BadInput if the message is malformed."""
    return _operation(payload, only_reads=True)


def _operation(params: dict[str, Any], *, only_reads: bool, size: int = 0) -> GraphQLRequest:
    """Returns the operation in parsed parameters. `size` is the number of bytes in which the client sent them. With
    `only_reads`, the operation must not be a mutation.

    Raises BadInput if a parameter is malformed, or if the parameters name the operation in two ways, which could
    contradict each other. Only a hash may be sent together with a text.
    """
    query, name = params.get("query"), params.get("operationName")
    variables, extensions = params.get("variables"), params.get("extensions")
    if not isinstance(variables, (dict, NoneType)):
        raise BadInput("variables is not an object.")
    if not isinstance(name, (str, NoneType)):
        raise BadInput("operationName is not a text.")
    if not isinstance(extensions, (dict, NoneType)):
        raise BadInput("extensions is not an object.")
    document_ids = [params[name] for name in ("documentId", "doc_id") if params.get(name) is not None]
    document_id = _document_id(document_ids) if document_ids else None
    query_hash = _query_hash(extensions) if extensions else None
    if query == "" and (document_id or query_hash):
        query = None  # graphql-ws sends no operation without this member
    if not isinstance(query, (str, NoneType)) or not (query or (query is None and (document_id or query_hash))):
        raise BadInput("query is not a text.")
    if document_id and (query or query_hash):
        raise BadInput("Send documentId without query and without persistedQuery.")
    kilobytes = size // KILOBYTE
    return GraphQLRequest(query, variables, name, extensions, only_reads, document_id, query_hash, kilobytes)


def _document_id(given: list[Any]) -> str:
    """Returns the value of `documentId`, or of `doc_id`, the name that Relay uses. Raises BadInput if both are sent, or
    if the value is malformed.
    """
    if len(given) > 1:
        raise BadInput("Send documentId or doc_id, not both.")
    if not is_document_id(given[0]):
        raise BadInput("documentId is not a document identifier: sha256:<64 hex digits in lower case>, or a name.")
    return str(given[0])


def _query_hash(extensions: dict[str, Any]) -> str | None:
    """Returns the hash in `extensions.persistedQuery` (Apollo's protocol, version 1), or None if the request has none.
    Raises BadInput if `persistedQuery` is malformed.
    """
    persisted = extensions.get("persistedQuery")
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


def parse_json(content: bytes | str, what: str) -> Any:
    """Returns the value of a JSON text; `what` is its name in error messages. Raises BadInput if the text is not JSON,
    TooExpensive if it has too many values or is nested too deeply.
    """
    separators: tuple[Any, ...] = (",", "[", "{") if isinstance(content, str) else (b",", b"[", b"{")
    if (has := sum(map(content.count, separators))) > MOST_SEPARATORS:
        raise _too_many(what, "separators", has, MOST_SEPARATORS)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise NotServed(f"{what} is not JSON in UTF-8.", 400) from error
    values, depth = measured(value)
    if values > MOST_VALUES:
        raise _too_many(what, "values", values, MOST_VALUES)
    if depth > DEEPEST:
        raise _too_many(what, "levels", depth, DEEPEST)
    return value


def _too_many(what: str, limit: str, has: int, most: int) -> TooExpensive:
    return TooExpensive(f"{what} has {has} {limit}; the limit is {most}.", limit=limit, has=has, most=most)
