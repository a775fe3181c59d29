"""What a caller's role allows, what writes are counted as, who pays for a request, and what HTTP says of it.

Enters: settings, the caller, an operation. Leaves: limits on documents, charges, headers. Nothing here waits.
A role is `anonymous`, `user`, or a scope of the viewer's token that settings have limits for.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from context import Client, Viewer
from domain.digests import digest
from domain.errors import BadInput
from domain.ids import CommentId, EntityId, PostId, parse_id
from execution.calls import calls
from execution.documents import DocumentOperation
from execution.limits import Limits
from models.devices import network
from settings import Business, LimitSettings, Rate, RoleSettings, WriteKind
from store.budgets.reservations import Allowance, Charge, Payer

KINDS: dict[str, WriteKind] = {
    **dict.fromkeys(("like", "unlike", "dislike", "undislike"), "reactions"),
    **dict.fromkeys(("follow", "unfollow"), "follows"),
    **dict.fromkeys(("publishPost", "editPost", "deletePost"), "posts"),
    **dict.fromkeys(("addComment", "deleteComment"), "comments"),
    **dict.fromkeys(("recordViews", "recordShares"), "records"),
    "updateProfile": "profiles",
    "markNotificationsRead": "notifications",
    "registerUsers": "users",
    "registerEntities": "entities",
    "moderate": "moderation",
}
"""What every mutation does."""
BULK = frozenset({"entities:write", "users:write"})
"""Scopes with which one request may register a hundred things, each with long texts."""
_NAMED_BY = ("targetId", "subjectId", "commentId")
"""What the inputs call the id of something that is of a business."""
_MOST_THINGS = 100
"""A mutation with more is refused by its command, so that they need not be looked at."""

WriteCounts = Mapping[tuple[WriteKind, str], int]
"""How many writes of a kind, in a business; `""` where they are in none."""


@dataclass(frozen=True, slots=True)
class RoleLimits:
    """The largest documents a role may send."""

    role: str
    document: Limits

    @classmethod
    def of(cls, role: str, settings: RoleSettings) -> "RoleLimits":
        document = Limits(**{field.name: getattr(settings, field.name) for field in fields(Limits)})
        return cls(role, document)


class Roles:
    """The roles of a deployment, and the businesses that have quotas of their own."""

    def __init__(self, settings: LimitSettings, businesses: Sequence[Business] = ()) -> None:
        self._budgets = settings.budgets
        self._names = {business.id: business.name for business in businesses}
        self._own: dict[tuple[str, str, str], Rate] = {
            (business.name, name, kind): rate
            for business in businesses
            for name, writes in business.writes.items()
            for kind, rate in writes.items()
        }
        self._has_devices = settings.device is not None
        self._anonymous = RoleLimits.of("anonymous", settings.anonymous)
        self._user = RoleLimits.of("user", settings.user)
        scopes = settings.scopes
        fastest = sorted(scopes, key=lambda name: (scopes[name].points_per_second, scopes[name].points), reverse=True)
        self._scopes = [RoleLimits.of(name, scopes[name]) for name in fastest]

    def limits_of(self, viewer: Viewer | None) -> RoleLimits:
        """Those of the viewer's scope that is refilled fastest, else a user's, else an anonymous caller's."""
        if viewer is None:
            return self._anonymous
        return next((one for one in self._scopes if one.role in viewer.scopes), self._user)

    def written(self, operation: DocumentOperation, variables: Mapping[str, Any]) -> WriteCounts:
        """What a mutation writes, at most; things that are named wrongly count as of no business."""
        found: Counter[tuple[WriteKind, str]] = Counter()
        for call in calls(operation, variables):
            if kind := KINDS.get(call.field):
                found.update((kind, self._business(thing)) for thing in _things(call.arguments))
        return found

    def charges(self, viewer: Viewer | None, client: Client, cost: int, written: WriteCounts) -> list[Charge]:
        """What is paid by the user, or whoever is anonymous at this address; and besides by everybody at the address,
        and everybody there with the device.

        What a client calls its device it may make up, or know of others: that payer is only ever one more, and nobody
        pays for who is elsewhere.
        """
        role, address = self.limits_of(viewer).role, network(client.ip)
        charges = self._of(role, str(viewer.user_id) if viewer else address, cost, written)
        charges += self._of("ip", address, cost, written)
        if client.device and self._has_devices:
            charges += self._of("device", f"{digest(client.device)}@{address}", cost, written)
        return charges

    def address_charges(self, ip: str | None, cost: int) -> list[Charge]:
        """What an address pays for what comes from nobody in particular."""
        return self._of("ip", network(ip), cost, {})

    def _of(self, name: str, whose: str, cost: int, written: WriteCounts) -> list[Charge]:
        """One payer's. Quotas never cross businesses: each has a bucket of its own."""
        budget = self._budgets[name]
        charges = [Charge(Payer(name, whose, budget.points, budget.points_per_second), cost)]
        for (kind, business), count in written.items():
            rate = self._own.get((business, name, kind)) or budget.writes[kind]
            payer = Payer(f"{name}.{kind}", f"{business}:{whose}", rate.burst, rate.per_minute / 60)
            charges.append(Charge(payer, count))
        return charges

    def _business(self, thing: Any) -> str:
        """That of an id, or of what an input names. A comment is written in that of what it is about."""
        named_by = next((name for name in _NAMED_BY if name in thing), "") if isinstance(thing, Mapping) else ""
        name = thing.get("business") if isinstance(thing, Mapping) else None
        match _parsed(thing[named_by] if named_by else thing):
            case CommentId(subject_business=subject) if named_by == "commentId":
                name = self._names.get(subject)
            case EntityId(business=business) | PostId(business=business) | CommentId(business=business):
                name = business
        return name if isinstance(name, str) and name in self._names.values() else ""


def _things(arguments: Mapping[str, Any]) -> list[Any]:
    """What a mutation is about: the members of its list, or else its input. A list of one may come without brackets."""
    argument = next(iter(arguments.values()), None)
    if isinstance(argument, Mapping) and "targetIds" in argument:
        argument = argument["targetIds"]
    return argument[:_MOST_THINGS] if isinstance(argument, list) else [argument]


def _parsed(id_: Any) -> Any:
    try:
        return parse_id(id_) if isinstance(id_, str) else None
    except BadInput:
        return None


def headers(allowance: Allowance, now_ms: int) -> dict[str, str]:
    """What a full budget holds, what is left, the seconds until it is full again, and which it is."""
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": str(max(0, math.ceil((allowance.reset_at_ms - now_ms) / 1000))),
        "X-RateLimit-Budget": allowance.budget,
    }
