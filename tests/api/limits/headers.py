"""The rate limit headers of a response."""

from typing import Any

import httpx


def headers(response: httpx.Response) -> dict[str, Any]:
    values = {name[12:]: value for name, value in response.headers.items() if name.startswith("x-ratelimit-")}
    return {name: int(value) if value.isdecimal() else value for name, value in values.items()}
