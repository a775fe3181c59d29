"""Reads the settings of a process, and says in one line each what is wrong with its environment."""

import os
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError

from settings import Settings

_PREFIX = "PLAUDIT_"
_OF_OTHERS = re.compile(r"PLAUDIT_(SERVICE_|PORT_\d)\w+")
"""Variables that Kubernetes sets in every container beside a service called `plaudit`."""
_OF_PROGRAMS = re.compile(r"PLAUDIT_(\w+_BIN|CHROMIUM|URL|TOKEN|(SOAK|BIG)_SECONDS|BIG_FOLLOWERS|FAULT_ROUNDS)")
"""Variables that the runner and the tests read: where programs are, and how long tests take."""
_FIELD = re.compile(r'field "(\w+)"')


class BadSettings(Exception):
    """The environment cannot be used. The message has one line for each mistake."""


def read(**overrides: Any) -> Settings:
    """Returns the settings of the environment, over which `overrides` take precedence. Raises BadSettings."""
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
        yield _line((field[1],), "this is not JSON") if field else str(error)


def _unknown(names: Iterable[str]) -> Iterator[str]:
    known = [_variable(field) for field in Settings.model_fields]
    for name in sorted(names):
        if name.startswith(_PREFIX) and name not in known and not _is_known(name):
            likely = get_close_matches(name, known, n=1, cutoff=0.8)
            yield f"{name} is not a setting." + (f" Did you mean {likely[0]}?" if likely else "")


def _is_known(name: str) -> bool:
    return bool(_OF_OTHERS.fullmatch(name) or _OF_PROGRAMS.fullmatch(name))


def _mistakes_in_businesses(settings: Settings) -> Iterator[str]:
    try:
        _ = settings.businesses
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield _line(("businesses_file",), str(error))


def _line(place: tuple[int | str, ...], message: str) -> str:
    """One mistake, after the variable that has it and the place in its value. There is none where settings disagree."""
    told = " ".join(message.removeprefix("Value error, ").split())
    if not place:
        return told
    return ".".join([_variable(str(place[0])), *map(str, place[1:])]) + f": {told}"


def _variable(field: str) -> str:
    return field if field.isupper() else f"{_PREFIX}{field.upper()}"
