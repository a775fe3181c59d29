import os
import pwd
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from runner import pgdata, ports, postgres, process
from runner.errors import RunnerError, StartError
from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Command, run

REPOSITORY = Path(__file__).parents[2]
UNPRIVILEGED = 65534
READING_ALONE = 1 << 2
"""CAP_DAC_READ_SEARCH: the capability to read all files and enter all folders."""
WITHOUT_NAMESPACES = """
import sys
from runner import launch
launch._enter_namespace = lambda: False
launch.main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
"""
START_AND_STOP = """
import os, sys
from pathlib import Path
from runner.postgres import Postgres
with Postgres(Path(sys.argv[1]), durable=False) as server:
    print(os.geteuid(), Path(f"/proc/{server.pid}").stat().st_uid)
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to change the user")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgres", durable=False) as server:
        yield server


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Returns a server for tests that only read."""
    with Postgres(tmp_path_factory.mktemp("postgres"), durable=False, settings={"max_connections": "17"}) as server:
        yield server


async def ask(server: Postgres, sql: str) -> Any:
    connection = await asyncpg.connect(server.url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_commits_survive_sigkill_and_the_address_stays(server: Postgres) -> None:
    url = server.url
    await ask(server, "CREATE TABLE kept AS SELECT 42 AS answer")

    server.kill()
    assert not server.running
    server.start()

    assert server.url == url
    assert await ask(server, "SELECT answer FROM kept") == 42


async def test_commits_survive_a_stop_and_another_owner(server: Postgres) -> None:
    await ask(server, "CREATE TABLE kept AS SELECT 42 AS answer")
    server.stop()

    with Postgres(server.data_dir) as next_owner:
        assert await ask(next_owner, "SELECT answer FROM kept") == 42


async def test_two_servers_run_side_by_side(server: Postgres, tmp_path: Path) -> None:
    with Postgres(tmp_path / "other", durable=False) as other:
        await ask(server, "CREATE TABLE mine AS SELECT 1")

        assert await ask(other, "SELECT to_regclass('mine')") is None


async def test_commits_are_flushed_to_disk_unless_that_is_turned_off(untouched: Postgres, tmp_path: Path) -> None:
    with Postgres(tmp_path / "durable") as durable:
        assert await ask(durable, "SHOW fsync") == "on"
        assert await ask(durable, "SHOW full_page_writes") == "on"
        assert await ask(durable, "SHOW synchronous_commit") == "on"
    assert await ask(untouched, "SHOW fsync") == "off"


async def test_text_is_unicode_in_code_point_order(untouched: Postgres) -> None:
    assert await ask(untouched, "SHOW server_encoding") == "UTF8"
    assert await ask(untouched, "SELECT lower('ÄÖ')") == "äö"
    assert await ask(untouched, "SELECT 'Z' < 'a'")


async def test_only_local_clients_can_connect(untouched: Postgres) -> None:
    assert await ask(untouched, "SHOW listen_addresses") == "127.0.0.1"
    administration = await asyncpg.connect(untouched.url_of("postgres", pgdata.ADMIN))
    assert await administration.fetchval("SHOW unix_socket_directories") == ""
    await administration.close()


async def test_settings_reach_the_server(untouched: Postgres) -> None:
    assert await ask(untouched, "SHOW max_connections") == "17"


def test_data_of_another_major_version_is_refused_with_advice(server: Postgres) -> None:
    server.stop()
    (server.data_dir / "data" / "PG_VERSION").write_text("9\n")

    with pytest.raises(RunnerError, match=r"made by Postgres 9.*PLAUDIT_POSTGRES_BIN"):
        server.start()


async def test_the_lock_file_of_a_dead_server_whose_pid_is_in_use_again_is_ignored(server: Postgres) -> None:
    lock = server.data_dir / "data" / "postmaster.pid"
    text = lock.read_text()
    server.kill()
    lock.write_text(text.replace(text.split()[0], str(os.getpid()), 1))

    server.start()

    assert await ask(server, "SELECT 1") == 1


def test_a_second_server_on_one_data_directory_is_refused(untouched: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "PREDECESSOR_SECONDS", 0.1)

    with pytest.raises(RunnerError, match=f"already runs on .*{untouched.pid}"):
        Postgres(untouched.data_dir).start()


async def test_a_free_port_that_another_program_takes_first_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        offers = iter([taken.getsockname()[1], free_port()])
        monkeypatch.setattr(ports, "free_port", lambda: next(offers))

        with Postgres(tmp_path / "postgres", durable=False) as server:
            assert await ask(server, "SELECT 1") == 1


def test_a_given_port_that_is_taken_is_reported(untouched: Postgres, tmp_path: Path) -> None:
    with pytest.raises(StartError) as caught:
        Postgres(tmp_path / "other", port=untouched.port, durable=False).start()

    assert caught.value.port_taken


def test_an_incomplete_data_directory_is_created_again(tmp_path: Path) -> None:
    (tmp_path / "data.unfinished").mkdir()
    (tmp_path / "data.unfinished" / "PG_VERSION").write_text("18\n")

    with Postgres(tmp_path, durable=False) as server:
        assert server.running


async def test_a_client_without_password_is_refused(untouched: Postgres) -> None:
    for role in ("plaudit", "postgres"):
        for password in ("", ":guessed"):
            with pytest.raises(asyncpg.InvalidPasswordError):
                await asyncpg.connect(f"postgresql://{role}{password}@127.0.0.1:{untouched.port}/plaudit")
    for file in ("plaudit.password", "postgres.password"):
        assert (untouched.data_dir / "data" / file).stat().st_mode & 0o777 == 0o600


async def test_the_role_of_the_application_is_not_a_superuser(untouched: Postgres) -> None:
    assert await ask(untouched, "SELECT NOT rolsuper FROM pg_roles WHERE rolname = current_user")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await ask(untouched, "COPY (SELECT 1) TO PROGRAM 'true'")


@as_root
def test_root_runs_the_server_as_a_separate_user(untouched: Postgres) -> None:
    user = Path(f"/proc/{untouched.pid}").stat().st_uid

    assert (untouched.data_dir / "data").stat().st_uid == user
    assert user not in {0, UNPRIVILEGED, *(known.pw_uid for known in pwd.getpwall())}
    # pytest's own directories are closed to other users, like /root.
    assert capabilities(untouched) == READING_ALONE


@as_root
def test_root_leaves_no_files_in_folders_that_others_can_enter() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        with Postgres(Path(folder) / "postgres", durable=False) as server:
            assert capabilities(server) == 0


def capabilities(server: Postgres) -> int:
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("CapEff:")[2].split()[0], 16)


@as_root
async def test_root_needs_no_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = tmp_path / "launcher.py"
    launcher.write_text(f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})" + WITHOUT_NAMESPACES)
    monkeypatch.setattr(process, "LAUNCHER", str(launcher))

    with Postgres(tmp_path / "postgres", durable=False) as server:
        assert Path(f"/proc/{server.pid}").stat().st_uid not in {0, UNPRIVILEGED}
        server.kill()
        server.start()
        assert await ask(server, "SELECT 1") == 1


@as_root
def test_an_ordinary_user_runs_the_server_as_that_user(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, UNPRIVILEGED, UNPRIVILEGED)
    program = (sys.executable, "-c", START_AND_STOP, str(home / "postgres"))
    command = Command(argv=program, log=tmp_path / "log", unprivileged=home)

    run(command, 30)

    assert command.log.read_text().split() == [str(UNPRIVILEGED)] * 2
