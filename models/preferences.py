"""Preferences: choices of a user that requests read together with the user's blocks and mutes."""

from enum import IntEnum

from sqlalchemy import BigInteger, Boolean, SmallInteger

from models.base import column, key, table
from models.counters import EntityRef
from settings import USERS

PREFERENCE = "preference"
"""The value of `kind` of changes of preferences: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py). The set of a user has the preferences that are switched on.
"""


class Preference(IntEnum):
    """A choice that a user can switch on; by default, it is off. The numbers are stored: never reuse one."""

    TOPICS_IN_HOME = 1
    """Posts of the followed topics are in the home timeline."""
    HIDDEN_FROM_SEARCH = 2
    """Searches do not find the user."""

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of this preference as a member of users' own sets."""
        return EntityRef(USERS, self.value)


PREFERENCES_TABLE = table(
    "preferences",
    key("user_id", BigInteger),
    key("preference", SmallInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each preference that a user has ever changed. `stands` is true if it is on. A change with a newer version
replaces the row.
"""
