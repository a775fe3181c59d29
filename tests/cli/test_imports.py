"""The help of every command imports no client of a store, no settings, no metrics and no GraphQL, so that it takes at
most half a second of CPU time.
"""

import json
import subprocess
import sys

SLOW = [
    "sqlalchemy",
    "redis",
    "asyncpg",
    "alembic",
    "pydantic",
    "pydantic_settings",
    "prometheus_client",
    "graphql",
    "strawberry",
    "starlette",
    "uvicorn",
]
ASK_EVERYTHING = """
import json, sys
import typer
from typer.testing import CliRunner
from cli.main import app

def commands(group, *before):
    for name, command in group.commands.items():
        yield [*before, name]
        yield from commands(command, *before, name) if hasattr(command, "commands") else []

every = [[], *commands(typer.main.get_command(app))]
results = [CliRunner().invoke(app, [*words, "--help"]).exit_code for words in every]
print(json.dumps({"commands": len(every), "results": sorted(set(results)), "modules": list(sys.modules)}))
"""
ISSUE = """
import json, sys
from cli.main import app
from typer.testing import CliRunner
CliRunner().invoke(app, ["token", "--user", "alice"])
print(json.dumps(list(sys.modules)))
"""


def run(program: str, **variables: str) -> str:
    """Runs a program in a process of its own. Returns what it prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**variables}).stdout


def test_the_help_of_no_command_imports_what_takes_long() -> None:
    found = json.loads(run(ASK_EVERYTHING))

    assert found["commands"] > 30
    assert found["results"] == [0]
    assert set(SLOW) & set(found["modules"]) == set()


def test_a_token_is_made_without_the_schema() -> None:
    down = {"DATABASE_URL": "postgresql://u@127.0.0.1:1/d", "REDIS_URL": "redis://127.0.0.1:1/0"}
    found = json.loads(run(ISSUE, PLAUDIT_JWT_SECRET="s" * 32, PLAUDIT_ENV="development", **down))

    assert "sqlalchemy" in found
    assert {"graphql", "strawberry", "starlette", "uvicorn", "alembic", "schema", "api"} & set(found) == set()
