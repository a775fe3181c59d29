"""Types for settings that are URLs."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field


def _check(url: str, *schemes: str) -> str:
    """Returns a URL that may name several hosts, separated by commas. Raises ValueError if its scheme or a port is
    invalid. The message has no part of the URL, which may hold a password.
    """
    if not url.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ValueError(f"the URL must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}")
    try:
        for host in urlsplit(url).netloc.rpartition("@")[2].split(","):
            _ = urlsplit(f"//{host}").port
    except ValueError:
        raise ValueError("a host or port is invalid. Percent-encode special characters of the password") from None
    return url


PostgresUrl = Annotated[str, AfterValidator(lambda url: _check(url, "postgresql", "postgres"))]
RedisUrl = Annotated[str, AfterValidator(lambda url: _check(url, "redis", "rediss", "unix"))]
OptionalRedisUrl = Annotated[RedisUrl | None, BeforeValidator(lambda url: url or None)]
"""The URL of a Redis; None, or an empty text, for none."""
HttpAddress = Annotated[str, Field(pattern=r"^https?://[^\s/?#]+\S*$")]
