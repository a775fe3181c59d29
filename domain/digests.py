"""Fingerprints of texts."""

import hashlib


def digest(*parts: str) -> str:
    """Returns a 128-bit fingerprint of one or more texts of any length, in hex. The boundaries between the texts count:
    `("ab", "c")` and `("a", "bc")` have different fingerprints.
    """
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
