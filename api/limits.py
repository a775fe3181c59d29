"""The limits of a caller's requests: the limits of documents, the charges of a request, and the rate limits of writes.

Input: settings, the caller, an operation. Output: limits for documents, charges, and HTTP headers. Nothing here waits
for a store.

Every caller has one role. The role is `anonymous` without a token; otherwise it is a scope of the token for which
settings have limits, or else `user`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any

from context import Client, Viewer
from domain.digests import digest
from domain.errors import BadInput
from domain.ids import CommentId, EntityId, PostId, parse_id
from execution.documents import DocumentOperation
from execution.limits import Limits
from identity.permissions import ADMIN
from models.devices import network
from schema import WRITES
from settings import Business, LimitSettings, Rate, RoleSettings, WriteKind
from store.budgets.charges import Allowance, Charge, Payer

BULK_SCOPES = frozenset({"entities:write", "users:write", ADMIN})
"""Scopes whose tokens may send a hundred users, entities or operations in one request, so the body may be larger."""
_TARGET_FIELDS = ("targetId", "subjectId", "commentId")
"""The input fields that hold the id of a target: the object that a write is about. A write is counted for the business
of its target.
"""
_MOST_TARGETS = 100
"""The most targets of one root field of a mutation that are counted. Commands refuse longer lists."""

WriteCounts = Mapping[tuple[WriteKind, str], int]
"""The number of writes by kind (such as `reactions`) and name of business (a line of content, such as `video`). The
name is empty for writes outside of any business.
"""


class CallerLimits:
    """Tells what a caller may spend and send. The settings give each role of callers (such as `anonymous` or `user`) a
    budget of points, rate limits of writes, and limits of documents. Each business (a line of content, such as videos)
    may have rate limits of its own for writes to its content.
    """

    def __init__(self, settings: LimitSettings, businesses: Sequence[Business] = ()) -> None:
        self._budgets = settings.budgets
        self._names = {business.id: business.name for business in businesses}
        self._business_rates: dict[tuple[str, str, str], Rate] = {
            (business.name, name, kind): rate
            for business in businesses
            for name, writes in business.writes.items()
            for kind, rate in writes.items()
        }
        self._has_devices = settings.device is not None
        scopes = settings.scopes
        self._fastest_scopes = sorted(
            scopes, key=lambda name: (scopes[name].points_per_second, scopes[name].points), reverse=True
        )
        roles: dict[str, RoleSettings] = {"anonymous": settings.anonymous, "user": settings.user, **scopes}
        self.document_limits = {
            name: Limits(**{field.name: getattr(role, field.name) for field in fields(Limits)})
            for name, role in roles.items()
        }
        """The limits of the documents that a caller may send, by role."""

    def role_of(self, viewer: Viewer | None) -> str:
        """Returns the role of a caller. Without a viewer, the role is `anonymous`. Otherwise it is a scope of the
        viewer's token for which settings have limits; of several such scopes, the one whose budget is refilled fastest.
        Without such a scope, the role is `user`.
        """
        if viewer is None:
            return "anonymous"
        if not viewer.scopes:
            return "user"
        return next((scope for scope in self._fastest_scopes if scope in viewer.scopes), "user")

    def count_writes(self, operation: DocumentOperation, variables: Mapping[str, Any]) -> WriteCounts:
        """Returns the largest number of writes that a mutation can make, by kind and business. Each target of a root
        field counts as one write, up to 100 targets. Targets with a malformed id count for no business.
        """
        found: defaultdict[tuple[WriteKind, str], int] = defaultdict(int)
        for call in operation.prepared.calls(variables):
            if kind := WRITES.get(f"Mutation.{call.field}"):
                targets = next(iter(call.arguments.values()), None)
                if isinstance(targets, dict) and "targetIds" in targets:
                    targets = targets["targetIds"]
                # GraphQL allows a single item in place of a list.
                for target in targets[:_MOST_TARGETS] if isinstance(targets, list) else [targets]:
                    found[kind, self._business(target)] += 1
        return found

    def charges(self, viewer: Viewer | None, client: Client, cost: int, write_counts: WriteCounts) -> list[Charge]:
        """Returns the charges of a request in up to three budgets: that of the caller's role, that of the address, and
        that of the device, if the client names one. Each budget has one charge of `cost` points, and one charge for
        each entry of `write_counts`. The user pays in the budget of the role; without a user, the address pays there
        too. A service that acts for a user pays in the budget `act` in place of the address.

        A client can invent device ids or use those of others. So a device is charged in addition to the address, and
        separately for each address: a client cannot spend the budget of a device at another address.
        """
        role, address = self.role_of(viewer), network(client.ip)
        charges = self._payer_charges(role, str(viewer.user_id) if viewer else address, cost, write_counts)
        if viewer and viewer.service_id is not None:
            charges += self._payer_charges("act", str(viewer.service_id), cost, write_counts)
        else:
            charges += self._payer_charges("ip", address, cost, write_counts)
        if client.device and self._has_devices:
            charges += self._payer_charges("device", f"{digest(client.device)}@{address}", cost, write_counts)
        return charges

    def address_charges(self, ip: str | None, cost: int) -> list[Charge]:
        """Returns the charges of a network address for work of `cost` points before the caller is known."""
        return self._payer_charges("ip", network(ip), cost, {})

    def _payer_charges(self, name: str, payer_id: str, cost: int, write_counts: WriteCounts) -> list[Charge]:
        """Returns the charges of one payer in the budget `name`: one of `cost` points, and one for each entry of
        `write_counts`. `payer_id` identifies the user, service, address or device that pays.

        The writes to each business are limited separately, so writes to one business never use up the limit of another.
        """
        budget = self._budgets[name]
        charges = [Charge(Payer(name, payer_id, budget.points, budget.points_per_second), cost)]
        for (kind, business), count in write_counts.items():
            rate = self._business_rates.get((business, name, kind)) or budget.writes[kind]
            payer = Payer(f"{name}.{kind}", f"{business}:{payer_id}", rate.burst, rate.per_minute / 60)
            charges.append(Charge(payer, count))
        return charges

    def _business(self, target: Any) -> str:
        """Returns the name of the business that a target belongs to, or an empty text if the target has no known
        business.

        Adding or deleting a comment counts for the business of the post or entity that the comment is about.
        """
        members = target if isinstance(target, dict) else {}
        id_field = next((name for name in _TARGET_FIELDS if name in members), None)
        id_, name = members[id_field] if id_field else target, members.get("business")
        with suppress(BadInput):
            match parse_id(id_) if isinstance(id_, str) else None:
                case CommentId(subject_business=subject) if id_field == "commentId":
                    name = self._names.get(subject)
                case EntityId(business=business) | PostId(business=business) | CommentId(business=business):
                    name = business
        return name if isinstance(name, str) and name in self._names.values() else ""


def headers(allowance: Allowance, now_ms: int) -> dict[str, str]:
    """Returns the rate limit headers that describe an allowance: the size of the budget, the points left, the seconds
    until the budget is full, and the name of the budget.
    """
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": str(max(0, math.ceil((allowance.reset_at_ms - now_ms) / 1000))),
        "X-RateLimit-Budget": allowance.budget,
    }
