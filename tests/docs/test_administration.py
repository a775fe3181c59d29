"""The commands of the guide to the administration API run as they stand there, against a real API."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from identity import auth
from tests.support.persisted_operations import ME, TYPE, manifest
from tests.support.subscriptions import Live

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

GUIDE = (Path(__file__).parents[2] / "docs" / "build" / "administration.md").read_text()


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    return str(text)


def run(live: Live, folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder, with the variables that the guide names and no access to stores."""
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PLAUDIT_API_URL": f"http://{live.address}",
        "PLAUDIT_API_TOKEN": auth.mint(live.settings, "ci", scopes=["admin"]),
        "GITHUB_SHA": "3be4abb81fa595e25eb725b2c6a87508a1b2c3d4",
        "COLUMNS": "200",
    }
    return subprocess.run(
        ["/bin/bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not (shutil.which("jq") and shutil.which("curl")), reason="needs jq and curl")
async def test_the_commands_with_curl_import_a_manifest_and_fail_for_a_bad_one(live: Live, tmp_path: Path) -> None:
    manifest(tmp_path, "persisted-documents.json", me=ME, type=TYPE)
    imported = await asyncio.to_thread(run, live, tmp_path, block("bash"))
    shown = re.search(r"^```json\n(\{\n.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    assert shown
    assert (imported.returncode, imported.stdout) == (0, shown[1]), imported.stderr

    manifest(tmp_path, "persisted-documents.json", me="{ nothing }")
    refused = await asyncio.to_thread(run, live, tmp_path, block("bash"))
    assert refused.returncode != 0
    printed = json.loads(refused.stdout.rpartition("false")[0])
    shown = re.search(r"^```json\n(\{ .*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    assert shown
    assert printed["userErrors"] == [json.loads(shown[1])]


async def test_the_steps_of_the_job_check_and_import_a_manifest(live: Live, tmp_path: Path) -> None:
    manifest(tmp_path, "persisted-documents.json", me=ME, type=TYPE)
    job = yaml.safe_load(block("yaml"))["jobs"]["operations"]
    assert job["env"].keys() == {"PLAUDIT_API_URL", "PLAUDIT_API_TOKEN"}
    steps = [step["run"] for step in job["steps"] if step.get("run", "").startswith("plaudit ")]
    assert len(steps) == 2

    checked, imported = [await asyncio.to_thread(run, live, tmp_path, step) for step in steps]

    assert (checked.returncode, "│ Me" in checked.stdout) == (0, True), checked.stderr
    assert (imported.returncode, imported.stdout) == (0, "New: 2. Already imported: 0.\n"), imported.stderr
    listed = await asyncio.to_thread(run, live, tmp_path, "plaudit persisted versions --json")
    assert [(one["client"], one["version"][:7]) for one in json.loads(listed.stdout)] == [("web", "3be4abb")]
