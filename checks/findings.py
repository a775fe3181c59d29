"""The findings of checks."""

from enum import StrEnum
from typing import NamedTuple, Self

_SECONDS, _MUCH = 1.0, 60.0


class Severity(StrEnum):
    """The severity of a finding."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    """Something does not work, but no data is lost by starting."""
    REFUSED = "refused"
    """Acknowledged changes would be lost, or unauthorized access allowed: production does not start."""


class Finding(NamedTuple):
    """The result of one check. `name` is its name in `PLAUDIT_ACCEPTED_FINDINGS`; `message` is for operators."""

    name: str
    level: Severity
    message: str

    def accepted(self) -> Self:
        """Returns this finding with severity OK, because the operator has accepted it."""
        if self.level is Severity.OK:
            return self
        return self._replace(level=Severity.OK, message=f"{self.message} (accepted)")


def judged(name: str, is_good: bool | None, otherwise: Severity, fact: str, because: str) -> Finding:
    """Returns a finding with severity OK if `is_good`; otherwise with severity `otherwise` and the reason `because`.

    If the server does not tell (`is_good` is None), the finding is a warning.
    """
    if is_good:
        return Finding(name, Severity.OK, fact)
    return Finding(name, Severity.WARNING if is_good is None else otherwise, f"{fact}: {because}")


def clock(name: str, whose: str, ahead_ms: float, otherwise: Severity) -> Finding:
    """Returns a finding about the difference between a store's clock and this host's clock.

    More than a second is a warning; more than a minute has the severity `otherwise`. Workers trim journals by their
    host's clock, and keep a tail of a minute in case Postgres loses its last commits. Tokens, ids and times that users
    see depend on all three clocks.
    """
    apart = abs(ahead_ms) / 1000
    level = Severity.OK if apart <= _SECONDS else Severity.WARNING if apart <= _MUCH else otherwise
    return Finding(
        name, level, f"{whose} is {apart:.3f} s {'ahead of' if ahead_ms > 0 else 'behind'} this host's clock"
    )
