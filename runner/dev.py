"""`plaudit dev`: a complete Plaudit on this machine, from nothing, until Ctrl-C."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from pydantic import SecretStr
from rich.console import Console

from runner.announce import announce
from runner.datadir import locked, signing_secret
from runner.file_store import storing
from runner.ports import HOST
from runner.programs import Programs, check_port
from runner.running import Running
from runner.space import Space
from runner.startup import Startup, starting
from runner.stores import start_stores
from runner.supervisor import Supervisor
from runner.switch import Switch, switching
from settings import Settings

# So few that some seeded users are big accounts. Followers' pages read the posts of big accounts at query time.
PUSH_FOLLOWERS = 100
# The operations of the demo app, which its build writes (web/demo.py).
MANIFEST = Path(__file__).parents[1] / "web" / "app" / "dist" / "persisted-documents.json"


def dev(data_dir: Path, port: int | None = None, *, host: str = HOST, seed: bool = True) -> None:
    """Starts all servers and programs, prints their addresses, and stops them after SIGINT, SIGTERM or SIGHUP.

    The API listens on `port` of `host`, everything else on loopback. If `port` is 0, the API uses a free port; if it is
    None, port 8000, or a free port if 8000 is taken. If `seed` is true, fills an empty system with demo data. While the
    system runs, `plaudit.json` in `data_dir` has the addresses.

    Raises RunnerError if a cause outside Plaudit prevents the start. If this process is killed, the kernel ends
    everything that it started.
    """
    console = Console()
    try:
        with locked(data_dir) as ours, storing(ours) as images, Supervisor(console.print) as supervisor:
            check_port(port, host)
            switch = Switch(supervisor)
            space = Space(ours, console.print)
            with switching(switch) as url:
                running = _bring_up(supervisor, ours, (port, host), console, (switch, url), images=images, seed=seed)
                announce(console, running, host)
                running.write()
                supervisor.watch(lambda: _look(space, switch))
    except KeyboardInterrupt:
        console.print("Stopped.")


def _bring_up(
    supervisor: Supervisor,
    data_dir: Path,
    place: tuple[int | None, str],
    console: Console,
    switch_at: tuple[Switch, str],
    *,
    images: str,
    seed: bool,
) -> Running:
    switch, switch_url = switch_at
    with starting(console) as startup:
        startup.step("Starting Postgres and Valkey")
        urls, stores = start_stores(supervisor, data_dir)
        switch.add(stores)
        chosen = {name: value for name, value in os.environ.items() if name.startswith("PLAUDIT_")}
        environment = (
            {
                "PLAUDIT_PUSH_FOLLOWER_LIMIT": str(PUSH_FOLLOWERS),
                "PLAUDIT_PERSISTED_MANIFESTS": json.dumps([str(MANIFEST)]),
                "PLAUDIT_MODERATION_CONSOLE": "true",
                "PLAUDIT_IMAGES": images,
            }
            | chosen
            | urls
            | {
                "PLAUDIT_ENV": "development",
                "PLAUDIT_HOST": HOST,
                "PLAUDIT_JWT_SECRET": signing_secret(data_dir),
            }
        )
        programs = Programs(
            supervisor, data_dir, {**os.environ, **environment, "PLAUDIT_SWITCH_URL": switch_url}, needs=stores
        )
        startup.step("Creating tables")
        programs.run("migrate")
        startup.step("Starting the API and the worker")
        # Each program spends its first seconds importing modules, so they start at the same time.
        with _seeding(programs, startup) if seed else nullcontext():
            worker_metrics = programs.start_worker()
            url = programs.start_api(*place)
        settings = Settings(env="development", jwt_secret=SecretStr(environment["PLAUDIT_JWT_SECRET"]))
        return Running.at(
            url, worker_metrics, data_dir, environment, graphiql=settings.shows_graphiql, switch_url=switch_url
        )


@contextmanager
def _seeding(programs: Programs, startup: Startup) -> Iterator[None]:
    with startup.following(programs.log("seed"), "Demo data"), programs.meanwhile("seed", "--line-every", "0.2"):
        yield


def _look(space: Space, switch: Switch) -> None:
    space.look()
    switch.look()
