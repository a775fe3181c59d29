"""Forwards operations from a site that only reads to the site that writes (ADR 104).

Not ready: the setting `other_site` turns this on, and must not be set yet.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import orjson

from api.headers import ACTED_FOR, JSON, NAMES, VERSIONS, Headers
from api.messages import GraphQLRequest, GraphQLResponse
from domain.errors import Unavailable
from observability.logs import Log

if TYPE_CHECKING:
    import httpx

log = Log(__name__)

FORWARDED = "x-plaudit-forwarded"
"""The header of a forwarded request. A site that only reads refuses it, so that no request runs in a circle."""
_PASSED_ON = (
    *("authorization", "x-device-id", "x-client-kind", ACTED_FOR.lower(), "accept-language", "traceparent"),
    *NAMES,
    *VERSIONS,
)
_RETURNED = frozenset({"retry-after", *(f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset", "budget"))})
_UNANSWERED = "The site that writes does not answer. It is unknown whether a write was done."
_SIGN_IN = GraphQLRequest("{ __typename }", None, None, None, only_reads=True)


def origin(headers: Headers, ip: str | None) -> dict[str, str]:
    """Returns the headers with which a request must be forwarded, so that the other site takes it for a request of the
    same caller.
    """
    found = {name: value for name in _PASSED_ON if (value := headers.first(name)) is not None}
    return found | {"x-forwarded-for": ip or "", FORWARDED: headers.first(FORWARDED) or "1"}


class Forwarder:
    """Sends operations to the API at the other site, over kept connections. `timeout` is how many seconds an answer may
    take.
    """

    def __init__(self, url: str, timeout: float) -> None:
        import httpx

        self._url = f"{url.rstrip('/')}/graphql"
        # without the environment: a proxy would read the tokens
        self._client = httpx.AsyncClient(timeout=timeout, trust_env=False)
        self._errors: tuple[type[Exception], ...] = (httpx.HTTPError, OSError, TypeError, ValueError)

    async def execute(self, request: GraphQLRequest, headers: Mapping[str, str]) -> GraphQLResponse:
        """Returns the answer of the other site to an operation. `headers` are those that `origin` has returned. Raises
        Unavailable if the other site does not answer: it is then unknown whether the operation has run.
        """
        body = {
            "query": request.query,
            "documentId": request.document_id,
            "operationName": request.name,
            "variables": request.variables,
            "extensions": request.extensions,
        }
        content = orjson.dumps({name: value for name, value in body.items() if value is not None})
        sent = {**headers, "content-type": JSON, "accept": JSON}
        try:
            response = await self._client.post(self._url, content=content, headers=sent)
            return GraphQLResponse(dict(orjson.loads(response.content)), response.status_code, _returned(response))
        except self._errors as error:
            log.warning("the other site does not answer", error=repr(error))
            raise Unavailable(_UNANSWERED) from error

    async def sign_in(self, headers: Mapping[str, str]) -> None:
        """Lets the other site create the user of a token. Raises Unavailable if it does not answer."""
        await self.execute(_SIGN_IN, headers)

    async def close(self) -> None:
        """Ends the connections to the other site."""
        await self._client.aclose()


def _returned(response: "httpx.Response") -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name in _RETURNED}
