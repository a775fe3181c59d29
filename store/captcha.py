"""Asks a captcha service of the operator whether a person, and not a program, sent a form.

The service receives signed JSON, `{"token": "…", "network": "…"}`, and answers `{"ok": true}` or `{"ok": false}`
(docs/build/notices.md). Requests are signed as those to the external reviewer (domain/moderation/reviewer.py).
"""

import asyncio
import time
from typing import TYPE_CHECKING

import orjson

from domain.errors import Unavailable
from domain.moderation.reviewer import signature
from observability.logs import Log
from settings import CaptchaSettings

if TYPE_CHECKING:
    import httpx

log = Log(__name__)
_MOST_BYTES = 4096
"""The longest answer in bytes. A longer one is invalid."""
_UNANSWERED = "The captcha cannot be checked right now."


class Captcha:
    """A client of the captcha service. It connects when it asks for the first time."""

    def __init__(self, settings: CaptchaSettings) -> None:
        import httpx

        self._settings = settings
        # without the environment: a proxy would read the tokens
        self._client = httpx.AsyncClient(timeout=settings.timeout, trust_env=False)
        self._errors: tuple[type[Exception], ...] = (httpx.HTTPError, TimeoutError, ValueError)

    async def is_solved(self, token: str, network: str | None) -> bool:
        """Returns whether the service accepts a token. `network` is the network of the caller; None if it is unknown.
        Raises Unavailable without a valid answer in time.
        """
        body = orjson.dumps({"token": token, "network": network})
        secret = self._settings.secret.get_secret_value()
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            "X-Plaudit-Signature": signature(secret, int(time.time()), body),
        }
        try:
            async with (
                asyncio.timeout(self._settings.timeout),
                self._client.stream("POST", str(self._settings.url), content=body, headers=headers) as response,
            ):
                answer = orjson.loads(await _read(response))
        except self._errors as error:
            log.warning("no answer of the captcha service", error=repr(error))
            raise Unavailable(_UNANSWERED) from error
        if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
            log.warning("an invalid answer of the captcha service")
            raise Unavailable(_UNANSWERED)
        return bool(answer["ok"])

    async def close(self) -> None:
        """Closes the connections to the service."""
        await self._client.aclose()


async def _read(response: "httpx.Response") -> bytes:
    """Returns the body of a response. Raises ValueError unless the status is 200 and the body is short enough."""
    if response.status_code != 200:
        raise ValueError(f"status {response.status_code}")
    read = bytearray()
    async for chunk in response.aiter_raw():
        read += chunk
        if len(read) > _MOST_BYTES:
            raise ValueError("the answer is too long")
    return bytes(read)
