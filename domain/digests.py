"""Fingerprints of texts."""

import hashlib


def digest(*parts: str) -> str:
    """Returns a 128-bit fingerprint of texts of any length, in hex. `("ab", "c")` and `("a", "bc")` have different
    fingerprints.
    """
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
