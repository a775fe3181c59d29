"""Tells the person at the terminal when the disk of the data directory is full, because both stores then refuse
changes.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

FULL_BYTES = 16 * 1024 * 1024
"""The free space in bytes below which the disk counts as full. A file of Postgres's write-ahead log has this size."""


class Space:
    """Watches the free space on the disk of `folder`. `say` receives a line when the disk becomes full, and another
    when it has space again.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        self._full = False

    def look(self) -> None:
        """Checks the free space now, and calls `say` if it has become too low, or is enough again."""
        full = shutil.disk_usage(self._folder).free < FULL_BYTES
        if full and not self._full:
            self._say(f"The disk of {self._folder} is full, so changes are refused until it has space.")
        elif self._full and not full:
            self._say(f"The disk of {self._folder} has space again.")
        self._full = full
