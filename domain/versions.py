"""Versions and moments of changes.

The *version* of a change is its journal id as one integer, `ms << 20 | sequence`. Versions are unique within a
partition and grow. The *moment* of a change is `ms << 10 | min(sequence, 1023)`. It fits into the 53 bits that the
score of a sorted set holds exactly.
"""

SEQUENCE_BITS = 20
"""The number of bits of a version that hold the sequence."""
_MOMENT_SEQUENCE = 1023


def version_of(entry_id: bytes | str) -> int:
    """Returns the version for a journal id such as `b"1700000000000-3"`."""
    ms, sequence = entry_id.split(b"-" if isinstance(entry_id, bytes) else "-")  # type: ignore[arg-type]
    return int(ms) << SEQUENCE_BITS | int(sequence)


def entry_id(version: int) -> str:
    """Returns the journal id for a version."""
    return f"{version >> SEQUENCE_BITS}-{version & ((1 << SEQUENCE_BITS) - 1)}"


def version_at(ms: int) -> int:
    """Returns the lowest version that an entry written at `ms` can have."""
    return ms << SEQUENCE_BITS


def version_ms(version: int) -> int:
    """Returns the time of a version, in milliseconds since the Unix epoch."""
    return version >> SEQUENCE_BITS


def moment_of(version: int) -> int:
    """Returns the moment of a version, by which lists are ordered."""
    return version >> SEQUENCE_BITS << 10 | min(version & ((1 << SEQUENCE_BITS) - 1), _MOMENT_SEQUENCE)


def moment_at(ms: int) -> int:
    """Returns the lowest moment that an entry written at `ms` can have."""
    return ms << 10


def moment_ms(moment: int) -> int:
    """Returns the time of a moment, in milliseconds since the Unix epoch."""
    return moment >> 10
