"""`plaudit new`: makes a folder with a small page that uses Plaudit."""

import re
import sys
from pathlib import Path

from runner.errors import RunnerError

_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")
_STARTER = Path(__file__).with_name("starter")
_NAMES = {"gitignore": ".gitignore"}
_TAKEN = ("post", "comment", "user", "topic", "collection")
"""The names of Plaudit's own kinds of content, which a business cannot have."""


def make(name: str, where: Path) -> Path:
    """Makes the folder `name` in the folder `where`. Returns its path. Raises RunnerError, and makes nothing, if the
    name is invalid or exists already; OSError if files cannot be written.
    """
    if not _NAME.fullmatch(name) or name.endswith("-"):
        raise RunnerError(
            f"{name[:100]!r} cannot be the name. Use 1 to 31 lower-case letters, digits and hyphens, a letter first."
        )
    if name in _TAKEN:
        raise RunnerError(f"{name} is a name of Plaudit's own. Choose another name.")
    folder = where / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise RunnerError(f"{folder} exists already. Choose another name, or remove it.") from None
    values = {"@NAME@": name, "@BUSINESS@": name.replace("-", "_"), "@PROGRAMS@": str(Path(sys.executable).parent)}
    for file in sorted(_STARTER.rglob("*")):
        target = folder / file.relative_to(_STARTER).with_name(_NAMES.get(file.name, file.name))
        if file.is_dir():
            target.mkdir()
            continue
        text = file.read_text(encoding="utf-8")
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        target.write_text(text, encoding="utf-8")
    return folder
