"""Sends events to a webhook: signed JSON to an address that is resolved and checked anew for each request.

The receiver has accepted the events if it answers with a status of 200 to 299 in time. Redirects are not followed.
Bodies of answers are not read.
"""

import asyncio
import ssl
import time
from collections.abc import Sequence

import httpx

from domain import webhook_signatures
from models.outgoing import Destination
from observability import tracing
from settings import EventSettings
from workers.outgoing.addresses import Lookups, resolve
from workers.outgoing.failures import DeliveryFailed
from workers.outgoing.render import Rendered

_PORTS = {"https": 443, "http": 80}
_HEADERS = {"Content-Type": "application/json", "User-Agent": "Plaudit", "Accept-Encoding": "identity"}


class WebhookSink:
    """Sends events to a destination that is a webhook: as signed JSON, by HTTP."""

    def __init__(self, destination: Destination, settings: EventSettings) -> None:
        self._url = httpx.URL(destination.url)
        self._secrets = destination.secrets
        self._settings = settings
        self._client = httpx.AsyncClient(
            headers=_HEADERS,
            timeout=settings.timeout,
            limits=httpx.Limits(max_connections=settings.concurrency, max_keepalive_connections=0),
            follow_redirects=False,
            trust_env=False,  # a proxy would resolve the name itself
        )
        self._lookups = Lookups(settings.concurrency)

    async def send(self, partition: int, events: Sequence[Rendered]) -> None:
        """Sends events in one request. Raises DeliveryFailed unless the receiver answers with a status of 200 to 299 in
        time.
        """
        first, last = events[0], events[-1]
        body = b'{"partition":%d,"events":[%s]}' % (partition, b",".join(event.body for event in events))
        headers = webhook_signatures.headers(
            self._secrets, f"{partition}-{first.position}-{last.position}-{len(events)}", int(time.time()), body
        )
        if traceparent := tracing.traceparent():
            headers["traceparent"] = traceparent
        try:
            async with asyncio.timeout(self._settings.timeout):
                status = await self._post(body, headers)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise DeliveryFailed("timeout") from error
        except (OSError, ssl.SSLError, httpx.HTTPError) as error:
            raise DeliveryFailed("unreachable", repr(error)) from error
        if not httpx.codes.is_success(status):
            raise DeliveryFailed("redirect" if httpx.codes.is_redirect(status) else "status", str(status))

    async def _post(self, body: bytes, headers: dict[str, str]) -> int:
        """Sends a request to the host's current address, and checks the host's certificate. Returns the status code of
        the answer. Raises DeliveryFailed if the host has no allowed address.
        """
        host, port = self._url.raw_host.decode(), self._url.port or _PORTS[self._url.scheme]
        self._client.cookies.clear()
        address = await resolve(self._lookups, host, port, private=self._settings.private_addresses)
        request = self._client.build_request(
            "POST",
            self._url.copy_with(host=address),
            content=body,
            headers=headers | {"Host": self._url.netloc.decode()},
            extensions={"sni_hostname": host},
        )
        response = await self._client.send(request, stream=True)
        await response.aclose()
        return response.status_code

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()
