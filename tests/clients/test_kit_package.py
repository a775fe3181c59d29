"""The package of the client kit: packed, installed in an empty folder, imported from Node and from TypeScript."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from identity import auth
from settings import Settings
from tests.support.demo import POSTS, community
from tests.support.deployment import ROOT
from tests.support.node import INSTALL_SECONDS, needs_node, run

HERE = Path(__file__).parent
TSC = ROOT / "node_modules" / ".bin" / "tsc"
CHECKS = "--noEmit --strict --skipLibCheck --target es2022 --module nodenext --lib es2024,dom"

pytestmark = [
    pytest.mark.prove,
    needs_node,
    pytest.mark.skipif(not TSC.exists() and "CI" not in os.environ, reason="`npm ci` was not run in the root"),
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns an application whose only dependency is the packed kit."""
    folder = tmp_path_factory.mktemp("kit")
    for name in (".npmrc", "kit.mjs", "kit.ts"):
        shutil.copy(HERE / name, folder)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    pack = ("npm", "pack", "--silent", "-w", "clients/typescript", "--pack-destination", str(folder))
    run(ROOT, *pack, seconds=INSTALL_SECONDS)
    (package,) = folder.glob("*.tgz")
    run(folder, "npm", "install", str(package), seconds=INSTALL_SECONDS)
    return folder


def manifest_in(folder: Path) -> Path:
    (manifest,) = (folder / "node_modules" / "@plaudit" / "client").rglob("persisted-documents.json")
    return manifest


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_the_package_runs_in_node_with_its_own_manifest(
    make_settings: Callable[..., Settings], installed: Path
) -> None:
    manifest = manifest_in(installed)
    async with community(make_settings, persisted_manifests=(manifest,), apq=False) as live:
        token = auth.mint(live.settings, "alice")
        url = f"http://{live.address}"
        printed = await asyncio.to_thread(run, installed, "node", "kit.mjs", PLAUDIT_URL=url, PLAUDIT_TOKEN=token)

    assert json.loads(printed) == {
        "functions": ["function"] * 5,
        "provider": True,
        "operations": len(json.loads(manifest.read_text())),
        "text": f"Tea number {POSTS - 1}",
        "likes": [0, 1],
        "degraded": [],
    }


def test_the_package_has_types(installed: Path) -> None:
    run(installed, str(TSC), *CHECKS.split(), "kit.ts")
