"""What the checks find."""

from checks import Finding, Severity, findings
from settings import Settings

Bad = dict[str, Severity]
"""What is not as it should be, by name."""


async def bad(settings: Settings) -> Bad:
    """Everything but the user that runs the tests, who may be root."""
    found = await findings(settings)
    return {one.name: one.level for one in found if one.level is not Severity.OK and one.name != "settings.root"}


async def told(settings: Settings, name: str) -> list[Finding]:
    return [finding for finding in await findings(settings) if finding.name == name]
