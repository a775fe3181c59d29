"""`plaudit dev --host` opens the API to other machines, and warns of it."""

from pathlib import Path

import pytest
from rich.console import Console

from runner.announce import announce
from runner.errors import RunnerError
from runner.ports import HOST, free_port
from runner.program import Program
from runner.programs import Programs, check_port
from runner.running import Running
from runner.supervisor import Supervisor


def announced(tmp_path: Path, host: str) -> str:
    console = Console(record=True, width=200)
    stores = {"DATABASE_URL": "postgresql://u@127.0.0.1:1/d", "REDIS_URL": "redis://127.0.0.1:1/0"}
    running = Running.at(f"http://{host}:8000", "http://127.0.0.1:9/metrics", tmp_path, stores, graphiql=True)
    announce(console, running, host)
    return console.export_text()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20"])  # noqa: S104
def test_an_api_that_other_machines_reach_has_a_warning(tmp_path: Path, host: str) -> None:
    assert f"Warning: the API listens on {host}. Everyone who can reach this address" in announced(tmp_path, host)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_an_api_on_loopback_has_no_warning(tmp_path: Path, host: str) -> None:
    assert "Warning" not in announced(tmp_path, host)


def test_a_host_of_another_machine_is_refused() -> None:
    with pytest.raises(RunnerError, match=r"This machine does not have the address 192\.0\.2\.1"):
        check_port(None, "192.0.2.1")


def test_the_api_listens_on_the_host_and_the_worker_on_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[dict[str, str]] = []

    def start(_: Supervisor, program: Program, __: object = ()) -> None:
        started.append(dict(program._command.env or {}))

    monkeypatch.setattr(Supervisor, "start", start)
    programs = Programs(Supervisor(print), tmp_path, {"PLAUDIT_HOST": HOST})

    url = programs.start_api(port := free_port(), "0.0.0.0")  # noqa: S104
    programs.start_worker()

    assert url == f"http://127.0.0.1:{port}"
    assert [one["PLAUDIT_HOST"] for one in started] == ["0.0.0.0", HOST]  # noqa: S104
