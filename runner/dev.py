"""`plaudit dev`: a complete Plaudit on this machine, from nothing, until Ctrl-C."""

import os
from contextlib import nullcontext
from pathlib import Path

from pydantic import SecretStr
from rich.console import Console

from identity.auth import mint
from runner.announce import announce
from runner.datadir import locked, signing_secret
from runner.ports import HOST
from runner.programs import Programs
from runner.running import Running
from runner.stores import start_stores
from runner.supervisor import Supervisor
from settings import Settings

# Shown at start-up; the handles are the seed's.
PEOPLE = ("alice", "bob")
# Few enough for some of the seed's people to be big accounts, whose posts are pulled, not pushed.
PUSH_FOLLOWERS = 100
SERVICE_SCOPES = ("users:write", "entities:write", "moderate")


def dev(data_dir: Path, port: int | None = None, *, seed: bool = True) -> None:
    """Bring everything up, say where it is, and keep it running until SIGINT, SIGTERM or SIGHUP; then stop it.

    While it is up, `plaudit.json` in `data_dir` tells tools where. Raises RunnerError if something outside Plaudit
    stands in the way. If this process is killed, everything it has started ends too.
    """
    console = Console()
    try:
        with locked(data_dir) as ours, Supervisor(console.print) as supervisor:
            running, tokens = _bring_up(supervisor, ours, port, console, seed=seed)
            announce(console, running, tokens)
            running.write()
            supervisor.watch()
    except KeyboardInterrupt:
        console.print("Stopped.")


def _bring_up(
    supervisor: Supervisor, data_dir: Path, port: int | None, console: Console, *, seed: bool
) -> tuple[Running, dict[str, str]]:
    with console.status("Starting Postgres and Valkey") as status:
        urls, stores = start_stores(supervisor, data_dir)
        chosen = {name: value for name, value in os.environ.items() if name.startswith("PLAUDIT_")}
        environment = (
            {"PLAUDIT_PUSH_FOLLOWER_LIMIT": str(PUSH_FOLLOWERS)}
            | chosen
            | urls
            | {
                "PLAUDIT_ENV": "development",
                "PLAUDIT_HOST": HOST,
                "PLAUDIT_JWT_SECRET": signing_secret(data_dir),
            }
        )
        programs = Programs(supervisor, data_dir, {**os.environ, **environment}, needs=stores)
        status.update("Migrating")
        programs.run("migrate")
        status.update("Starting the API and the worker" + (", seeding" if seed else ""))
        # Each of them spends its first seconds importing, so they do it side by side.
        with programs.meanwhile("seed") if seed else nullcontext():
            programs.start_worker()
            url = programs.start_api(port)
        settings = Settings(env="development", jwt_secret=SecretStr(environment["PLAUDIT_JWT_SECRET"]))
        return Running.at(url, data_dir, environment, graphiql=settings.shows_graphiql), _tokens(settings)


def _tokens(settings: Settings) -> dict[str, str]:
    """The seed's people, and somebody who may do what services do; whoever is new becomes a user when first seen."""
    tokens = {person: mint(settings, person) for person in PEOPLE}
    return tokens | {f"service ({', '.join(SERVICE_SCOPES)})": mint(settings, "service", scopes=SERVICE_SCOPES)}
