"""Reads the settings of a process, and reports each mistake in the environment or the businesses file in one line."""

import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError

from settings import Settings

_PREFIX = "PLAUDIT_"
_KUBERNETES = r"(SERVICE_|PORT_\d)\w+"
"""The variables that Kubernetes sets in every container if there is a service with the name `plaudit`."""
_TOOLS = (
    r"\w+_BIN|CHROMIUM|CALL_TRACES|(API_)?(URL|TOKEN)|(SOAK|BIG|RECEIVER)_SECONDS|BIG_FOLLOWERS|FAULT_ROUNDS"
    r"|SITE_(ROUNDS|ONLY|REPORT)|CITUS_ARCHIVE|TEST_CITUS|SWITCH_URL|SCREENSHOTS"
)
"""The variables that the runner, the demo app and the tests read: the paths of programs, the address of the failure
switch, and the duration of tests.
"""
_OTHER_VARIABLES = re.compile(rf"PLAUDIT_({_KUBERNETES}|{_TOOLS})")
_FIELD = re.compile(r'field "(\w+)"')


class BadSettings(Exception):
    """Raised if the environment or the businesses file is invalid. The message has one line for each mistake."""


def read(**overrides: Any) -> Settings:
    """Returns the settings that the environment has. `overrides` has values of fields that take precedence over the
    environment. Raises BadSettings if the environment or the businesses file is invalid.
    """
    unknown = [*_unknown(os.environ)]
    try:
        settings = Settings(**overrides)
    except (ValidationError, SettingsError) as error:
        raise BadSettings("\n".join([*unknown, *_mistakes(error)])) from None
    if mistakes := [*unknown, *_mistakes_in_businesses(settings)]:
        raise BadSettings("\n".join(mistakes))
    return settings


def _mistakes(error: ValidationError | SettingsError) -> Iterator[str]:
    if isinstance(error, ValidationError):
        yield from (_line(one["loc"], one["msg"]) for one in error.errors(include_url=False))
    else:
        field = _FIELD.search(str(error))
        yield _line((field[1],), "the value is not JSON") if field else str(error)


def _unknown(names: Iterable[str]) -> Iterator[str]:
    known = [_variable(field) for field in Settings.model_fields]
    for name in sorted(names):
        if name.startswith(_PREFIX) and name not in known and not _OTHER_VARIABLES.fullmatch(name):
            likely = get_close_matches(name, known, n=1, cutoff=0.8)
            yield f"{name} is not a setting." + (f" Did you mean {likely[0]}?" if likely else "")


def _mistakes_in_businesses(settings: Settings) -> Iterator[str]:
    try:
        _ = settings.businesses, settings.grounds, settings.labels
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield _line(("businesses_file",), str(error))


def _line(place: tuple[int | str, ...], message: str) -> str:
    """Returns an error message in one line: the variable and the place in its value, then the message. `place` is empty
    if several settings contradict each other; then the line has the message only.
    """
    text = " ".join(message.removeprefix("Value error, ").split())
    if not place:
        return text
    return ".".join([_variable(str(place[0])), *map(str, place[1:])]) + f": {text}"


def _variable(field: str) -> str:
    return field if field.isupper() else f"{_PREFIX}{field.upper()}"
