"""URLs of destinations of outgoing events: webhooks and Redis streams."""

from urllib.parse import urlsplit

from settings import EventSettings
from store.outgoing.streams import SCHEMES, EventStream

LONGEST = 2000
"""The most characters of the URL of a webhook."""


def is_webhook(url: str) -> bool:
    """Returns whether a URL is that of a webhook; otherwise it is that of a Redis stream. A malformed URL counts as one
    of a webhook.
    """
    try:
        return urlsplit(url).scheme not in SCHEMES
    except ValueError:
        return True


def check(url: str, settings: EventSettings) -> None:
    """Raises ValueError if events cannot be sent to a URL, because it is malformed or the settings do not allow it."""
    if is_webhook(url):
        check_webhook(url, settings)
    else:
        EventStream(url, 1)


def check_webhook(url: str, settings: EventSettings) -> None:
    """Raises ValueError if a URL cannot be that of a webhook. It must be valid and use https; http is allowed only
    where the settings allow private addresses.
    """
    import httpx

    if len(url) > LONGEST:
        raise ValueError(f"The URL of a webhook must have at most {LONGEST} characters.")
    if any(map(str.isspace, url)):  # `urlsplit` ignores it at the beginning, httpx does not
        raise ValueError("The URL of a webhook must have no white space.")
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"The URL of the webhook is invalid: {error}") from error
    parts = urlsplit(url)
    if parts.port == 0:
        raise ValueError("The URL of a webhook must not have the port 0.")
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.private_addresses):
        raise ValueError("The URL of a webhook must use https.")
    if not parts.hostname or parts.username or parts.password or parts.fragment:
        raise ValueError("The URL of a webhook must have a host, and no user name and no fragment.")
