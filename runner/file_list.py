"""Prints the path of every source file of the product, with the first sentence of its docstring: `make files`."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

_SENTENCE = re.compile(r".+?\.(?=\s|$)", re.DOTALL)


def first_sentence(path: Path) -> str:
    """Returns the first sentence of a Python file's docstring, or of a Lua script's head comment."""
    text = path.read_text()
    if path.suffix == ".lua":
        described = " ".join(line[3:] for line in text.splitlines() if line.startswith("-- "))
    else:
        described = ast.get_docstring(ast.parse(text)) or ""
    sentence = _SENTENCE.match(described)
    return " ".join((sentence[0] if sentence else described).split())


def main() -> None:
    """Prints one line for each file that git knows, without tests and migrations."""
    git = shutil.which("git")
    assert git, "git is not on the PATH"
    listed = subprocess.run([git, "ls-files", "*.py", "*.lua"], check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if not name.startswith(("tests/", "alembic/versions/")):
            sys.stdout.write(f"{name}: {first_sentence(Path(name))}\n")


if __name__ == "__main__":
    main()
