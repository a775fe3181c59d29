"""Reads the settings of a process, and reports each mistake in the environment in one line."""

import logging
import os
import re
from collections.abc import Iterable, Iterator, MutableMapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError

from settings import Settings

_PREFIX = "PLAUDIT_"
_KUBERNETES = r"(SERVICE_|PORT_\d)\w+"
"""The variables that Kubernetes sets in every container if there is a service with the name `plaudit`."""
_TOOLS = (
    r"\w+_BIN|CHROMIUM|CALL_TRACES|URL|TOKEN|(SOAK|BIG|RECEIVER)_SECONDS|BIG_FOLLOWERS|FAULT_ROUNDS"
    r"|CITUS_ARCHIVE|TEST_CITUS"
)
"""The variables that the runner and the tests read: the paths of programs, and the duration of tests."""
_OTHER_VARIABLES = re.compile(rf"PLAUDIT_({_KUBERNETES}|{_TOOLS})")
RENAMED = {
    "accepted": "accepted_findings",
    "apq_life": "apq_idle_seconds",
    "batch_window": "batch_window_seconds",
    "commit_target": "commit_target_seconds",
    "connections": "max_streaming_connections",
    "connections_per_address": "streaming_connections_per_address",
    "connections_per_user": "streaming_connections_per_user",
    "head_timeout": "header_timeout",
    "hot_reads": "hot_key_reads",
    "idempotency": "idempotency_seconds",
    "inbox_days": "inbox_idle_days",
    "journal_bound": "journal_max_entries",
    "keep_alive": "keep_alive_interval",
    "lease": "partition_lease_seconds",
    "lockdown": "persisted_only",
    "log_days": "reaction_log_days",
    "manifests": "persisted_manifests",
    "max_head_bytes": "max_header_bytes",
    "max_head_fields": "max_headers",
    "near_seconds": "local_cache_seconds",
    "outgoing_messages": "max_queued_messages",
    "plans": "compiled_plans",
    "push_followers": "push_follower_limit",
    "reconcile_every": "reconcile_interval",
    "reconcile_rate": "reconcile_keys_per_second",
    "records_days": "view_and_share_days",
    "requests_at_once": "max_concurrent_requests",
    "settle": "pending_seconds",
    "strangers_depth": "others_list_depth",
    "tail": "journal_tail_seconds",
}
"""The new names of settings by their names in the previous version. Old names are accepted for one version, with a
warning.
"""
_log = logging.getLogger(__name__)
_FIELD = re.compile(r'field "(\w+)"')


class BadSettings(Exception):
    """Raised if the environment has invalid settings. The message has one line for each mistake."""


def read(**overrides: Any) -> Settings:
    """Returns the settings of the environment. `overrides` take precedence. Raises BadSettings."""
    unknown = [*_rename(os.environ), *_unknown(os.environ)]
    try:
        settings = Settings(**overrides)
    except (ValidationError, SettingsError) as error:
        raise BadSettings("\n".join([*unknown, *_mistakes(error)])) from None
    if mistakes := [*unknown, *_mistakes_in_businesses(settings)]:
        raise BadSettings("\n".join(mistakes))
    return settings


def _rename(environment: MutableMapping[str, str]) -> Iterator[str]:
    """Replaces old names of settings in `environment`, and logs a warning for each. Yields an error message for each
    setting whose old and new name have different values.
    """
    for old, new in ((_variable(old), _variable(new)) for old, new in RENAMED.items()):
        if (value := environment.pop(old, None)) is None:
            continue
        if environment.setdefault(new, value) != value:
            yield f"{old} is the old name of {new}. Both are set: remove {old}."
        else:
            _log.warning("%s is now called %s. The next version refuses the old name.", old, new)


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
        _ = settings.businesses
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield _line(("businesses_file",), str(error))


def _line(place: tuple[int | str, ...], message: str) -> str:
    """Returns an error message in one line: the variable and the place in its value, then the message. If settings
    contradict each other, the line has the message only.
    """
    text = " ".join(message.removeprefix("Value error, ").split())
    if not place:
        return text
    return ".".join([_variable(str(place[0])), *map(str, place[1:])]) + f": {text}"


def _variable(field: str) -> str:
    return field if field.isupper() else f"{_PREFIX}{field.upper()}"
