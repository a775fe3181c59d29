"""The message that `plaudit dev` prints when the system is ready."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from rich.console import Console

from runner.ports import HOST
from runner.running import Running

_OPEN = """
Warning: the API listens on {host}. Everyone who can reach this address can sign in as any user and as a moderator,
without a password and without encryption. Use it only in a network that you trust."""


def announce(console: Console, running: Running, tokens: dict[str, str], host: str = HOST) -> None:
    """Prints the addresses of the system and tokens to sign in with. `tokens` has the tokens by the names of their
    users. Each token is on its own line, for copying. `host` is the address on which the API listens: if other machines
    can reach it, prints a warning.
    """
    api, worker = running.metrics_urls
    graphiql = f"{running.graphiql_url}  (in a browser)" if running.graphiql_url else "off, as introspection is"
    console.print("\n[bold green]Plaudit is ready.[/]\n")
    for name, value in (
        ("Demo app", f"{running.url}/  (in a browser)"),
        ("GraphiQL", graphiql),
        ("GraphQL", running.graphql_url),
        ("Metrics", f"{api} (API), {worker} (worker)"),
        ("Postgres", _place(running.environment["DATABASE_URL"])),
        ("Valkey", _place(running.environment["REDIS_URL"])),
        ("Data", running.data_dir),
        ("Logs", ", ".join(_logs(Path(running.data_dir)))),
    ):
        console.print(f"  {name:<11}{value}", soft_wrap=True, highlight=False)
    console.print("\nPages on localhost and 127.0.0.1, on any port, may call the API.", highlight=False)
    console.print("\nIn the demo app and in GraphiQL, choose a user at the top of the page.", highlight=False)
    console.print("To call the API as a user, send the header [bold]Authorization: Bearer …[/] with one of these:")
    for person, token in tokens.items():
        console.print(f"\n  [bold]{person}[/]\n{token}", soft_wrap=True, highlight=False)
    where = "" if Path(running.data_dir) == Path(".data").absolute() else f" --data-dir {running.data_dir}"
    console.print(
        f"\nMore tokens: [bold].venv/bin/plaudit token --user NAME{where}[/].", soft_wrap=True, highlight=False
    )
    if host not in ("127.0.0.1", "::1", "localhost"):
        console.print(_OPEN.format(host=host), style="bold yellow", soft_wrap=True, highlight=False)
    # The addresses are above the screen of a small terminal now.
    console.print(f"Open [bold]{running.url}/[/] in a browser. [bold]Ctrl-C[/] stops everything.\n", highlight=False)


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
