"""Versions and moments: two numbers that say when a change was made.

Each change is an entry of a journal, which is a Redis stream. Its journal id, such as `1700000000000-3`, consists of a
time in milliseconds and a sequence number. The *version* of the change is this id as one integer, `ms << 20 |
sequence`. Versions are unique within a partition, which is one journal with its users, and only grow. The *moment* of
the change, `ms << 10 | min(sequence, 1023)`, is shorter: it fits into the 53 bits that a score in Redis holds exactly.
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
    """Returns the lowest version that a change can have that was made at `ms`, in milliseconds since the Unix epoch."""
    return ms << SEQUENCE_BITS


def version_ms(version: int) -> int:
    """Returns the time that a version contains, in milliseconds since the Unix epoch."""
    return version >> SEQUENCE_BITS


def moment_of(version: int) -> int:
    """Returns the moment of the change with this version. Lists are ordered by moments."""
    return version >> SEQUENCE_BITS << 10 | min(version & ((1 << SEQUENCE_BITS) - 1), _MOMENT_SEQUENCE)


def moment_at(ms: int) -> int:
    """Returns the lowest moment that a change can have that was made at `ms`, in milliseconds since the Unix epoch."""
    return ms << 10


def moment_ms(moment: int) -> int:
    """Returns the time that a moment contains, in milliseconds since the Unix epoch."""
    return moment >> 10
