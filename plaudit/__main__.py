"""Starts the command line: `plaudit`, or `python -m plaudit`.

In a wheel, all other packages lie beside this file, so that names such as `schema`, `settings` or `web` do not collide
with packages of other distributions (ADR 35). Only this process adds the folder to its import path.
"""

import sys
from pathlib import Path

_FOLDER = Path(__file__).parent


def main() -> None:
    """Runs the command line, and ends the process with the exit code of the command."""
    if (_FOLDER / "cli").is_dir():
        sys.path.insert(0, str(_FOLDER))
    from cli.main import app  # noqa: PLC0415 - the path must be complete first

    app()


if __name__ == "__main__":
    main()
