"""Findings, which are the results of checks."""

from enum import StrEnum
from typing import NamedTuple, Self


class Severity(StrEnum):
    """How serious a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    """A part of the system does not work, but starting loses no data."""
    REFUSED = "refused"
    """Changes that clients believe to be stored would be lost, or unauthorized access allowed. Processes do not start
    in production.
    """


class Misconfigured(Exception):
    """Raised if a process must not start: its servers or settings would lose data or allow unauthorized access, or its
    settings name something that does not exist. The message is written for operators.
    """


class Finding(NamedTuple):
    """The result of one check. `name` identifies the check, also in the setting `PLAUDIT_ACCEPTED_FINDINGS`. `message`
    is written for operators.
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
    """Returns the finding of a check. If `is_good` is true, its severity is OK and its message is `fact`. Otherwise its
    severity is `otherwise`, and its message is `fact`, a colon and `because`.

    If `is_good` is None, because the server does not report the value, the severity is WARNING.
    """
    if is_good:
        return Finding(name, Severity.OK, fact)
    return Finding(name, Severity.WARNING if is_good is None else otherwise, f"{fact}: {because}")
