"""Anonymous devices: who views and shares without a token.

A device is a negative number of 53 bits, made from its X-Device-Id and the network that it calls from. Its high bits
are the network's: all devices of a network share a partition of the journals, so that one script can count what they
add together. The hash is keyed, so nobody can find the address of a number without the secret.
"""

import hashlib
import ipaddress
from functools import lru_cache

_DEVICE_BITS, _NETWORK_BITS = 25, 28
_FIRST = -(1 << _DEVICE_BITS + _NETWORK_BITS)
_NO_ADDRESS = "none"
"""Callers whose address is unknown count as one network, or hiding it would pay off."""
_PREFIX_BITS = 64
"""What one household or machine is given of IPv6: its addresses are as many as it likes."""


@lru_cache(10_000)
def network(ip: str | None) -> str:
    """Returns what counts as one address: the whole of IPv4, the /64 of IPv6."""
    if ip is None:
        return _NO_ADDRESS
    address = ipaddress.ip_address(ip)
    if address.version == 4:
        return ip
    return str(ipaddress.IPv6Network((int(address), _PREFIX_BITS), strict=False))


def device_actor(secret: bytes, ip: str | None, device: str) -> int:
    """Returns the number of a device: negative, so that it is never a user's."""
    of = network(ip)
    return ~(_hash(secret, of, bits=_NETWORK_BITS) << _DEVICE_BITS | _hash(secret, of, device, bits=_DEVICE_BITS))


def network_of(actor_id: int) -> int | None:
    """Returns the number of the network of an anonymous device; None for a user."""
    return ~actor_id >> _DEVICE_BITS if _FIRST <= actor_id < 0 else None


def devices_of(network: int) -> tuple[int, int]:
    """Returns the lowest and the highest number that a device of a network can have."""
    return ~((network + 1 << _DEVICE_BITS) - 1), ~(network << _DEVICE_BITS)


def _hash(secret: bytes, *parts: str, bits: int) -> int:
    key = hashlib.blake2b(secret, digest_size=32).digest()  # secrets may be longer than keys
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8, key=key, person=b"devices").digest()
    return int.from_bytes(digest) >> 64 - bits
