"""Checks the operator's texts of notifications."""

from collections.abc import Iterator

from checks.findings import Finding, Severity, assess
from domain import messages
from settings import Settings

_NAME = "settings.message_folder"


def findings(settings: Settings) -> Iterator[Finding]:
    """Yields a finding about the folder of texts, and one about each language that lacks texts."""
    try:
        found = messages.read(settings.people.message_folder, settings.people.language)
    except messages.BadMessages as error:
        yield Finding(_NAME, Severity.ERROR, f"{error} No process starts.")
        return
    yield Finding(_NAME, Severity.OK, f"notifications have texts in {', '.join(found.languages)}")
    for language, missing in found.incomplete.items():
        because = "notifications with these texts are in English"
        fact = f"{language}.ftl lacks {', '.join(missing)}"
        yield assess(f"{_NAME}.{language}", is_good=False, otherwise=Severity.WARNING, fact=fact, because=because)
