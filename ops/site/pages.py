"""The pages of the site: a copy of the Markdown files with their links, and the menu.

The copy has the folders of the repository, so links between pages stay as they are. A link to a source file leads to a
copy of it that ends with `.txt`, which every browser shows. A link to a folder leads to a list of its files.
"""

import functools
import re
import shutil
from pathlib import Path
from typing import Any

from ops.site.schema_reference import reference

ROOT = Path(__file__).parents[2]
ASSETS = Path(__file__).parent / "assets"
TOP = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
SCHEMA = "docs/reference/schema"
"""The folder of the schema reference, which `/schema.graphql` becomes a link to."""

_FENCE = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\()\s*([^)\s#]+)((?:#[^)\s]+)?\))")
_SECTION = re.compile(r"^## (.*?)(?:: `\w+/`)?\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^(?:-|\|(?: \d+ \|)?) \[([^]]+)\]\(([^)#\s]+)\)", re.MULTILINE)
_ITEM = re.compile(r"([-*]|\d+\.) +")
_SHOWN = {".png", ".svg", ".json"}
"""The endings of files that browsers show under their own names."""

Menu = list[dict[str, Any]]


def stage(folder: Path) -> Menu:
    """Writes all pages to an empty folder. Returns the menu."""
    _Copy(folder).run()
    shutil.copytree(ASSETS, folder / "assets")
    shutil.copytree(ROOT / "docs", folder / "docs", dirs_exist_ok=True, ignore=_all_but_pictures)
    for name, text in reference((ROOT / "schema.graphql").read_text(encoding="utf-8")).items():
        _write(folder / SCHEMA / name, text)
    return menu()


def menu() -> Menu:
    """Returns the menu: the pages that docs/README.md lists, in its order, and the lists of the folders below it."""
    entries: Menu = [{"Plaudit": "README.md"}, {"All pages": "docs/README.md"}]
    for title, text in _SECTION.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")):
        entries.append({title: [_entry(name, target) for name, target in _ROW.findall(text)]})
    entries.append({"Changes": [{"Changelog": "CHANGELOG.md"}, {"Contributing": "CONTRIBUTING.md"}]})
    return entries


def _entry(title: str, target: str) -> dict[str, Any]:
    path = (ROOT / "docs" / target).resolve().relative_to(ROOT)
    if path.name == "schema.graphql":
        return {title: [f"{SCHEMA}/README.md", *(f"{SCHEMA}/{name}" for name in _schema_pages())]}
    if path.name != "README.md":
        return {title: str(path)}
    rows = _ROW.findall((ROOT / path).read_text(encoding="utf-8"))
    return {title: [str(path), *({name: str(path.parent / page)} for name, page in rows)]}


def _schema_pages() -> list[str]:
    names = reference((ROOT / "schema.graphql").read_text(encoding="utf-8"))
    return [name for name in names if name != "README.md"]


class _Copy:
    """Copies pages and everything that they link to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting = [ROOT / name for name in TOP] + sorted((ROOT / "docs").rglob("*.md"))
        self._known = set(self._waiting)

    def run(self) -> None:
        while self._waiting:
            page = self._waiting.pop()
            parts = _FENCE.split(page.read_text(encoding="utf-8"))
            parts[::2] = [_LINK.sub(functools.partial(self._link, page), part) for part in parts[::2]]
            _write(self._folder / page.relative_to(ROOT), with_wide_lists("".join(parts)))

    def _link(self, page: Path, link: re.Match[str]) -> str:
        before, target, after = link.groups()
        goal = (page.parent / target).resolve()
        if re.match(r"[a-z]+:", target) or not goal.exists():
            return link[0]
        up = "../" * len(page.parent.relative_to(ROOT).parts)
        return f"{before}{up}{self._copied(goal)}{after}"

    def _copied(self, goal: Path) -> str:
        """Copies the target of a link. Returns its path in the copy."""
        path = goal.relative_to(ROOT)
        if goal == ROOT / "schema.graphql":
            return f"{SCHEMA}/README.md"
        if goal.is_dir() and not (goal / "README.md").exists():
            return self._list(goal)
        if goal.is_dir():
            goal, path = goal / "README.md", path / "README.md"
        if goal.suffix == ".md":
            if goal not in self._known:
                self._known.add(goal)
                self._waiting.append(goal)
            return str(path)
        if goal.suffix not in _SHOWN:
            path = path.with_name(path.name.lstrip(".") + ".txt")
        (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(goal, self._folder / path)
        return str(path)

    def _list(self, folder: Path) -> str:
        """Writes a page with the files of a folder. Returns its path in the copy."""
        path = folder.relative_to(ROOT) / "files.md"
        if folder not in self._known:
            self._known.add(folder)
            up = "../" * len(path.parent.parts)
            files = sorted(file for file in folder.iterdir() if file.name not in ("__pycache__", "files.md"))
            rows = [f"- [{file.name}]({up}{self._copied(file)})" for file in files]
            _write(self._folder / path, f"# {folder.relative_to(ROOT)}\n\n" + "\n".join(rows) + "\n")
        return str(path)


def with_wide_lists(text: str) -> str:
    """Returns a text in which everything below an item of a list is indented by four spaces, as the generator needs."""
    return "\n".join(_widened(text.split("\n")))


def _widened(lines: list[str]) -> list[str]:
    done: list[str] = []
    inner: list[str] = []
    width, in_code = 0, False
    for line in lines:
        if width and (line.startswith(" " * width) or not line):
            inner.append(line[width:])
            continue
        done += _indented(inner)
        inner = []
        in_code ^= line.startswith("```")
        item = None if in_code else _ITEM.match(line)
        width = len(item[0]) if item else 0
        done.append(line)
    return done + _indented(inner)


def _indented(lines: list[str]) -> list[str]:
    return [line and "    " + line for line in _widened(lines)] if lines else []


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _all_but_pictures(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not (Path(folder) / name).is_dir() and not name.endswith((".png", ".svg"))]
