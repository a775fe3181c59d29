"""Generates the JSON Schemas of the records of an archive in docs/schemas. `python -m cli.reference` runs this module,
too.
"""

import json
from pathlib import Path

from archive.personal import PERSONAL_KINDS
from archive.records import KINDS

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Returns the JSON Schema of each kind of record by file name, such as `user.v1.json`."""
    return {
        f"{kind}.v1.json": json.dumps({"$schema": _DIALECT, **record.model_json_schema()}, indent=2) + "\n"
        for kind, record in {**KINDS, **PERSONAL_KINDS}.items()
    }


def write() -> None:
    """Writes the schemas to docs/schemas, and removes the files of kinds that no longer exist."""
    wanted = schemas()
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
