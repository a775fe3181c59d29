"""Node and npm for tests of clients. Needs both on the PATH or in PLAUDIT_NODE_BIN, and npm's registry or its cache."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.deployment import ROOT

PATH = os.pathsep.join(filter(None, (os.environ.get("PLAUDIT_NODE_BIN"), os.environ.get("PATH", os.defpath))))
_MISSING = [program for program in ("node", "npm") if shutil.which(program, path=PATH) is None]
INSTALL_SECONDS = 600
SCRIPT_SECONDS = 60

needs_node = pytest.mark.skipif(
    bool(_MISSING), reason=f"{' and '.join(_MISSING)} neither on the PATH nor in PLAUDIT_NODE_BIN"
)

_COMPILER = ROOT / "node_modules" / ".bin" / "esbuild"
needs_compiler = pytest.mark.skipif(
    bool(_MISSING) or (not _COMPILER.exists() and "CI" not in os.environ),
    reason="Node is missing, or `npm ci` was not run in the root",
)


def compiled(source: Path, folder: Path) -> None:
    """Compiles a module of TypeScript to JavaScript, in the folder, for `import`."""
    run(ROOT, str(_COMPILER), str(source), "--bundle", "--format=esm", f"--outfile={folder / source.stem}.mjs")


def run(folder: Path, *words: str, seconds: float = SCRIPT_SECONDS, **environment: str) -> str:
    """Runs a program in a folder, which must succeed. Returns its output."""
    environment |= {**os.environ, "PATH": PATH}
    result = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert result.returncode == 0, f"{words}\n{result.stdout}\n{result.stderr}"
    return result.stdout
