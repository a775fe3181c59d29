"""Findings: the results of checks."""

from enum import StrEnum
from typing import NamedTuple, Self

_SMALL_SKEW, _LARGE_SKEW = 1.0, 60.0


class Severity(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    """A part of the system does not work, but starting loses no data."""
    REFUSED = "refused"
    """Acknowledged changes would be lost, or unauthorized access allowed: processes do not start in production."""


class Misconfigured(Exception):
    """Raised if a process must not start: the servers or settings would lose data or allow unauthorized access, or the
    settings name what does not exist. The message is for operators.
    """


class Finding(NamedTuple):
    """The result of one check. `name` identifies the check in `PLAUDIT_ACCEPTED_FINDINGS`; `message` is written for
    operators.
    """

    name: str
    level: Severity
    message: str

    def accepted(self) -> Self:
        """Returns this finding with severity OK and the note `(accepted)`, because the operator has accepted it."""
        if self.level is Severity.OK:
            return self
        return self._replace(level=Severity.OK, message=f"{self.message} (accepted)")


def assess(name: str, is_good: bool | None, otherwise: Severity, fact: str, because: str) -> Finding:
    """Returns a finding with severity OK if `is_good`; otherwise with severity `otherwise` and the reason `because`.

    If `is_good` is None, because the server does not report the value, the finding is a warning.
    """
    if is_good:
        return Finding(name, Severity.OK, fact)
    return Finding(name, Severity.WARNING if is_good is None else otherwise, f"{fact}: {because}")


def clock(name: str, whose: str, ahead_ms: float, otherwise: Severity) -> Finding:
    """Returns a finding about the difference between a store's clock and this host's clock.

    More than a second is a warning; more than a minute has the severity `otherwise`. Workers trim journals by their
    host's clock, and keep entries for a minute in case Postgres loses its last commits. Tokens, ids and displayed times
    depend on the clocks of the hosts, of Postgres and of Redis.
    """
    apart = abs(ahead_ms) / 1000
    level = Severity.OK if apart <= _SMALL_SKEW else Severity.WARNING if apart <= _LARGE_SKEW else otherwise
    return Finding(
        name, level, f"{whose} is {apart:.3f} s {'ahead of' if ahead_ms > 0 else 'behind'} this host's clock"
    )
