"""Gives the files of Postgres to an unused user id if this process runs as root, because Postgres refuses to run as
root.
"""

import grp
import os
import pwd
from pathlib import Path

from runner.launch import NOBODY, give

LAST = 61183
"""The highest user id that neither systemd nor distributions assign."""


def give_away(directory: Path) -> None:
    """Changes the owner of a directory and of all files in it to a user id that no account uses.

    Does nothing if this process does not run as root, or if the directory has another owner than root or user 65534.
    """
    if os.geteuid() != 0 or directory.stat().st_uid not in {0, NOBODY}:
        return
    taken = {user.pw_uid for user in pwd.getpwall()} | {group.gr_gid for group in grp.getgrall()}
    stand_in = next(number for number in range(LAST, 0, -1) if number not in taken)
    give(directory, stand_in)
