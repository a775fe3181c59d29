"""Builds the docs of this version: `python -m ops.site <program zensical> <folder of all versions>`. Fails at a broken
link.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from ops.site.pages import ROOT, stage
from ops.site.versions import write_start

_SETTINGS = Path(__file__).parent / "mkdocs.yml"


def build(zensical: str, site: Path) -> None:
    """Writes the docs to the folder of their version in `site`, whose earlier files are removed. The folders of other
    versions stay. Raises `CalledProcessError` for a broken link, and then changes nothing.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    with tempfile.TemporaryDirectory() as work:
        pages = Path(work) / "pages"
        pages.mkdir()
        added = {"site_name": f"Plaudit {version}", "docs_dir": "pages", "site_dir": "site", "nav": stage(pages)}
        lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in added.items()]
        settings = _SETTINGS.read_text(encoding="utf-8") + "\n".join(lines) + "\n"
        (Path(work) / "mkdocs.yml").write_text(settings, encoding="utf-8")
        subprocess.run([zensical, "build", "--strict"], cwd=work, check=True)  # noqa: S603
        shutil.rmtree(site / version, ignore_errors=True)
        site.mkdir(parents=True, exist_ok=True)
        shutil.move(Path(work) / "site", site / version)
    write_start(site)


if __name__ == "__main__":
    build(str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]))
