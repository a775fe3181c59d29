"""A host on which tests follow the guides for operators: they run the commands as the pages have them.

The host differs from a real one in this: absolute paths of the guides are below a folder; free ports take the place of
those in the guides; `systemctl` and `systemd-run` are stand-ins (stand_ins.py) that start the programs of
deploy/systemd with their environment, and without their sandbox.
"""

import asyncio
import json
import random
import re
import shlex
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from runner.binaries import postgres_bin
from runner.pgdata import ADMIN, DATABASE, USER, environment, password
from runner.ports import HOST, is_free
from runner.postgres import Postgres
from runner.process import Command, Process
from runner.valkey import Valkey
from tests.failures.faults.guides.stand_ins import PORT, environment_in
from tests.support.deployment import ROOT, Deployment

KIT = ROOT / "deploy"
COMMAND_SECONDS = 240
STOP_SECONDS = 30
_BASH = shutil.which("bash") or "/bin/bash"
_OURS = re.compile(r"PLAUDIT_|DATABASE_URL$|REDIS_URL$")
_ROOTED = re.compile(r"""(?<![^\s"'=<>])/(etc|opt|var)\b""")
_INSTANCES = re.compile(r"\b(8001|8002|19001|19002)\b")


class Host:
    """One host with Postgres, Redis, two APIs and two workers. Nothing runs at the beginning but the stores."""

    def __init__(self, folder: Path, postgres: Postgres, valkey: Valkey, **settings: Any) -> None:
        self.root = folder / "host"
        self.postgres = postgres
        self.valkey = valkey
        self.ports = _ports()
        self.deployment = Deployment(folder, postgres.url, valkey.url, **settings)
        self.deployment.urls = [f"http://{HOST}:{self.ports[name]}" for name in ("8001", "8002")]
        self.deployment.url = self.deployment.urls[0]
        self.units: dict[str, Process] = {}
        """The process of each unit that was started."""
        self.variables: dict[str, str] = {}
        """The variables that the guide tells the operator to set."""
        self._admin_password = self._password(ADMIN)
        self._listener_port = 0
        self._folder = folder
        self._runs = 0

    def prepare(self) -> None:
        """Makes the files of an installation, and the stand-ins."""
        shutil.copytree(KIT / "systemd", self.root / "etc" / "systemd" / "system")
        ours = {name: value for name, value in self.deployment.environment.items() if _OURS.match(name)}
        ours.pop("PLAUDIT_BUSINESSES_FILE")  # the units set it
        self.write("etc/plaudit/environment", "".join(f"{name}={value}\n" for name, value in ours.items()))
        self.write("etc/plaudit/businesses.toml", (ROOT / "tests" / "businesses.toml").read_text())
        self.install("plaudit-head", ROOT)
        self.link("plaudit-head")
        self.write("bin/plaudit", self.here((KIT / "bin" / "plaudit").read_text()), executable=True)
        for name in ("systemctl", "systemd-run"):
            called = f"PYTHONPATH={ROOT} exec {sys.executable} -m tests.failures.faults.guides.stand_ins {name}"
            self.write(f"bin/{name}", f'#!/bin/sh\n{called} "$@"\n', executable=True)

    def _password(self, role: str) -> str:
        return password(self.postgres.data_dir / "data", role)

    def write(self, name: str, text: str, *, executable: bool = False) -> None:
        """Writes a file below the root folder of the host."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755 if executable else 0o644)

    def set(self, variable: str, value: str) -> None:
        """Changes a setting in /etc/plaudit/environment."""
        file = self.root / "etc" / "plaudit" / "environment"
        others = [line for line in file.read_text().splitlines() if not line.startswith(f"{variable}=")]
        file.write_text("\n".join([*others, f"{variable}={value}", ""]))

    def install(self, name: str, code: Path) -> None:
        """Makes /opt/<name>/bin/plaudit, which runs the program in a checkout."""
        called = f"PYTHONPATH={code} exec {sys.executable} -P -m plaudit"
        self.write(f"opt/{name}/bin/plaudit", f'#!/bin/sh\n{called} "$@"\n', executable=True)

    def link(self, name: str) -> None:
        """Makes /opt/plaudit a link to /opt/<name>."""
        link = self.root / "opt" / "plaudit"
        link.unlink(missing_ok=True)
        link.symlink_to(self.root / "opt" / name)

    def here(self, text: str) -> str:
        """Returns a text of a guide or unit with the paths and ports of this host."""
        return _INSTANCES.sub(lambda found: str(self.ports[found[0]]), rooted(self.root, text))

    async def run(self, *blocks: str) -> str:
        """Runs commands in a shell, which must succeed. Returns what they print."""
        script = self.here("\n".join(blocks))
        self._runs += 1
        log = self._folder / f"commands-{self._runs}.log"
        process = Process(Command(argv=(_BASH, "-euo", "pipefail", "-c", script), log=log, env=self._environment()))
        await self._ended(process, COMMAND_SECONDS)
        assert process.end_reason == "ended with exit code 0", f"{script}\n{log.read_text()}"
        return log.read_text()

    async def query(self, sql: str) -> str:
        """Returns what psql prints for a statement: without alignment, and without headings."""
        return (await self.run(f"psql --quiet --no-align --tuples-only --command={shlex.quote(sql)}")).strip()

    async def archive_wal(self) -> None:
        """Ends the current segment of the WAL of Postgres, and returns when it is archived."""
        ended = await self.query("SELECT pg_walfile_name(pg_switch_wal())")
        async with asyncio.timeout(60):
            while await self.query("SELECT last_archived_wal FROM pg_stat_archiver") < ended:
                await asyncio.sleep(0.2)

    def lose_postgres(self) -> None:
        """Kills Postgres and removes its data directory."""
        self.postgres.kill()
        shutil.rmtree(self.postgres.data_dir / "data")

    async def replace_stores(self) -> None:
        """Kills Postgres and Redis and removes their data. Starts new ones, where the operator has made the role of
        Plaudit with its former password.
        """
        secret = self._password(USER)
        self.lose_postgres()
        self.valkey.kill()
        shutil.rmtree(self.valkey.data_dir)
        await self.systemctl("start", "postgresql", "valkey")
        self._admin_password = self._password(ADMIN)
        await self.run(
            f"psql --dbname=postgres --command=\"ALTER ROLE {USER} PASSWORD '{secret}'\"",
            f"dropdb {DATABASE}",
        )

    def _environment(self) -> dict[str, str]:
        return {
            **environment(),
            "PATH": f"{self.root}/bin:{postgres_bin()}:{environment()['PATH']}",
            PORT: str(self._listener_port),
            "PGHOST": HOST,
            "PGPORT": str(self.postgres.port),
            "PGUSER": ADMIN,
            "PGPASSWORD": self._admin_password,
            "PGDATABASE": DATABASE,
            "no_proxy": "*",
            **self.variables,
        }

    async def systemctl(self, verb: str, *names: str) -> None:
        """Does what `systemctl` does with these units. Raises AssertionError if a unit fails."""
        for name in names:
            if verb in ("stop", "restart"):
                await self._stop(name)
            if verb in ("start", "restart"):
                await self._start(name)

    async def _stop(self, name: str) -> None:
        if store := self._store(name):
            await asyncio.to_thread(store.stop)
        for unit, process in self.units.items():
            if fnmatch(unit, name) and process.running:
                for _ in process.stopping(STOP_SECONDS):
                    await asyncio.sleep(0.02)
                assert process.end_reason in ("ended with exit code 0", "was ended by SIGTERM"), process.output()

    async def _start(self, name: str) -> None:
        if store := self._store(name):
            await asyncio.to_thread(store.start)
            return
        earlier = self.units.get(name)
        if not (earlier and earlier.running):
            self.units[name] = process = Process(self._command(name))
            if name == "plaudit-migrate":  # of the type `oneshot`
                await self._ended(process, COMMAND_SECONDS)
                assert process.end_reason == "ended with exit code 0", process.output()

    def _store(self, name: str) -> Postgres | Valkey | None:
        stores: Mapping[str, Postgres | Valkey] = {"postgresql": self.postgres, "valkey": self.valkey}
        return stores.get(name)

    def _command(self, name: str) -> Command:
        """Returns the command of a unit, with the environment of the unit."""
        template, at, instance = name.partition("@")
        folder = self.root / "etc" / "systemd" / "system"
        unit = self.here((folder / f"{template}{at}.service").read_text().replace("%i", instance))
        common = self.here((folder / "plaudit-.service.d" / "common.conf").read_text())
        (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
        (file,) = re.findall(r"^EnvironmentFile=(.*)$", common, re.MULTILINE)
        named = environment_in("\n".join(re.findall(r"^Environment=(.*)$", common + unit, re.MULTILINE)))
        variables = {"PATH": environment()["PATH"], **named, **environment_in(Path(file).read_text())}
        return Command(argv=tuple(shlex.split(line)), log=self._folder / f"{name}.log", env=variables)

    @staticmethod
    async def _ended(process: Process, seconds: float) -> None:
        """Returns when a process has ended. Kills it if it has not ended after `seconds`, or if the test ends."""
        try:
            async with asyncio.timeout(seconds):
                while process.running:
                    await asyncio.sleep(0.02)
        finally:
            process.stop(0)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one call of the stand-in for `systemctl`."""
        verb, *names = json.loads(await reader.readline())
        try:
            await self.systemctl(verb, *names)
            answer = {"status": 0, "message": ""}
        except Exception as error:  # noqa: BLE001 - the command of the guide fails with it
            answer = {"status": 1, "message": f"{verb} {names}: {error!r}\n"}
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Answers the stand-in for `systemctl` while the block runs. Stops all units afterwards."""
        listener = await asyncio.start_server(self.answer, HOST, 0)
        self._listener_port = listener.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            listener.close()
            for process in self.units.values():
                process.stop(STOP_SECONDS)


def rooted(root: Path, text: str) -> str:
    """Returns a text with the absolute paths of the guides below a folder."""

    def moved(found: re.Match[str]) -> str:
        is_there = text.startswith(f"{root.parent}/", found.start())  # temporary files can be in /var/tmp
        return found[0] if is_there else f"{root}{found[0]}"

    return _ROOTED.sub(moved, text)


def _ports() -> dict[str, int]:
    """Returns free ports for those of the guides. The metrics of the API on port 8001 are on 18001: with a 1 before."""
    found: dict[str, int] = {}
    while len(found) < 2:
        port = random.randrange(2000, 10_000)
        if is_free(port) and is_free(10_000 + port) and port not in found.values():
            found[f"800{len(found) + 1}"] = port
    while len(found) < 4:
        port = random.randrange(20_000, 30_000)
        if is_free(port) and port not in found.values():
            found[f"1900{len(found) - 1}"] = port
    return found


@asynccontextmanager
async def started(folder: Path, postgres: Mapping[str, str] | None = None, **settings: Any) -> AsyncIterator[Host]:
    """Starts the stores of a host, Postgres with these settings of its own. No table exists yet."""
    chosen = {name: rooted(folder / "host", value) for name, value in (postgres or {}).items()}
    with Postgres(folder / "postgres", settings=chosen) as server, Valkey(folder / "valkey") as valkey:
        host = Host(folder, server, valkey, **settings)
        host.prepare()
        async with host.listening():
            yield host
