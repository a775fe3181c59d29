"""Counts the public addresses of IP networks, to find lists of trusted proxies that are too wide."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Network, IPv6Network, collapse_addresses
from typing import TypeVar

Network = IPv4Network | IPv6Network
N = TypeVar("N", IPv4Network, IPv6Network)
_MAPPED = IPv6Network("::ffff:0:0/96")
"""The network in which an IPv6 socket reports IPv4 addresses."""
_PRIVATE_4 = list(
    map(
        IPv4Network,
        ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
    )
)
_PRIVATE_6 = list(map(IPv6Network, ["::1/128", "fc00::/7", "fe80::/10"]))
_MOST_4, _MOST_6 = 1 << 24, 1 << 112
"""More public addresses of IPv4 and IPv6 than any provider of proxies has, and far fewer than there are."""


def cover_too_much(networks: Iterable[Network]) -> bool:
    """Returns whether networks together have more public addresses than proxies can need: more than a /8 network of
    IPv4, or a /16 network of IPv6.
    """
    every = list(networks)
    of_4 = collapse_addresses(known for one in every if (known := _as_ipv4(one)))
    of_6 = collapse_addresses(one for one in every if isinstance(one, IPv6Network))
    return (
        sum(_public(one, _PRIVATE_4) for one in of_4) > _MOST_4
        or sum(_public(one, _PRIVATE_6) for one in of_6) > _MOST_6
    )


def _as_ipv4(network: Network) -> IPv4Network | None:
    """Returns the IPv4 addresses of a network as an IPv4 network; None if the network has no IPv4 addresses."""
    if isinstance(network, IPv4Network):
        return network
    if _MAPPED.subnet_of(network):
        return IPv4Network("0.0.0.0/0")
    if network.subnet_of(_MAPPED):
        return IPv4Network((int(network.network_address) & 0xFFFFFFFF, network.prefixlen - 96))
    return None


def _public(network: N, private: Sequence[N]) -> int:
    """Returns how many addresses of a network are not in one of the private networks."""
    if any(network.subnet_of(one) for one in private):
        return 0
    return int(network.num_addresses) - sum(one.num_addresses for one in private if one.subnet_of(network))
