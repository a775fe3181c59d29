"""Which addresses and URLs webhooks may have."""

import pytest

from settings import EventSettings
from workers.outgoing import webhooks
from workers.outgoing.failures import DeliveryFailed


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("0.0.0.0", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),  # noqa: S104 - nothing is bound
        *("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "255.255.255.255", "192.0.2.1", "2001:db8::1"),
    ],
)
def test_addresses_of_private_networks_are_not_public(address: str) -> None:
    assert not webhooks.is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_other_addresses_are_public(address: str) -> None:
    assert webhooks.is_public(address)


async def test_an_unknown_name_is_a_failure() -> None:
    with pytest.raises(DeliveryFailed, match="unresolved"):
        await webhooks.resolve("a..b", 443, private=False)


@pytest.mark.parametrize(
    "url", ["http://example.com/", "https://user:x@example.com/", "https:///x", "https://a/#x", "ftp://a/"]
)
def test_urls_of_webhooks_use_https_and_name_a_host(url: str) -> None:
    with pytest.raises(ValueError, match="The URL"):
        webhooks.check_url(url, EventSettings())


def test_development_allows_http() -> None:
    webhooks.check_url("http://localhost:8001/hook", EventSettings(private_addresses=True))
