"""Compares clocks: those of Postgres and Redis with the clock of this host."""

from checks.findings import Finding, Severity

_SMALL_SKEW, _LARGE_SKEW = 1.0, 60.0
"""In seconds: the largest good difference between two clocks, and the largest for which a warning is enough."""


def clock(name: str, whose: str, ahead_ms: float, otherwise: Severity) -> Finding:
    """Returns a finding about the difference between a store's clock and this host's clock. `name` is the name of the
    finding. `whose` names the store in the message. `ahead_ms` is how many milliseconds the store's clock is ahead;
    negative if it is behind.

    A difference of more than a second is a warning; one of more than a minute has the severity `otherwise`. Workers
    remove stored changes from journals by their host's clock, and keep them for a minute in case Postgres loses its
    last commits. Tokens, ids and displayed times depend on the clocks of the hosts, of Postgres and of Redis.
    """
    apart = abs(ahead_ms) / 1000
    level = Severity.OK if apart <= _SMALL_SKEW else Severity.WARNING if apart <= _LARGE_SKEW else otherwise
    return Finding(
        name, level, f"{whose} is {apart:.3f} s {'ahead of' if ahead_ms > 0 else 'behind'} this host's clock"
    )
