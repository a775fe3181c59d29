"""What a check says."""

from enum import StrEnum
from typing import NamedTuple, Self

_SECONDS, _MUCH = 1.0, 60.0


class Severity(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    """Something does not work; nothing is lost by starting."""
    REFUSED = "refused"
    """Acknowledged changes would be lost, or strangers let in: production does not start."""


class Finding(NamedTuple):
    """One check of one thing: `name` is what `PLAUDIT_ACCEPTED_FINDINGS` calls it, `told` is for operators."""

    name: str
    level: Severity
    told: str

    def accepted(self) -> Self:
        """Somebody has read it and decided to live with it."""
        if self.level is Severity.OK:
            return self
        return self._replace(level=Severity.OK, told=f"{self.told} (accepted)")


def judged(name: str, is_good: bool | None, otherwise: Severity, fact: str, because: str) -> Finding:
    """OK, or else as bad as said, and why; None is what a server does not tell."""
    if is_good:
        return Finding(name, Severity.OK, fact)
    return Finding(name, Severity.WARNING if is_good is None else otherwise, f"{fact}: {because}")


def clock(name: str, whose: str, ahead_ms: float, otherwise: Severity) -> Finding:
    """How far a store's clock is from this host's: as bad as said where it is more than a minute.

    Workers trim the journals by their host's clock, but for a tail of a minute that a database that loses its last
    commits needs. Tokens, ids and the moments people see come from all three.
    """
    apart = abs(ahead_ms) / 1000
    level = Severity.OK if apart <= _SECONDS else Severity.WARNING if apart <= _MUCH else otherwise
    return Finding(
        name, level, f"{whose} is {apart:.3f} s {'ahead of' if ahead_ms > 0 else 'behind'} this host's clock"
    )
