"""A process reports a bad value of any setting without a traceback: before it starts, or in one line when it starts."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic.fields import FieldInfo

from checks.reasons import reason
from settings import (
    BatchSettings,
    CacheSettings,
    ConnectionSettings,
    ContentSettings,
    PeopleSettings,
    ReconcileSettings,
    RetentionSettings,
    Settings,
    TrendSettings,
)
from settings.environment import BadSettings, read
from settings.part import Part
from tests.support.stores import standalone
from tests.support.system import running

BAD = ["", "x", "-1", "0", "nan", "inf", "1e300", "é中", '["x"]', "[", "/none", "http://", "foo://bar", "http://a:b"]
REFUSED = [
    *(
        "x",
        "mysql://a@h/d",
        "http://127.0.0.1:1/",
        "postgres",
        "redis:/",
        "redis://127.0.0.1:port/0",
        "redis://h:99999",
    ),
    *("redis://[::1", "postgresql://h:port/d", "postgresql://h:99999/d", "postgresql://[::1/d", "postgresql://a,b:x/d"),
]
REPORTED = [
    *("redis://127.0.0.1:1?foo=bar", "redis://127.0.0.1:1?socket_timeout=x", "rediss://127.0.0.1?ssl_ca_certs=/none"),
    *("postgresql://u@127.0.0.1:1/d?sslmode=x", "postgresql://u@127.0.0.1:1/d?sslmode=verify-full&sslrootcert=/none"),
]
VARIABLES = {"database_url": "DATABASE_URL", "redis_url": "REDIS_URL"}
UNCLOSED = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""A process that fails to start ends, and leaves its connections to the kernel."""
URLS = ["database_url", "redis_url", "cache_url"]


def accepted(name: str, values: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Settings]]:
    """Yields the values of a setting that are accepted, with the settings. Every other value must be refused by a line
    that names the setting, or by one about a relation between settings.
    """
    for value in values:
        monkeypatch.setenv(VARIABLES.get(name, f"PLAUDIT_{name.upper()}"), value)
        try:
            yield value, read()
        except BadSettings as error:
            (line,) = str(error).splitlines()
            assert len(line) < 400, line


@pytest.fixture
def stores(database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "PLAUDIT_JWT_SECRET": "s" * 32}
    variables |= {"PLAUDIT_ENV": "development", "PLAUDIT_PARTITIONS": "4", "PLAUDIT_PENDING_SECONDS": "60"}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def is_number(field: FieldInfo) -> bool:
    return any(one in str(field.annotation) for one in ("float", "int"))


NUMBERS = [name for name, field in Settings.model_fields.items() if is_number(field)]
GROUPS: dict[str, type[Part]] = {
    "connections": ConnectionSettings,
    "content": ContentSettings,
    "people": PeopleSettings,
    "caches": CacheSettings,
    "batches": BatchSettings,
    "reconcile": ReconcileSettings,
    "retention": RetentionSettings,
    "trends": TrendSettings,
}
MEMBERS = [
    (group, name) for group, part in GROUPS.items() for name, field in part.model_fields.items() if is_number(field)
]


@pytest.mark.parametrize("name", NUMBERS)
def test_no_number_is_infinite_or_greater_than_the_stores_can_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)

    assert [value for value, _ in accepted(name, ["nan", "inf", "-inf", "1e300", "-1"], monkeypatch)] == []


@pytest.mark.parametrize(("group", "name"), MEMBERS)
def test_no_number_of_a_group_is_infinite_or_greater_than_the_stores_can_hold(
    group: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)
    values = [f'{{"{name}": {value}}}' for value in ("NaN", "Infinity", "-Infinity", "1e300", "-1")]

    assert [value for value, _ in accepted(group, values, monkeypatch)] == []


@pytest.mark.parametrize("name", URLS)
def test_an_address_of_another_kind_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)

    assert [value for value, _ in accepted(name, REFUSED, monkeypatch)] == []


@pytest.mark.parametrize("name", URLS)
@pytest.mark.parametrize(
    "mode", ["standalone", *(pytest.param(one, marks=pytest.mark.prove) for one in ("cluster", "sentinel"))]
)
@standalone
@pytest.mark.usefixtures("stores")
@UNCLOSED
def test_an_address_with_a_bad_option_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, mode: str
) -> None:
    monkeypatch.setenv("PLAUDIT_REDIS_MODE", mode)
    for value, settings in accepted(name, REPORTED, monkeypatch):
        assert _problem(settings) is None, value


@pytest.mark.parametrize("name", [one for one in Settings.model_fields if one not in URLS])
@standalone
@pytest.mark.prove
@pytest.mark.usefixtures("stores")
@UNCLOSED
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")  # `plaudit check` refuses the key
def test_a_bad_value_is_refused_or_reported_in_one_line(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for value, settings in accepted(name, BAD, monkeypatch):
        assert _problem(settings) is None, value


def test_a_message_about_an_address_has_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)
    monkeypatch.setenv("REDIS_URL", "redis://:sec/ret@127.0.0.1:6379/0")

    with pytest.raises(BadSettings) as refused:
        read()

    assert str(refused.value) == (
        "REDIS_URL: a host or port is invalid. Percent-encode special characters of the password"
    )


def _problem(settings: Settings) -> Any:
    """Starts the application and sends a request. Returns the exception of the start that has no reason, if any."""
    try:
        asyncio.run(_started(settings))
    except Exception as error:  # noqa: BLE001 - any kind may be a bug
        return None if reason(error) else error
    finally:
        gc.collect()  # connections that were left open warn here, and not in a later test
    return None


async def _started(settings: Settings) -> None:
    async with asyncio.timeout(20), running(settings) as system:
        await system.person("alice").send("{ viewer { user { id } } }")
