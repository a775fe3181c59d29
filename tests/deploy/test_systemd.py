"""systemd accepts the kit's units. systemd itself does not run them here."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.kit import KIT

ANALYZE = shutil.which("systemd-analyze")
INSTANCES = {"plaudit-api@8001": "plaudit-api@", "plaudit-worker@19001": "plaudit-worker@", "plaudit-migrate": ""}

pytestmark = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not on the PATH: apt-get install systemd")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copies the units, with a program that exists here, as an operator does. Returns their folder."""
    folder = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(KIT / "systemd", folder)
    for file in folder.glob("*.service"):
        file.write_text(file.read_text().replace("/opt/plaudit/bin/plaudit", sys.executable))
    for name, template in INSTANCES.items():
        if template:
            (folder / f"{name}.service").symlink_to(f"{template}.service")
    return folder


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE
    return subprocess.run([ANALYZE, *words], check=False, capture_output=True, text=True, timeout=50)


@pytest.mark.parametrize("name", INSTANCES)
def test_systemd_understands_a_unit(installed: Path, name: str) -> None:
    found = analyzed("verify", "--man=no", str(installed / f"{name}.service"))

    about_us = [line for line in found.stderr.splitlines() if "plaudit" in line or str(installed) in line]
    assert (found.returncode, about_us) == (0, [])


@pytest.mark.parametrize("name", INSTANCES)
def test_a_unit_has_the_common_restrictions(installed: Path, name: str) -> None:
    root = installed.parents[2]
    found = analyzed("security", "--offline=yes", f"--root={root}", "--no-pager", f"{name}.service")

    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", found.stdout)
    assert exposure, found.stderr
    assert float(exposure[1]) < 2.0, found.stdout


def test_the_command_of_the_kit_uses_options_that_systemd_understands(installed: Path) -> None:
    script = (KIT / "bin" / "plaudit").read_text()
    options = re.findall(r"--(property|setenv)=(\S+)", script)
    lines = [value if kind == "property" else f"Environment={value}" for kind, value in options]
    unit = installed / "plaudit-command.service"
    unit.write_text("\n".join(["[Service]", f"ExecStart={sys.executable}", *lines, ""]))

    found = analyzed("verify", "--man=no", str(unit))

    assert (found.returncode, [line for line in found.stderr.splitlines() if str(unit) in line]) == (0, [])
    assert "Environment=TMPDIR=/var/tmp" in lines
