"""`plaudit dev` prints five lines that matter, in colour on a terminal only."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from runner.announce import announce
from runner.running import Running

STORES = {"DATABASE_URL": "postgresql://u:secret@127.0.0.1:5431/d", "REDIS_URL": "redis://:secret@127.0.0.1:6378/0"}
NAMES = ["Open", "Sign in", "Try", "Data", "Stop"]


def announced(tmp_path: Path, switch: str | None = None, **terminal: bool) -> str:
    screen = io.StringIO()
    running = Running.at(
        "http://127.0.0.1:8000", "http://127.0.0.1:9/metrics", tmp_path, STORES, graphiql=True, switch_url=switch
    )
    announce(Console(file=screen, width=80, **terminal), running)  # type: ignore[arg-type]
    return screen.getvalue()


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


def test_five_lines_say_what_to_open_who_to_be_what_to_try_where_data_is_and_how_to_stop(tmp_path: Path) -> None:
    (tmp_path / "api.log").touch()
    text = announced(tmp_path, "http://127.0.0.1:7777")
    lines = {line[2:11].strip(): line[11:] for line in text.splitlines() if line.startswith("  ")}

    assert [*lines] == NAMES
    for address in ("/ (app)", "/graphiql (GraphiQL)", "/moderation (console)"):
        assert f"http://127.0.0.1:8000{address}" in lines["Open"]
    assert "alice, bob or moderator" in lines["Sign in"]
    assert f"plaudit token --user alice --data-dir {tmp_path}" in lines["Sign in"]
    assert "curl -X POST -H X-Plaudit-Dev:1 http://127.0.0.1:7777/redis/stop" in lines["Try"]
    assert f"{tmp_path} (Postgres 127.0.0.1:5431, Valkey 127.0.0.1:6378, logs api.log)" in lines["Data"]
    assert lines["Stop"] == "Ctrl-C"
    assert "secret" not in text


def test_colours_are_for_terminals_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in announced(tmp_path)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1;32m" in announced(tmp_path, force_terminal=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "32m" not in announced(tmp_path, force_terminal=True)
