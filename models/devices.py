"""Anonymous devices: the actors that view and share without a token.

A device is identified by a negative number of 53 bits, derived from its X-Device-Id and the network of its IP address.
The high bits identify the network. So all devices of a network share a journal partition, and one Redis script can
count the actions of all of them. The number is a hash with a secret: without the secret, nobody can derive the address
from the number.
"""

import hashlib
import ipaddress
from functools import lru_cache

_DEVICE_BITS, _NETWORK_BITS = 25, 28
_FIRST = -(1 << _DEVICE_BITS + _NETWORK_BITS)
_NO_ADDRESS = "none"
"""The name of the network of all callers whose address is unknown. They share the limits of one network, so hiding an
address has no advantage.
"""
_PREFIX_BITS = 64
"""The length in bits of the IPv6 prefix that one household or machine usually gets. Its owner can use all addresses
with this prefix, so they count as one network.
"""


@lru_cache(10_000)
def network(ip: str | None) -> str:
    """Returns the part of an IP address that identifies a network: the whole IPv4 address, or the /64 prefix of an IPv6
    address. Returns `none` if the address is unknown.
    """
    if ip is None:
        return _NO_ADDRESS
    address = ipaddress.ip_address(ip)
    if address.version == 4:
        return ip
    return str(ipaddress.IPv6Network((int(address), _PREFIX_BITS), strict=False))


def known_network(ip: str | None) -> str | None:
    """Returns the network of an IP address; None if the address is unknown."""
    return None if ip is None else network(ip)


def device_actor(secret: bytes, ip: str | None, device: str) -> int:
    """Returns the actor id of the device that sends the X-Device-Id `device` from the address `ip`. The id is negative,
    so it is never the id of a user.
    """
    of = network(ip)
    return ~(_hash(secret, of, bits=_NETWORK_BITS) << _DEVICE_BITS | _hash(secret, of, device, bits=_DEVICE_BITS))


def network_of(actor_id: int) -> int | None:
    """Returns the number of the network of an anonymous device, given the device's actor id. Returns None for a user's
    id.
    """
    return ~actor_id >> _DEVICE_BITS if _FIRST <= actor_id < 0 else None


def devices_of(network: int) -> tuple[int, int]:
    """Returns the lowest and the highest actor id that devices can have in the network with this number."""
    return ~((network + 1 << _DEVICE_BITS) - 1), ~(network << _DEVICE_BITS)


def _hash(secret: bytes, *parts: str, bits: int) -> int:
    # a secret may be longer than the 64 bytes that blake2b accepts as a key
    key = hashlib.blake2b(secret, digest_size=32).digest()
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8, key=key, person=b"devices").digest()
    return int.from_bytes(digest) >> 64 - bits
