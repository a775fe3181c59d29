"""Which system `plaudit top` shows."""

from pathlib import Path

import pytest

from cli.top.places import find
from runner.running import Running

URL = "http://10.0.0.5:9101/metrics"


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Running:
    """A system of this process in the data directory `.data`, and no stores in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    Path(".data").mkdir()
    Running.at("http://127.0.0.1:1", "http://127.0.0.1:2/metrics", Path(".data"), {}, graphiql=False).write()
    running = Running.read(Path(".data"))
    assert running
    return running


@pytest.mark.usefixtures("running")
def test_processes_with_urls_are_not_shown_with_the_stores_of_a_local_system() -> None:
    assert find([URL], None) == ([URL], None)


def test_without_urls_the_local_system_is_shown(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAUDIT_ENV", "development")
    monkeypatch.setenv("PLAUDIT_JWT_SECRET", "s" * 32)

    urls, settings = find([], None)

    assert urls == running.metrics_urls
    assert settings
