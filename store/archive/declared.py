"""Keeps the objects that a checked archive would create in a temporary SQLite file, so that a check needs little
memory.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

_CREATE = "CREATE TABLE declared (kind TEXT, name TEXT, facts TEXT, PRIMARY KEY (kind, name)) WITHOUT ROWID"
_ADD = "INSERT OR IGNORE INTO declared VALUES (?, ?, ?)"
_READ = """
    SELECT name, facts FROM declared WHERE kind = ? AND name IN (SELECT value FROM json_each(?))
"""


class Declared:
    """The objects that an archive would create, by kind and name, in an SQLite file at `path`. An object has facts: a
    list of JSON values.
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", _CREATE):
            self._db.execute(statement)

    def add(self, kind: str, objects: Iterable[tuple[str, list[Any]]]) -> None:
        """Adds objects of a kind, given as (name, facts)."""
        self._db.execute("BEGIN")
        self._db.executemany(_ADD, ((kind, name, json.dumps(facts)) for name, facts in objects))
        self._db.execute("COMMIT")

    def read(self, kind: str, names: Collection[str]) -> dict[str, list[Any]]:
        """Returns the facts of those objects of a kind that were added, by name."""
        found = self._db.execute(_READ, (kind, json.dumps(sorted(names))))
        return {name: json.loads(facts) for name, facts in found}

    def close(self) -> None:
        """Closes the file."""
        self._db.close()
