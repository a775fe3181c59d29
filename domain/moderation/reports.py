"""Reports: the reasons that reporters choose, and how much a report weighs.

The weight of reports orders the moderation queue. Reports hide nothing, unless the setting `hide_reported` says so.
"""

from dataclasses import dataclass
from enum import IntEnum, IntFlag

FULL_WEIGHT = 100
"""The weight of a report that gives no reason for doubt. Weights are whole numbers, so that their sums are exact."""
_DOUBTFUL_WEIGHT = 20
HIDDEN_BY_REPORTS = "reported by several users"
"""The reason that is stored with a post or comment that waits for approval because of the weight of its reports."""
_FEW_DECISIONS = 5
"""The number of decided reports of a reporter from which on the share of accepted ones matters."""
_RELIABLE_SHARE = 0.2


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
    """The state of a report. The numbers are stored: never reuse one."""

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


@dataclass(frozen=True, slots=True)
class Reporter:
    """The facts about a reporter from which the weight of a report follows."""

    is_new: bool
    """Whether the account is new (the setting `new_account`)."""
    accepted: int
    """How many of the reporter's earlier reports moderators accepted."""
    dismissed: int
    """How many of the reporter's earlier reports moderators dismissed."""
    from_same_network: int
    """How many open reports of the same target came from the reporter's network."""


def weight(reporter: Reporter) -> int:
    """Returns the weight of a report, 0 to FULL_WEIGHT.

    Reports from new accounts, and from reporters whose earlier reports were nearly all dismissed, weigh less. Each
    further report of a target from one network weighs half as much as the one before, so that a group of accounts
    behind one address weighs at most twice as much as one account.
    """
    decided = reporter.accepted + reporter.dismissed
    unreliable = decided >= _FEW_DECISIONS and reporter.accepted < decided * _RELIABLE_SHARE
    full = _DOUBTFUL_WEIGHT if reporter.is_new or unreliable else FULL_WEIGHT
    return full >> min(reporter.from_same_network, 16)
