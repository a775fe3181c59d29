"""What a caller's role allows, who pays for a request, and what HTTP says of it.

Enters: settings, the viewer and their address. Leaves: limits on documents, payers, headers. Nothing here waits.
A role is `anonymous`, `user`, or a scope of the viewer's token that settings have limits for.
"""

import ipaddress
import math
from dataclasses import dataclass, fields
from functools import lru_cache

from context import Viewer
from execution.limits import Limits
from settings import BudgetSettings, LimitSettings, RoleSettings
from store.accounts import Allowance, Payer

_NO_ADDRESS = "none"
"""Callers whose address is unknown pay together, or hiding it would pay off."""
_NETWORK_BITS = 64
"""What one household or machine is given of IPv6: its addresses are as many as it likes."""


@dataclass(frozen=True, slots=True)
class RoleLimits:
    """The largest documents a role may send, and the budget each of its callers has."""

    role: str
    document: Limits
    points: int
    points_per_second: float

    @classmethod
    def of(cls, role: str, settings: RoleSettings) -> "RoleLimits":
        document = Limits(**{field.name: getattr(settings, field.name) for field in fields(Limits)})
        return cls(role, document, settings.points, settings.points_per_second)


class Roles:
    """The roles of a deployment."""

    def __init__(self, settings: LimitSettings) -> None:
        self._ip: BudgetSettings = settings.ip
        self._anonymous = RoleLimits.of("anonymous", settings.anonymous)
        self._user = RoleLimits.of("user", settings.user)
        scopes = [RoleLimits.of(name, limits) for name, limits in settings.scopes.items()]
        self._scopes = sorted(scopes, key=lambda one: (one.points_per_second, one.points), reverse=True)

    def limits_of(self, viewer: Viewer | None) -> RoleLimits:
        """Those of the viewer's scope that is refilled fastest, else a user's, else an anonymous caller's."""
        if viewer is None:
            return self._anonymous
        return next((one for one in self._scopes if one.role in viewer.scopes), self._user)

    def payers_of(self, viewer: Viewer | None, ip: str | None) -> tuple[Payer, ...]:
        """Who is charged: the user, or whoever is anonymous at this address; and everybody at the address."""
        limits, address = self.limits_of(viewer), network(ip)
        caller = str(viewer.user_id) if viewer else address
        return (
            Payer(limits.role, caller, limits.points, limits.points_per_second),
            Payer("ip", address, self._ip.points, self._ip.points_per_second),
        )


@lru_cache(10_000)
def network(ip: str | None) -> str:
    """What counts as one address: IPv4's whole, IPv6's first half."""
    if ip is None:
        return _NO_ADDRESS
    address = ipaddress.ip_address(ip)
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(address), _NETWORK_BITS), strict=False))
    return str(address)


def headers(allowance: Allowance, now_ms: int) -> dict[str, str]:
    """The points a full budget holds, those left, and the seconds until it is full again."""
    return {
        "X-RateLimit-Limit": str(allowance.limit),
        "X-RateLimit-Remaining": str(allowance.remaining),
        "X-RateLimit-Reset": str(max(0, math.ceil((allowance.reset_at_ms - now_ms) / 1000))),
    }
