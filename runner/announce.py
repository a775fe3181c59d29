"""The message that `plaudit dev` prints when the system is ready."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from rich.console import Console
from rich.markup import escape

from runner.ports import HOST
from runner.running import Running

_OPEN = """
Warning: the API listens on {host}. Everyone who can reach this address can sign in as any user and as a moderator,
without a password and without encryption. Use it only in a network that you trust."""


def announce(console: Console, running: Running, host: str = HOST) -> None:
    """Prints the five lines that matter: the addresses to open, who to sign in as, what to try, where the data is, and
    how to stop. `host` is the address on which the API listens: if other machines can reach it, prints a warning before
    them. Colours appear on a terminal only, and not if NO_COLOR is set.
    """
    if host not in ("127.0.0.1", "::1", "localhost"):
        console.print(_OPEN.format(host=host), style="bold yellow", soft_wrap=True, highlight=False)
    console.print("\n[bold green]Plaudit is ready.[/]\n")
    for name, value in (
        ("Open", _addresses(running)),
        ("Sign in", f"as alice, bob or moderator, on the page; in programs: {_token_command(running)}"),
        ("Try", _suggestion(running)),
        ("Data", _data(running)),
        ("Stop", "Ctrl-C"),
    ):
        console.print(f"  [bold cyan]{name:<9}[/]{escape(value)}", soft_wrap=True, highlight=False)
    console.print()


def _addresses(running: Running) -> str:
    pages = [f"{running.url}/ (app)"]
    if running.graphiql_url:
        pages.append(f"{running.graphiql_url} (GraphiQL)")
    return ", ".join([*pages, f"{running.url}/moderation (console)"])


def _token_command(running: Running) -> str:
    where = "" if Path(running.data_dir) == Path(".data").absolute() else f" --data-dir {running.data_dir}"
    program = ".venv/bin/plaudit" if Path(".venv/bin/plaudit").exists() else "plaudit"
    return f"{program} token --user alice{where}"


def _suggestion(running: Running) -> str:
    store = "take Valkey away: curl -X POST -H X-Plaudit-Dev:1 {0}/redis/stop, then .../redis/start"
    tour = "like a post as alice, and see it as bob in another window"
    return f"{tour}; {store.format(running.switch_url)}" if running.switch_url else f"{tour}; docs/start/tour.md"


def _data(running: Running) -> str:
    postgres, valkey = (_place(running.environment[name]) for name in ("DATABASE_URL", "REDIS_URL"))
    logs = ", ".join(_logs(Path(running.data_dir)))
    return f"{running.data_dir} (Postgres {postgres}, Valkey {valkey}{f', logs {logs}' if logs else ''})"


def _place(url: str) -> str:
    """Returns the part of a URL that says where the server is: host and port, or the socket. Leaves out
    the password.
    """
    parts = urlsplit(url)
    host = parts.hostname or parse_qs(parts.query).get("host", [""])[0]
    return (f"{host}:{parts.port}" if parts.port else host) or parts.path


def _logs(data_dir: Path) -> list[str]:
    """Returns the log files that exist, relative to the data directory."""
    return sorted(str(file.relative_to(data_dir)) for file in (*data_dir.glob("*.log"), *data_dir.glob("*/*.log")))
