"""Budgets and limits of a request: which document sizes a role allows, what each write counts as, and who is charged.

Input: settings, the caller, an operation. Output: limits for documents, charges, and HTTP headers. Nothing here waits
for a store. A role is `anonymous`, `user`, or a scope of the viewer's token for which settings have limits.
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
    **dict.fromkeys(("recordViews", "recordShares", "recordActions"), "records"),
    "updateProfile": "profiles",
    "markNotificationsRead": "notifications",
    "registerUsers": "users",
    "registerEntities": "entities",
    "moderate": "moderation",
}
"""The kind of write of each mutation, by the mutation's name."""
BULK = frozenset({"entities:write", "users:write"})
"""Scopes whose tokens may register a hundred users or entities in one request, so that bodies may be larger."""
_NAMED_BY = ("targetId", "subjectId", "commentId")
"""The input fields that hold the id of a target: its business is what the write counts for."""
_MOST_THINGS = 100
"""Targets that are counted. A command refuses a list that is longer, so the rest need not be counted."""

WriteCounts = Mapping[tuple[WriteKind, str], int]
"""The number of writes by kind and name of business; the name is empty for writes outside of any business."""


@dataclass(frozen=True, slots=True)
class RoleLimits:
    """The document limits of one role."""

    role: str
    document: Limits

    @classmethod
    def of(cls, role: str, settings: RoleSettings) -> "RoleLimits":
        document = Limits(**{field.name: getattr(settings, field.name) for field in fields(Limits)})
        return cls(role, document)


class Roles:
    """The roles of a deployment with their budgets, and the write quotas that businesses have of their own."""

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
        """Returns the limits of the viewer's scope with the fastest budget, else those of `user` or `anonymous`."""
        if viewer is None:
            return self._anonymous
        return next((one for one in self._scopes if one.role in viewer.scopes), self._user)

    def written(self, operation: DocumentOperation, variables: Mapping[str, Any]) -> WriteCounts:
        """Returns how many writes of each kind and business a mutation makes at most.

        Targets with a malformed id count for no business.
        """
        found: Counter[tuple[WriteKind, str]] = Counter()
        for call in calls(operation, variables):
            if kind := KINDS.get(call.field):
                found.update((kind, self._business(thing)) for thing in _things(call.arguments))
        return found

    def charges(self, viewer: Viewer | None, client: Client, cost: int, written: WriteCounts) -> list[Charge]:
        """Returns the charges of a request: for the user, or the address if anonymous; for the address; and for the
        device.

        A client can invent device ids or use those of others. So the device is only charged in addition, and for each
        address separately: a client cannot spend the budget of a device at another address.
        """
        role, address = self.limits_of(viewer).role, network(client.ip)
        charges = self._of(role, str(viewer.user_id) if viewer else address, cost, written)
        charges += self._of("ip", address, cost, written)
        if client.device and self._has_devices:
            charges += self._of("device", f"{digest(client.device)}@{address}", cost, written)
        return charges

    def address_charges(self, ip: str | None, cost: int) -> list[Charge]:
        """Returns the charges of an address for work that has no known caller."""
        return self._of("ip", network(ip), cost, {})

    def _of(self, name: str, whose: str, cost: int, written: WriteCounts) -> list[Charge]:
        """Returns the charges of one payer.

        Each business has a bucket of its own, so that quotas never cross businesses.
        """
        budget = self._budgets[name]
        charges = [Charge(Payer(name, whose, budget.points, budget.points_per_second), cost)]
        for (kind, business), count in written.items():
            rate = self._own.get((business, name, kind)) or budget.writes[kind]
            payer = Payer(f"{name}.{kind}", f"{business}:{whose}", rate.burst, rate.per_minute / 60)
            charges.append(Charge(payer, count))
        return charges

    def _business(self, thing: Any) -> str:
        """Returns the name of a target's business, or an empty text.

        A comment is written in the business of its subject.
        """
        named_by = next((name for name in _NAMED_BY if name in thing), "") if isinstance(thing, Mapping) else ""
        name = thing.get("business") if isinstance(thing, Mapping) else None
        match _parsed(thing[named_by] if named_by else thing):
            case CommentId(subject_business=subject) if named_by == "commentId":
                name = self._names.get(subject)
            case EntityId(business=business) | PostId(business=business) | CommentId(business=business):
                name = business
        return name if isinstance(name, str) and name in self._names.values() else ""


def _things(arguments: Mapping[str, Any]) -> list[Any]:
    """Returns the targets of a mutation: the items of its list, or its input.

    GraphQL allows a single item without a list.
    """
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
    """Returns the rate limit headers: the bucket's size, the points left, seconds until it is full, and the budget's
    name.
    """
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": str(max(0, math.ceil((allowance.reset_at_ms - now_ms) / 1000))),
        "X-RateLimit-Budget": allowance.budget,
    }
