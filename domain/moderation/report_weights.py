"""How much a report weighs.

The weight of reports orders the moderation queue. Reports hide nothing, unless the setting `hide_reported` says so.
"""

from dataclasses import dataclass

FULL_WEIGHT = 100
"""The weight of a report that gives no reason for doubt. Weights are whole numbers, so that their sums are exact."""
_DOUBTFUL_WEIGHT = 20
_FEW_DECISIONS = 5
"""The number of decided reports of a reporter from which on the share of accepted ones matters."""
_RELIABLE_SHARE = 0.2


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
