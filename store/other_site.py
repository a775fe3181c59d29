"""What the other one of two sites says of itself in the answer to `/readyz` (ADR 104)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.errors import Unavailable

_TIMEOUT = 2.0
"""Seconds after which a site that has not answered does not answer."""
_PROBE = "192.0.2.1"
"""An address of nobody. Only a site that trusts this one as a proxy takes it for the address of the caller."""


class SiteReport(NamedTuple):
    """What a site says of itself: whether its API can serve requests, its term, whether it takes writes, the position
    of the WAL that its standby has replayed (None at the site that takes writes), the version of the program and of its
    tables, and the mode of its cache Redis. `ahead_ms` is how far its clock is ahead of this one, at most `unsure_ms`
    more or less. `trusts` is whether it trusts this site as a proxy.
    """

    is_ready: bool
    term: int
    takes_writes: bool
    replayed: int | None
    version: str
    revision: str
    cache_mode: str
    ahead_ms: float
    unsure_ms: float
    trusts: bool


class Promotion(NamedTuple):
    """What a site had when it was promoted: the version of the last entry of each journal, by partition, and the
    snapshot of Postgres, as a text of the type pg_snapshot.
    """

    ends: dict[int, int]
    snapshot: str | None


class OtherSite:
    """A client of the other site at `url`. `last` is the last report, None before the first one."""

    def __init__(self, url: str, now_ms: Callable[[], int]) -> None:
        import httpx

        self._url = f"{url.rstrip('/')}/readyz"
        self._now_ms = now_ms
        self._client = httpx.AsyncClient(timeout=_TIMEOUT, trust_env=False)
        self._errors: tuple[type[Exception], ...] = (httpx.HTTPError, OSError, TypeError, ValueError, KeyError)
        self.last: SiteReport | None = None

    async def ask(self) -> SiteReport:
        """Returns what the other site says of itself now. Raises Unavailable if it does not answer."""
        began = self._now_ms()
        body, is_ready = await self._get("")
        ended = self._now_ms()
        try:
            self.last = SiteReport(
                is_ready=is_ready,
                term=int(body["term"]),
                takes_writes=bool(body["takesWrites"]),
                replayed=body["replayed"],
                version=body["version"],
                revision=body["revision"],
                cache_mode=body["cacheMode"],
                ahead_ms=int(body["nowMs"]) - (began + ended) / 2,
                unsure_ms=(ended - began) / 2,
                trusts=body["caller"] == _PROBE,
            )
        except self._errors as error:
            raise Unavailable("The other site answers, but says nothing of itself.") from error
        return self.last

    async def promotion(self) -> Promotion:
        """Returns what the other site had when it was promoted. Raises Unavailable if it does not answer, or does not
        say so because its Postgres is slow or down.
        """
        body, _ = await self._get("?promotion=1")
        try:
            return Promotion(dict(enumerate(body["promotion"]["ends"])), body["promotion"]["snapshot"])
        except self._errors as error:
            raise Unavailable("The other site does not say what it had when it was promoted.") from error

    async def _get(self, query: str) -> tuple[dict[str, Any], bool]:
        try:
            answer = await self._client.get(self._url + query, headers={"x-forwarded-for": _PROBE})
            return dict(answer.json()["site"]), answer.status_code == 200
        except self._errors as error:
            raise Unavailable(f"The other site does not answer: {error!r}") from error

    async def close(self) -> None:
        """Ends the connections to the other site."""
        await self._client.aclose()
