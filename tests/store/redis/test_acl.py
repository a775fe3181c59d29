"""A Redis user with the rights that docs/operate/install.md lists can run Plaudit, and the list is complete."""

import ast
import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from redis.commands import CoreCommands

from checks import findings
from runner.valkey import Valkey
from settings import Settings
from tests.support.deployment import ROOT
from tests.support.social_scene import made, read
from tests.support.stores import standalone
from tests.support.system import LENIENT, running
from workers.reconcile import run as runs
from workers.reconcile.run import ReconcileRun

GUIDE = (ROOT / "docs" / "operate" / "install.md").read_text()
RULES = re.findall(r"ACL SETUSER plaudit on >PASSWORD\s+(.*?)```", GUIDE, re.DOTALL)[0].split()
ALLOWED = {rule.removeprefix("+").replace("|", " ").upper() for rule in RULES if rule.startswith("+")}
FOR_CLUSTERS = set(re.findall(r"\+([a-z|]+)", GUIDE.partition("A cluster needs")[2].partition("`config|get`")[0]))
FOR_SITES = set(re.findall(r"\+([a-z|]+)", GUIDE.partition("Two sites need")[2].partition("If you")[0]))
_COMMANDS = {name.upper().replace("_", " ") for name in dir(CoreCommands) if not name.startswith("_")} | {"DEL"}


@pytest.fixture
def user(valkey: Valkey) -> Iterator[str]:
    """Returns the URL of the server for a user with the rights of the guide."""
    valkey.command("ACL", "SETUSER", "plaudit", "on", ">secret", *RULES)
    valkey.command("ACL", "LOG", "RESET")
    yield urlsplit(valkey.url)._replace(netloc=f"plaudit:secret@127.0.0.1:{valkey.port}").geturl()
    valkey.command("ACL", "DELUSER", "plaudit")


@standalone
@pytest.mark.timeout(180)
async def test_a_user_with_the_rights_of_the_guide_can_run_plaudit(
    user: str, valkey: Valkey, make_settings: Callable[..., Settings]
) -> None:
    settings = make_settings(moderation=LENIENT, local_cache_seconds=0).model_copy(update={"redis_url": user})
    async with running(settings) as system:
        scene = await made(system)
        found, _ = await read(scene, scene.alice)
        await asyncio.to_thread(
            asyncio.run, runs.run(settings, ReconcileRun(repair=True, only=(), rate=None, report=lambda *_: None))
        )
        checked = await findings(settings)

    assert scene.bob_id in set().union(*found.values())
    assert [one for one in checked if "NOPERM" in one.message] == []
    refused: list[Any] = valkey.command("ACL", "LOG")
    assert refused == []


def test_every_command_of_the_store_is_in_the_guide() -> None:
    used = {command for file in sorted((ROOT / "store").rglob("*.py")) for command in of_module(file)}
    used |= {command for file in (ROOT / "store" / "scripts").glob("*.lua") for command in of_script(file.read_text())}
    known = ALLOWED | {one.replace("|", " ").upper() for one in FOR_CLUSTERS | FOR_SITES} | {"SENTINEL CKQUORUM"}

    assert len(used) > 40
    assert used - known == set()


def of_script(text: str) -> set[str]:
    """Returns the commands that a Lua script calls."""
    found = re.findall(r"redis\.p?call\(\s*['\"](\w+)['\"](?:,\s*['\"](STREAM)['\"])?", text)
    return {" ".join(filter(None, words)) for words in found}


def of_module(file: Path) -> Iterator[str]:
    """Yields the commands that a module of the store names: the first text of a call or of a tuple. A command such as
    CLUSTER is followed by its subcommand.
    """
    for node in ast.walk(ast.parse(file.read_text())):
        words = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
        texts = [str(word.value) if isinstance(word, ast.Constant) else "" for word in words[:2]]
        if texts and texts[0] in _COMMANDS | {"CLUSTER"}:
            yield f"{texts[0]} {texts[1]}" if texts[0] == "CLUSTER" else texts[0]
