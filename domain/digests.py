"""Short names for texts."""

import hashlib


def digest(*parts: str) -> str:
    """Returns a short name for texts of any length: 128 bits, which tell `("ab", "c")` from `("a", "bc")`."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
