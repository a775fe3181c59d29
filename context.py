"""One request: who is calling, from where, and the loaders that batch what it asks for."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from domain.degraded import Degraded
from domain.errors import Forbidden, Unauthenticated
from loaders import Loaders
from loaders.shared import SharedLoaders
from models.devices import device_actor
from state import State
from store.budgets.reservations import Allowance, Charge, Exhausted
from store.moderation.queue import MODERATED

MODERATE = "moderate"
"""The scope of moderators."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The signed-in caller."""

    user_id: int
    issuer: str
    scopes: frozenset[str]
    businesses: frozenset[str] | None
    expires: float = math.inf
    """Until when whoever is connected may stay, in seconds since the Unix epoch."""


@dataclass(frozen=True, slots=True)
class Client:
    """Where the request came from, as the logs keep it: address, device id, kind of client."""

    ip: str | None = None
    device: str | None = None
    kind: str | None = None

    @property
    def trace(self) -> dict[str, str | None]:
        """The same by the names that entries of the journal have for it."""
        return {"ip": self.ip, "device": self.device, "client": self.kind}


class Context:
    """What resolvers and commands are handed. Lives for one request; a subscription is one, whose events `forget`."""

    def __init__(self, state: State, shared: SharedLoaders, viewer: Viewer | None, client: Client) -> None:
        self.state = state
        self.shared = shared
        self.viewer = viewer
        self.client = client
        self.operation = "invalid"
        """What metrics call this request: its first root field, once it is known to be one of the schema's."""
        self.is_personal = True
        """Whether the answer depends on who asks, as far as is known."""
        self.allowance: Allowance | None = None
        """What this request was charged, as far as is known."""
        self.degraded = Degraded()
        """What the answer lacks, as far as is known."""
        self._charging: asyncio.Task[Allowance] | None = None
        self.loaders = self._new_loaders(bypass_local_cache=False)

    @property
    def actor_id(self) -> int | None:
        """Who a view or share counts for: the user, else the anonymous device (negative), else nobody."""
        if self.viewer:
            return self.viewer.user_id
        device, secret = self.client.device, self.state.settings.signing_key
        return device_actor(secret, self.client.ip, device) if device else None

    @property
    def account_id(self) -> int | None:
        """Whose account the token is for as a whole: nobody's, where it is restricted to some businesses."""
        return self.viewer.user_id if self.viewer and self.viewer.businesses is None else None

    @property
    def moderates(self) -> frozenset[str]:
        """The businesses, of posts and of comments, of which the viewer may see what is not approved, and decide."""
        if self.viewer is None or MODERATE not in self.viewer.scopes:
            return frozenset()
        return frozenset(filter(self.is_for, MODERATED))

    def is_for(self, business: str) -> bool:
        """Whether the viewer's token, if there is one, is for this business too (L14)."""
        allowed = self.viewer.businesses if self.viewer else None
        return allowed is None or business in allowed

    def another(self) -> "Context":
        """The same caller's, for another request over the same connection."""
        return Context(self.state, self.shared, self.viewer, self.client)

    def charge(self, charges: Sequence[Charge]) -> None:
        """Charges this request, or begins to. Raises RateLimited where it is known that budgets do not hold as much."""
        try:
            charging = self.state.budgets.charge(charges)
        except Exhausted as error:
            self.allowance = error.allowance
            raise
        if isinstance(charging, Allowance):
            self.allowance, self._charging = charging, None
        else:
            self._charging = charging

    async def charged(self) -> Allowance:
        """What this request was charged. Raises RateLimited where its budgets do not hold as much."""
        if self._charging:
            try:
                self.allowance = await asyncio.shield(self._charging)
            except Exhausted as error:
                self.allowance = error.allowance
                raise
        assert self.allowance is not None  # whatever is executed has been charged
        return self.allowance

    async def catch_up(self) -> None:
        """Before an answer or an event: whoever has changes of their own is shown those that other processes have
        acknowledged (WriteModes.catch_up).
        """
        if self.actor_id is not None:
            await self.state.modes.catch_up()

    def forget(self) -> None:
        """After a write, and for each event of a subscription: everything is read anew."""
        self.loaders = self._new_loaders(bypass_local_cache=True)

    def require_viewer(self) -> Viewer:
        """The viewer. Raises Unauthenticated when nobody is signed in."""
        if self.viewer is None:
            raise Unauthenticated("Sign in to do this.")
        return self.viewer

    def require_scope(self, *scopes: str) -> Viewer:
        """The viewer, who must hold one of these scopes. Raises Unauthenticated or Forbidden."""
        viewer = self.require_viewer()
        if viewer.scopes.isdisjoint(scopes):
            raise Forbidden(f"This requires a token with the scope {' or '.join(scopes)}.")
        return viewer

    def _new_loaders(self, *, bypass_local_cache: bool) -> Loaders:
        viewer = self.viewer
        return Loaders(
            self.state,
            self.shared,
            self.degraded,
            viewer.user_id if viewer else None,
            self.actor_id,
            moderates=self.moderates,
            businesses=viewer.businesses if viewer else None,
            bypass_local_cache=bypass_local_cache,
        )
