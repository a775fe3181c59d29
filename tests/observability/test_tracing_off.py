"""Processes without tracing: it is not configured, its packages are missing, or no collector runs."""

import asyncio
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from observability import tracing
from runner.ports import free_port
from settings import Settings
from tests.support.spans import receiving
from tests.support.stores import standalone
from tests.support.system import System, running

ROOT = Path(__file__).parents[2]
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
def without_opentelemetry(tmp_path: Path) -> Path:
    """Returns a folder with all installed packages except those of OpenTelemetry."""
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        if not one.name.startswith("opentelemetry"):
            (tmp_path / one.name).symlink_to(one)
    return tmp_path


async def run(
    *words: str, environment: dict[str, str], packages: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs Python with a module; with `packages`, on these packages only."""
    path = os.pathsep.join(map(str, filter(None, [ROOT, packages])))
    command = [sys.executable, *(["-S"] if packages else []), "-m", *words]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PLAUDIT_", "OTEL_"))}
    return await asyncio.to_thread(
        subprocess.run,
        command,
        env={**own, **environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def urls(settings: Settings) -> dict[str, str]:
    return {"DATABASE_URL": settings.database_url, "REDIS_URL": settings.redis_url}


@standalone
async def test_a_process_that_traces_nothing_does_not_load_opentelemetry(
    make_settings: Callable[..., Settings],
) -> None:
    done = await run("tests.observability.otel_modules", environment=urls(make_settings()))

    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr


@pytest.mark.prove
@standalone
async def test_without_the_packages_the_setting_is_an_error(
    make_settings: Callable[..., Settings], without_opentelemetry: Path
) -> None:
    wanted = {**urls(make_settings()), "PLAUDIT_JWT_SECRET": "s" * 32, "PLAUDIT_TRACING": "true"}

    for command in ("api", "worker"):
        done = await run("plaudit", command, packages=without_opentelemetry, environment=wanted)

        assert done.returncode == 1
        assert done.stderr == "PLAUDIT_TRACING needs packages that are not installed: install plaudit[otel]\n"


@pytest.mark.prove
@standalone
async def test_without_the_packages_a_variable_of_the_platform_is_a_warning(
    make_settings: Callable[..., Settings], without_opentelemetry: Path
) -> None:
    set_by_platform = {**urls(make_settings()), ENDPOINT: "http://127.0.0.1:4318"}

    done = await run("tests.observability.otel_modules", packages=without_opentelemetry, environment=set_by_platform)

    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
    assert "no traces are sent: install plaudit[otel]" in done.stderr


@pytest.mark.prove
@standalone
@pytest.mark.parametrize(
    "refused",
    [{"OTEL_BSP_MAX_QUEUE_SIZE": "100"}, {"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "many"}],
    ids=["a queue shorter than a batch", "no number"],
)
async def test_a_variable_that_opentelemetry_refuses_is_a_warning(
    make_settings: Callable[..., Settings], refused: dict[str, str]
) -> None:
    variables = {**urls(make_settings()), ENDPOINT: "http://127.0.0.1:9", **refused}

    done = await run("tests.observability.otel_modules", environment=variables)

    assert done.returncode == 0, done.stderr
    assert "no traces are sent: OpenTelemetry refuses one of the OTEL_ variables" in done.stderr


@standalone
@pytest.mark.parametrize(
    ("variables", "setting", "expected"),
    [
        ({}, None, False),
        ({}, False, False),
        ({"OTEL_SDK_DISABLED": "true"}, True, False),
        ({"OTEL_TRACES_EXPORTER": "none"}, True, False),
        ({ENDPOINT: ""}, None, False),
        ({ENDPOINT: "http://127.0.0.1:9"}, None, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:9/v1/traces"}, None, True),
        ({ENDPOINT: "http://127.0.0.1:9"}, False, False),
        ({}, True, True),
    ],
)
async def test_when_processes_trace(
    make_settings: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    setting: bool | None,
    expected: bool,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    async with running(make_settings(tracing=setting)):
        assert (tracing.tracer is not None) is expected

    assert tracing.tracer is None


@standalone
async def test_an_untraced_request_calls_nothing_of_tracing(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    alice.headers["traceparent"] = SAMPLED
    await alice.id()
    called: set[str] = set()

    sys.setprofile(lambda frame, _event, _argument: called.add(frame.f_code.co_filename))
    try:
        await alice.like(video)
    finally:
        sys.setprofile(None)

    parts = {str(Path(name).relative_to(ROOT)) for name in called if Path(name).is_relative_to(ROOT)}
    assert {"api/transports/http.py", "store/redis/client.py", "store/postgres/client.py"} <= parts
    assert not parts & {"observability/tracing.py", "store/redis/spans.py"}


async def test_a_journal_entry_of_an_untraced_request_has_no_further_field(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    alice.headers["traceparent"] = SAMPLED

    await alice.like(video)

    wanted = [(p, 0, 100) for p in range(system.settings.partitions)]
    (entry,) = [entry for some in await system.state.journals.read(wanted) for entry in some]
    assert set(entry.fields) == {b"op", b"kind", b"state", b"was", b"data"}


@standalone
async def test_a_worker_that_traces_nothing_stores_entries_of_traced_requests(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(monkeypatch):
        async with running(make_settings()) as traced:
            (video,) = await traced.videos("v1")
            await traced.person("alice").like(video)
    monkeypatch.delenv(ENDPOINT)

    async with running(make_settings()) as system:
        await system.drain()

        assert await system.rows("SELECT count(*) FROM reactions") == [(1,)]
        assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


@standalone
async def test_requests_are_answered_and_processes_stop_while_nothing_receives_traces(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{free_port()}")

    async with running(make_settings()) as system:  # stopping takes at most 20 s, or this raises TimeoutError
        (video,) = await system.videos("v1")
        liked: Any = await system.person("alice").like(video)

    assert liked["target"]["likeCount"] == 1
