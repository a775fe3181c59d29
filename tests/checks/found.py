"""Findings of the checks."""

from checks import Finding, Severity, findings
from settings import Settings

Bad = dict[str, Severity]
"""The severities of findings that are not OK, by name."""


async def bad(settings: Settings) -> Bad:
    """Returns all bad findings but the one about the user that runs the tests, who may be root."""
    found = await findings(settings)
    return {one.name: one.level for one in found if one.level is not Severity.OK and one.name != "settings.root"}


async def findings_of(settings: Settings, name: str) -> list[Finding]:
    return [finding for finding in await findings(settings) if finding.name == name]
