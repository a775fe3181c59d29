"""Reports: the reasons that reporters choose, the states of reports and notices, and the sources of cases in the
moderation queue.
"""

from enum import IntEnum, IntFlag

HIDDEN_BY_REPORTS = "reported by several users"
"""The reason that is stored with a post or comment that waits for approval because of the weight of its reports."""


class ReportReason(IntEnum):
    """The reason of a report. The numbers are stored: never reuse one."""

    SPAM = 1
    HARASSMENT = 2
    HATE = 3
    VIOLENCE = 4
    SEXUAL = 5
    SELF_HARM = 6
    MISINFORMATION = 7
    IMPERSONATION = 8
    INTELLECTUAL_PROPERTY = 9
    ILLEGAL = 10
    OTHER = 11


class ReportStatus(IntEnum):
    """The state of a report or notice. The numbers are stored: never reuse one."""

    OPEN = 0
    ACCEPTED = 1
    DISMISSED = 2
    MOOT = 3
    """The target was deleted before a moderator had decided."""


class CaseSource(IntFlag):
    """The reasons why something is in the moderation queue. The numbers are stored: never reuse one."""

    RULES = 1
    WORDS = 2
    REVIEWER = 4
    REPORTS = 8
    APPEAL = 16
    NOTICE = 32
