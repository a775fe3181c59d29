"""Preferences: choices of a user that requests read together with the user's blocks and mutes."""

from collections.abc import Iterable
from enum import IntEnum

from sqlalchemy import BigInteger, Boolean, SmallInteger

from domain.labels import Choice, LabelVisibility
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


_FIRST_CHOICE, _LAST_LABEL = 1000, 62
"""The number of the preference that stands for the first choice about the label with the id 0, and the highest id of a
label. Each label has as many numbers as there are visibilities.
"""
MOST = len(Preference) + (_LAST_LABEL + 1) * len(LabelVisibility)
"""The most preferences of a user."""


def number_of(choice: Choice) -> int:
    """Returns the number of the preference that a choice about a label is stored as."""
    return _FIRST_CHOICE + len(LabelVisibility) * choice.label + choice.visibility


def label_choices(preferences: Iterable[int]) -> frozenset[Choice]:
    """Returns the choices about labels among the numbers of preferences that a user has switched on."""
    found = (divmod(number - _FIRST_CHOICE, len(LabelVisibility)) for number in preferences)
    return frozenset(Choice(label, LabelVisibility(chosen)) for label, chosen in found if label >= 0)


def preference_ref(number: int) -> EntityRef:
    """Returns the reference of the preference with this number as a member of users' own sets. Raises ValueError for a
    number of no preference.
    """
    if not _FIRST_CHOICE <= number < _FIRST_CHOICE + (_LAST_LABEL + 1) * len(LabelVisibility):
        Preference(number)
    return EntityRef(USERS, number)


PREFERENCES_TABLE = table(
    "preferences",
    key("user_id", BigInteger),
    key("preference", SmallInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each preference that a user has ever changed. `preference` is a `Preference`, or the number of a choice
about a label (`number_of`). `stands` is true if it is on. A change with a newer version
replaces the row.
"""
