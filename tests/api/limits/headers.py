"""The rate limit headers of a response."""

from typing import Any

import httpx


def headers(response: httpx.Response) -> dict[str, Any]:
    told = {name[12:]: value for name, value in response.headers.items() if name.startswith("x-ratelimit-")}
    return {name: int(value) if value.isdecimal() else value for name, value in told.items()}
