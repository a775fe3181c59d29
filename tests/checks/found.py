"""Findings of the checks."""

from checks import Finding, Severity, findings
from settings import Settings

_OF_THE_TESTS = {"settings.root", "settings.interpreter"}
"""The findings about the user and the interpreter that run the tests."""
Bad = dict[str, Severity]
"""The severities of findings that are not OK, by name."""


async def bad(settings: Settings) -> Bad:
    """Returns all bad findings but those about the user and the interpreter that run the tests."""
    found = await findings(settings)
    return {one.name: one.level for one in found if one.level is not Severity.OK and one.name not in _OF_THE_TESTS}


async def findings_of(settings: Settings, name: str) -> list[Finding]:
    return [finding for finding in await findings(settings) if finding.name == name]
