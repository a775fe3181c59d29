"""Statements of reasons: what a person is told about a restriction of content or of an account, and about the outcome
of a report.
"""

from enum import IntEnum


class Restriction(IntEnum):
    """What was done. The numbers are stored: never reuse one."""

    HELD = 1
    REJECTED = 2
    DELETED = 3
    SUSPENDED = 4
    WARNED = 5
    PROFILE_REJECTED = 6
    REPORT_DISMISSED = 7
    REPORT_ACCEPTED = 8
    LABELED = 9
    MADE_PRIVATE = 10


class FoundBy(IntEnum):
    """How the moderators learned about what they restricted. The numbers are stored: never reuse one."""

    REPORTS = 1
    AUTOMATED = 2
    NOTICE = 3
    OWN_INITIATIVE = 4


LIFTED_BY_APPEAL = frozenset({Restriction.SUSPENDED, Restriction.LABELED, Restriction.MADE_PRIVATE})
"""The restrictions that end when an appeal against them is granted with `decideAppeal`."""
APPEALABLE = frozenset(Restriction) - {Restriction.HELD, Restriction.REPORT_ACCEPTED}
"""The restrictions against which a person can appeal."""
