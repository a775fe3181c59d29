"""Checks the import rules in pyproject.toml, which say which packages may import which.

import-linter accepts packages only, but some of our layers are single files (app.py, context.py …). It therefore checks
a copy in which `context.py` is a package `context`. The copy has the same module names and imports.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "pyproject.toml"


def main() -> int:
    """Runs import-linter, which prints a report. Returns its exit code, which is 0 if all rules hold."""
    packages = tomllib.loads(CONFIG.read_text())["tool"]["importlinter"]["root_packages"]
    with tempfile.TemporaryDirectory() as copy:
        for package in packages:
            _show(package, Path(copy) / package)
        linter = Path(sys.executable).with_name("lint-imports")
        command = [str(linter), "--config", str(CONFIG), "--no-cache", "--no-logo"]
        return subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": copy}, check=False).returncode


def _show(package: str, copy: Path) -> None:
    if (ROOT / package).is_dir():
        shutil.copytree(ROOT / package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        copy.mkdir()
        shutil.copyfile(ROOT / f"{package}.py", copy / "__init__.py")
    (copy / "__init__.py").touch()


if __name__ == "__main__":
    sys.exit(main())
