"""Forwards operations from a reading site to the write site (ADR 104)."""

import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson

from api.headers import ACTED_FOR, JSON, NAMES, VERSIONS, Headers
from api.messages import GraphQLRequest, GraphQLResponse
from domain.errors import Unavailable
from observability.logs import Log
from observability.metrics import FORWARDED as REQUESTS
from store.breaker import Breaker
from store.persisted.usage import Uses

if TYPE_CHECKING:
    import httpx

log = Log(__name__)

FORWARDED = "x-plaudit-forwarded"
"""The header of a forwarded request. A reading site refuses it, so that no request runs in a circle."""
USES = "x-plaudit-uses"
"""The header with which a reading site sends how often persisted operations were requested: a signature, and
JSON.
"""
_MOST_USES = 40
"""The most rows in one header."""
_PASSED_ON = (
    *("authorization", "x-device-id", "x-client-kind", ACTED_FOR.lower(), "accept-language", "traceparent"),
    *NAMES,
    *VERSIONS,
)
_RETURNED = frozenset({"retry-after", *(f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset", "budget"))})
_EMPTY = GraphQLRequest("{ __typename }", None, None, None, only_reads=True)


class OtherSiteDown(Unavailable):
    """The write site does not answer. It is unknown whether a write was done."""

    def __init__(self) -> None:
        super().__init__("The write site does not answer. It is unknown whether a write was done.")


def origin(headers: Headers, ip: str | None) -> dict[str, str]:
    """Returns the headers with which a request must be forwarded, so that the other site takes it for a request of the
    same caller.
    """
    found = {name: value for name in _PASSED_ON if (value := headers.first(name)) is not None}
    return found | {"x-forwarded-for": ip or "", FORWARDED: headers.first(FORWARDED) or "1"}


class Forwarder:
    """Sends operations to the API at the other site, over kept connections. `timeout` is how many seconds the answer to
    a mutation may take; queries have half of it, so that this site can still answer them. While the other site is known
    to be down, nothing waits for it. `key` signs what only a site may send.
    """

    def __init__(self, url: str, timeout: float, key: bytes) -> None:
        import httpx

        self._url = f"{url.rstrip('/')}/graphql"
        self._alive = f"{url.rstrip('/')}/livez"
        self._timeout = timeout
        self._key = key
        self._breaker = Breaker("other_site", self._probe, OtherSiteDown)
        # without the environment: a proxy would read the tokens
        self._client = httpx.AsyncClient(timeout=timeout, trust_env=False)
        self._errors: tuple[type[Exception], ...] = (httpx.HTTPError, OSError, TypeError, ValueError)

    async def execute(
        self, request: GraphQLRequest, headers: Mapping[str, str], *, is_mutation: bool = False
    ) -> GraphQLResponse:
        """Returns the answer of the other site to an operation. `headers` are those that `origin` has returned. Raises
        OtherSiteDown if the other site does not answer: it is then unknown whether the operation has run.
        """
        kind = "mutation" if is_mutation else "query"
        try:
            response = await self._send(request, headers, is_mutation=is_mutation)
        except OtherSiteDown:
            REQUESTS.labels(kind, "unanswered").inc()
            raise
        REQUESTS.labels(kind, "answered").inc()
        return response

    async def _send(self, request: GraphQLRequest, headers: Mapping[str, str], *, is_mutation: bool) -> GraphQLResponse:
        body = {
            "query": request.query,
            "documentId": request.document_id,
            "operationName": request.name,
            "variables": request.variables,
            "extensions": request.extensions,
        }
        content = orjson.dumps({name: value for name, value in body.items() if value is not None})
        sent = {**headers, "content-type": JSON, "accept": JSON}
        encoded = {name.encode(): value.encode("latin-1") for name, value in sent.items()}
        seconds = self._timeout if is_mutation else self._timeout / 2
        # outside the `try`, so that what a client has sent never counts as a failure of the other site
        post = self._client.build_request("POST", self._url, content=content, headers=encoded, timeout=seconds)
        await self._breaker.check()
        try:
            response = await self._breaker.call(self._client.send(post))
            return GraphQLResponse(dict(orjson.loads(response.content)), response.status_code, _returned(response))
        except self._errors as error:
            log.warning("the other site does not answer", error=repr(error))
            self._breaker.suspect()
            raise OtherSiteDown from error

    async def _probe(self) -> None:
        import httpx

        async with httpx.AsyncClient(trust_env=False) as client:  # a kept connection may hang
            (await client.get(self._alive)).raise_for_status()

    async def sign_in(self, headers: Mapping[str, str]) -> None:
        """Lets the other site create the user of a token. Raises OtherSiteDown if it does not answer."""
        await self.execute(_EMPTY, headers)

    async def report(self, uses: Sequence[Uses]) -> None:
        """Lets the other site count how often persisted operations were requested at this site. Raises OtherSiteDown if
        it does not answer.
        """
        for first in range(0, len(uses), _MOST_USES):
            some = uses[first : first + _MOST_USES]
            content = json.dumps([(*use[:-1], use.last_used_at.isoformat()) for use in some])
            signed = {FORWARDED: "2", USES: f"{_signature(self._key, content)} {content}"}
            if (await self.execute(_EMPTY, signed)).status == Unavailable.status:
                raise OtherSiteDown

    async def close(self) -> None:
        """Ends the connections to the other site."""
        await self._breaker.close()
        await self._client.aclose()


def reported(headers: Headers, key: bytes) -> list[Uses]:
    """Returns the requests for persisted operations that the other site reports with a request (`Forwarder.report`).
    Returns an empty list if it reports none, or if the signature is wrong.
    """
    signature, _, content = (headers.first(USES) or "").partition(" ")
    if not content or not hmac.compare_digest(signature.encode("latin-1"), _signature(key, content).encode()):
        return []
    rows: list[Any] = json.loads(content)
    return [Uses._make((*row[:-1], datetime.fromisoformat(row[-1]))) for row in rows]


def is_forwarded(headers: Mapping[str, str]) -> bool:
    """Returns whether a request with this origin (`origin`) comes from the other site."""
    return headers.get(FORWARDED, "1") != "1"


def _signature(key: bytes, content: str) -> str:
    return hmac.digest(key, b"uses " + content.encode("latin-1"), "sha256").hex()


def _returned(response: "httpx.Response") -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name in _RETURNED}
