"""Lists the migrations of this version of Plaudit, without Alembic, which the processes of a deployment do not load."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "alembic"


@cache
def revisions() -> list[str]:
    """Returns the ids of all migrations, newest first. The name of each file begins with its id."""
    return sorted((file.name.partition("_")[0] for file in FOLDER.glob("versions/*_*.py")), reverse=True)


def newest_revision() -> str:
    """Returns the id of the newest migration."""
    return revisions()[0]
