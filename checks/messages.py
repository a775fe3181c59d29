"""Checks the operator's texts of notifications."""

from collections.abc import Iterator

from checks.findings import Finding, Severity, assess
from domain.messages import BadMessages, Messages
from settings import Settings

_NAME = "settings.message_folder"


def findings(settings: Settings) -> Iterator[Finding]:
    """Yields a finding about the folder of texts, and one about each language that lacks texts."""
    try:
        messages = Messages(settings.people.message_folder, settings.people.language)
    except BadMessages as error:
        yield Finding(_NAME, Severity.ERROR, f"{error} No process starts.")
        return
    yield Finding(_NAME, Severity.OK, f"notifications have texts in {', '.join(messages.languages)}")
    for language, missing in messages.incomplete.items():
        because = "notifications with these texts are in English"
        fact = f"{language}.ftl lacks {', '.join(missing)}"
        yield assess(f"{_NAME}.{language}", is_good=False, otherwise=Severity.WARNING, fact=fact, because=because)
