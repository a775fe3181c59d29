"""Networks of proxies may not cover too many public addresses, however they are written."""

from ipaddress import IPv6Network, ip_network

from hypothesis import given
from hypothesis import strategies as st

from settings.networks import Network, cover_too_much

PROXIES = [
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.1", "::1", "fc00::/7"),
    *("104.16.0.0/13", "172.64.0.0/13", "131.0.72.0/22", "35.191.0.0/16", "2606:4700::/32", "2a06:98c0::/29"),
]
"""Private networks, and networks of large providers."""


@st.composite
def pieces(draw: st.DrawFn) -> list[Network]:
    """Returns networks that together are a network with very many public addresses."""
    whole = ip_network(draw(st.sampled_from(["0.0.0.0/0", "::/0", "64.0.0.0/6", "2000::/3", "::ffff:0:0/96"])))
    parts: list[Network] = [whole]
    for _ in range(draw(st.integers(0, 40))):
        halved = parts.pop(draw(st.integers(0, len(parts) - 1)))
        parts += halved.subnets() if halved.prefixlen < halved.max_prefixlen else [halved]
    return [_mapped(one) if draw(st.booleans()) else one for one in draw(st.permutations(parts))]


def _mapped(network: Network) -> Network:
    """Returns an IPv4 network as an IPv6 socket reports it."""
    if isinstance(network, IPv6Network):
        return network
    return IPv6Network(f"::ffff:{network.network_address}/{96 + network.prefixlen}")


@given(networks=pieces())
def test_networks_are_counted_together(networks: list[Network]) -> None:
    assert cover_too_much(networks)


@given(networks=st.lists(st.sampled_from([ip_network(one) for one in PROXIES])))
def test_private_networks_and_networks_of_providers_are_allowed(networks: list[Network]) -> None:
    assert not cover_too_much(networks)
