"""`plaudit persisted --api`: the same output as through the stores, without access to them."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli import remote_operations
from cli.main import app
from cli.remote_operations import _batches
from commands.persisted.manifests import ManifestOperation
from identity import auth
from tests.support.persisted_operations import LIKE, ME, PAGE, TYPE, manifest
from tests.support.subscriptions import Live

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

IOS = "--client", "ios", "--client-version", "1.0"


def through_api(live: Live, *words: object, scope: str = "admin") -> Result:
    """Runs a command in an environment that names the API, and no store."""
    token = auth.mint(live.settings, "ci", scopes=[scope])
    environment = {"PLAUDIT_API_URL": f"http://{live.address}", "PLAUDIT_API_TOKEN": token, "COLUMNS": "300"}
    nowhere = {"DATABASE_URL": None, "REDIS_URL": None, "PLAUDIT_JWT_SECRET": None}
    return CliRunner().invoke(app, ["persisted", *map(str, words)], env={**environment, **nowhere})


async def both(live: Live, plaudit: Callable[..., Result], *words: object) -> tuple[int, str]:
    """Runs a command through the API and through the stores. Returns the exit code and the output, which are equal."""
    remote = await asyncio.to_thread(through_api, live, *words)
    stored = await asyncio.to_thread(plaudit, "persisted", *words, PLAUDIT_API_URL="", PLAUDIT_DATABASE_TIMEOUT="30")
    assert (remote.exit_code, remote.stdout) == (stored.exit_code, stored.stdout), stored.stderr
    return remote.exit_code, remote.output


async def test_the_output_is_that_of_the_commands_with_stores(
    live: Live, plaudit: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_operations, "_PAGE", 2)
    file = manifest(tmp_path, "app.json", me=ME, page=PAGE, like=LIKE)
    bad = manifest(tmp_path, "bad.json", type=TYPE, bad="{ nothing }")

    imported = await asyncio.to_thread(through_api, live, "import", file, *IOS)
    assert (imported.exit_code, imported.stdout) == (0, "New: 3. Already imported: 0.\n")
    code, output = await both(live, plaudit, "import", file, *IOS)
    assert (code, "New: 0. Already imported: 3.\n" in output) == (0, True)
    assert (await both(live, plaudit, "check", file))[0] == 0
    code, output = await both(live, plaudit, "check", "--json", bad)
    assert (code, "Cannot query field" in output) == (1, True)
    code, output = await both(live, plaudit, "import", bad)
    assert (code, "1 of 2 operations cannot run here. Nothing was imported." in output) == (1, True)
    for command in "withdraw", "list", "usage", "versions", "restore":
        named = [*IOS] if command in ("withdraw", "restore") else []
        assert (await both(live, plaudit, command, *named))[0] == 0
        if not named:
            assert (await both(live, plaudit, command, "--json"))[1].count('"') > 10
    assert (await both(live, plaudit, "withdraw", "me", "--message", "Too slow."))[0] == 0
    assert "Withdrawn: Too slow." in (await both(live, plaudit, "list"))[1]
    assert (await both(live, plaudit, "restore", "page"))[1].count("Nothing was changed.") == 1
    assert (await both(live, plaudit, "withdraw", "unknown"))[0] == 1


async def test_many_operations_are_imported_and_withdrawn_in_parts(live: Live, tmp_path: Path) -> None:
    file = manifest(tmp_path, **{f"n{number}": f"query N{number} {{ __typename }}" for number in range(150)})

    imported = await asyncio.to_thread(through_api, live, "import", file)

    assert (imported.exit_code, imported.stdout) == (0, "New: 150. Already imported: 0.\n")

    ids = [f"n{number}" for number in range(150)]
    assert (await asyncio.to_thread(through_api, live, "withdraw", *ids)).exit_code == 0
    failed = await asyncio.to_thread(through_api, live, "restore", *ids, "unknown")
    assert (failed.exit_code, "No operation has the id unknown. The first 100 were changed." in failed.output) == (
        1,
        True,
    ), failed.output
    failed = await asyncio.to_thread(through_api, live, "restore", *ids)
    assert "n0 is not withdrawn. Nothing was changed." in failed.output
    assert (await asyncio.to_thread(through_api, live, "restore", *ids[100:])).exit_code == 0


@pytest.mark.usefixtures("redis_mode")
def test_parts_are_small_enough_for_the_api() -> None:
    texts = ["x" * 90_000] * 10 + ["{" * 9000] * 3 + ["x"] * 250
    parts = [*_batches([ManifestOperation(str(at), text, "") for at, text in enumerate(texts)])]

    assert [one for part in parts for one in part] == [
        ManifestOperation(str(at), text, "") for at, text in enumerate(texts)
    ]
    assert max(map(len, parts)) == 100
    assert max(sum(len(one.text) for one in part) for part in parts) < 400_000
    assert max(sum(one.text.count("{") for one in part) for part in parts) < 15_000


async def test_failures_are_reported_in_one_sentence(live: Live) -> None:
    refused = await asyncio.to_thread(through_api, live, "list", scope="moderate")
    assert (refused.exit_code, "requires a token with the scope admin" in refused.output) == (1, True)
    for address, token, code, message in (
        (f"http://{live.address}", "", 2, "--api needs --token"),
        (f"http://{live.address}", "nonsense", 1, "token"),
        ("http://127.0.0.1:1", "x", 1, "does not answer"),
        (f"http://{live.address}/livez", "x", 1, "is not the address of an API"),
        ("nonsense", "x", 1, "does not answer"),
    ):
        words = ["persisted", "list", "--api", address, "--token", token]
        failed = await asyncio.to_thread(CliRunner().invoke, app, words)
        assert (failed.exit_code, "Traceback" in failed.output) == (code, False), failed.output
        assert message in failed.output.replace("\n", " ")
