"""Every command reports each mistake in the environment in one line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cli import main
from settings import Settings
from settings.environment import BadSettings, read

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\bPLAUDIT_[A-Z][A-Z_]*[A-Z]\b")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://user@127.0.0.1:1/nothing")
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)


def mistakes() -> list[str]:
    with pytest.raises(BadSettings) as raised:
        read()
    return str(raised.value).splitlines()


ONE_OF = {"token": ["--user", "x"], "withdraw": ["x"], "restore": ["x"]}
"""Commands that need one of several options, with one of them."""


def commands(group: Any, *before: str) -> Iterator[list[str]]:
    """Yields every command of the command line, with a value for each required argument."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *before, name)
        else:
            needed = [param for param in command.params if param.required]
            yield [*before, name, *ONE_OF.get(name, []), *(word for param in needed for word in _given(param))]


def _given(param: Any) -> list[str]:
    value = {"since": "2026-01-01", "until": "2026-01-02", "pgdata": str(ROOT), "redis": "x:1"}.get(param.name, "x")
    return [param.opts[0], value] if param.param_type_name == "option" else [__file__]


COMMANDS = [
    words
    for words in commands(typer.main.get_command(main.app))
    if words[1:2] != ["check"] and words[0] not in ("top", "new")
]
"""All commands except those that read only a file or metrics, and the one that only makes files."""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_reports_mistakes_in_one_line(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_PORT", "http")

    result = CliRunner().invoke(main.app, words)

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "PLAUDIT_PORT: Input should be a valid integer, unable to parse string as an integer"
    ]
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PLAUDIT_CORS_ORIGIN", "a", "PLAUDIT_CORS_ORIGIN is not a setting. Did you mean PLAUDIT_CORS_ORIGINS?"),
        (
            "PLAUDIT_PERSISTD_ONLY",
            "true",
            "PLAUDIT_PERSISTD_ONLY is not a setting. Did you mean PLAUDIT_PERSISTED_ONLY?",
        ),
        ("PLAUDIT_WHATEVER", "1", "PLAUDIT_WHATEVER is not a setting."),
        ("PLAUDIT_LIMITS", "{", "PLAUDIT_LIMITS: the value is not JSON"),
        ("PLAUDIT_PORT", "70000", "PLAUDIT_PORT: Input should be less than or equal to 65535"),
        ("PLAUDIT_LOG_LEVEL", "chatty", "PLAUDIT_LOG_LEVEL: Input should be 'DEBUG', 'INFO',"),
        ("PLAUDIT_LIMITS", '{"user": {"points": 0}}', "PLAUDIT_LIMITS.user.points: Input should be greater"),
        (
            "PLAUDIT_PENDING_SECONDS",
            "1",
            "request_timeout and local_cache_seconds together must be shorter than pending_seconds",
        ),
        ("PLAUDIT_BUSINESSES_FILE", "/no/such/file", "PLAUDIT_BUSINESSES_FILE: [Errno 2] No such file"),
        ("PLAUDIT_BUSINESSES_FILE", __file__, "PLAUDIT_BUSINESSES_FILE: "),
    ],
)
def test_a_mistake_is_one_line(monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str) -> None:
    monkeypatch.setenv(name, value)

    (line,) = mistakes()

    assert line.startswith(message)


def test_all_mistakes_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_PORT", "x")
    monkeypatch.setenv("PLAUDIT_PENDING_SECONDS", "x")
    monkeypatch.setenv("PLAUDIT_HOSTS", "x")

    assert [line.split(":")[0].split()[0] for line in mistakes()] == [
        "PLAUDIT_HOSTS",
        "PLAUDIT_PORT",
        "PLAUDIT_PENDING_SECONDS",
    ]


def test_variables_of_kubernetes_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("PLAUDIT_PORT_8000_TCP_ADDR", "10.0.0.1")
    monkeypatch.setenv("PLAUDIT_LOG_LEVEL", "debug")

    assert read().log_level == "DEBUG"


def test_every_documented_variable_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    settings = {f"PLAUDIT_{name.upper()}" for name in Settings.model_fields}
    for name in {name for page in pages for name in NAME.findall(page.read_text())} - settings:
        monkeypatch.setenv(name, "/usr/bin")

    read()
