"""The versions of the site. Each has a folder. Beside the folders are a list, which the menu of versions reads, and a
page that leads to the latest version.
"""

import json
import re
from pathlib import Path

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:(a|b|rc)(\d+))?")
_STAGES = ("a", "b", "rc", None)
_START = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Plaudit</title>
<link rel="icon" href="{latest}/assets/images/favicon.png">
<meta http-equiv="refresh" content="0; url={latest}/index.html">
</head>
<body><p><a href="{latest}/index.html">Plaudit {latest}</a></p></body>
</html>
"""


def write_start(site: Path) -> None:
    """Writes `versions.json` and `index.html` for the versions that have a folder with a site. The latest version is
    the newest release or, without a release, the newest version.
    """
    versions = versions_in(site)
    latest = next((name for name in versions if name.replace(".", "").isdigit()), versions[0])
    listed = [{"version": name, "title": name, "aliases": ["latest"] * (name == latest)} for name in versions]
    (site / "versions.json").write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")
    (site / "index.html").write_text(_START.format(latest=latest), encoding="utf-8")


def versions_in(site: Path) -> list[str]:
    """Returns the versions that have a folder with a site, newest first."""
    found = {page.parent.name: _VERSION.fullmatch(page.parent.name) for page in site.glob("*/index.html")}
    keys = {name: _key(match) for name, match in found.items() if match}
    return sorted(keys, key=keys.__getitem__, reverse=True)


def _key(match: re.Match[str]) -> tuple[int, ...]:
    """Returns what versions are sorted by. Alpha, beta and candidate versions come before the release."""
    *numbers, stage, count = match.groups()
    return *map(int, numbers), _STAGES.index(stage), int(count or 0)
