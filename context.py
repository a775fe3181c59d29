"""One request: the caller, where the request came from, and the loaders that batch its reads."""

import asyncio
import math
import random
from collections.abc import Awaitable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from domain.degraded import Degraded
from domain.errors import AccountDeleted, RateLimited, Unauthenticated
from identity.permissions import ModeratorRole, check_role, check_scopes
from loaders.loader import release
from loaders.request.content import Content
from loaders.request.lists import Lists
from loaders.request.own import Own
from loaders.request.reader import Reader
from loaders.shared import SharedLoaders
from models.deletions import DeletionState
from models.devices import device_actor
from models.users import UserRow
from state import State
from store.budgets.charges import Allowance, Charge, Exhausted
from store.moderation.reviews import MODERATED
from store.write_log.journal import ACTING

ACT = "act"
"""The token scope that lets a service send requests on behalf of users."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The user of a request, and the user's rights.

    Usually the viewer is the user of the token, with the scopes of the token. If a service acts as another user, the
    viewer is that user, without scopes. `issuer` is the identity provider that issued the token. `businesses` has the
    names of the businesses (kinds of content, such as `video`) to which the token is restricted; None if it is not
    restricted.
    """

    user_id: int
    issuer: str
    scopes: frozenset[str]
    businesses: frozenset[str] | None
    expires: float = math.inf
    """When the token expires, in seconds since the Unix epoch. Long-lived connections are closed then."""
    service_id: int | None = None
    """The user id of the service that acts as the viewer, or None if the viewer sends the request."""
    subject: str = ""
    """The viewer's id at the identity provider."""
    role: ModeratorRole | None = None
    """The viewer's role in moderation; None for viewers who do not moderate, and if a service acts as the viewer."""
    age_band: str | None = None
    """The age band that the token states; None if it states none, and for a service that acts as the viewer."""


@dataclass(frozen=True, slots=True)
class Client:
    """The origin of a request: IP address, device id, kind of client. Each change that the request makes is recorded
    with its origin. `name` and `version` are those of the client's app, as the request states them, or empty.

    If a service acts for a user, `service_id` is the service's user id, and the recorded kind of client contains this
    id. The address is then not recorded, because it is not the user's.
    """

    ip: str | None = None
    device: str | None = None
    kind: str | None = None
    service_id: int | None = None
    name: str = ""
    version: str = ""
    languages: Sequence[str] = ()
    """The languages that the request wants (`Accept-Language`), the most wanted first."""

    @property
    def trace(self) -> dict[str, str | None]:
        """Returns the origin of the request as a journal entry (the record of a change) has it: the fields `ip`,
        `device` and `client`, the kind of client.
        """
        if self.service_id is None:
            return {"ip": self.ip, "device": self.device, "client": self.kind}
        kind = f"{ACTING}{self.service_id} {self.kind or ''}".rstrip()
        return {"ip": None, "device": self.device, "client": kind}


def deleted(viewer: UserRow) -> AccountDeleted:
    """Returns the error for a viewer whose account is being deleted or was deleted."""
    due_at = viewer.deleting.due_at if viewer.deleting and viewer.deletion == DeletionState.PENDING else None
    return AccountDeleted(f"{due_at:%Y-%m-%dT%H:%M:%SZ}" if due_at else None)


def _device(state: State, client: Client) -> int | None:
    """Returns the negative id of the device that sent an anonymous request, or None if the request names no device."""
    return device_actor(state.settings.signing_key, client.ip, client.device) if client.device else None


class Context:
    """The state of one request, passed to resolvers and commands.

    A subscription has one context for all its events, and calls `next_event` before each event.
    """

    def __init__(self, state: State, shared: SharedLoaders, viewer: Viewer | None, client: Client) -> None:
        self.state = state
        self.shared = shared
        self.viewer = viewer
        self.client = client
        self.origin: Mapping[str, str] = {}
        """The headers with which this request is forwarded to the other site; empty if there is none."""
        self.is_behind = False
        """Whether this site should not have answered this query, and did because the other site did not answer."""
        self.operation = "invalid"
        """The name of the request in metrics: its first root field, or `invalid` until the document is validated."""
        self.is_personal = True
        """Whether the answer may depend on the caller. True until the document is validated."""
        self.allowance: Allowance | None = None
        """The remaining budget of the caller after the charge for this request; None before the charge. If several
        budgets were charged, this is the one that can pay for the fewest further requests.
        """
        self.degraded = Degraded()
        """The fields of the response that are missing or incomplete because a store (Redis or Postgres) is down."""
        self.event_charges: Sequence[Charge] = ()
        """The charges to the caller for each event of a subscription: the budgets, and the points to take from each."""
        self.changed: Hashable = None
        """The changed object that the current event of a subscription is about. None before the first event."""
        self._charging: asyncio.Task[Allowance] | None = None
        self.is_for_deleted = False
        """Whether the operation may run although the viewer's account is being deleted."""
        self._account: Awaitable[Sequence[UserRow | Exception | None]] | None = None
        self.actor_id = viewer.user_id if viewer else _device(state, client)
        """The id under which the caller's changes and views are recorded: the user's id, else the negative id of the
        anonymous device, else None.
        """
        self.moderates: frozenset[str] = frozenset()
        """The names of the businesses whose content the viewer reads as a moderator: `post`, `comment`, both or none.
        All roles in moderation read the content; `has_role` says whether the viewer may also decide.
        """
        if viewer and viewer.role:
            self.moderates = frozenset(filter(self.is_for, MODERATED))
        known, allowed = state.businesses, viewer.businesses if viewer else None
        self._reader = Reader(
            viewer.user_id if viewer else None,
            self.actor_id,
            moderates=[known[name].id for name in self.moderates],
            businesses=None if allowed is None else {known[name].id for name in allowed if name in known},
            age_band=viewer.age_band if viewer else None,
        )
        self._replaced_loaders: tuple[object, ...] = ()
        self._load_anew(local=True)

    @property
    def account_id(self) -> int | None:
        """Returns the viewer's user id, for data that belongs to the whole account, such as notifications. Returns None
        if no user is signed in, or if the token is restricted to some businesses.
        """
        return self.viewer.user_id if self.viewer and self.viewer.businesses is None else None

    def is_for(self, business: str) -> bool:
        """Returns whether the viewer's token allows a business, by its name (L14 in requirements.md). Returns True
        without a viewer.
        """
        allowed = self.viewer.businesses if self.viewer else None
        return allowed is None or business in allowed

    def another(self) -> "Context":
        """Returns a new context with the same caller, for another operation over the same connection."""
        context = Context(self.state, self.shared, self.viewer, self.client)
        context.origin = self.origin
        return context

    def charge(self, charges: Sequence[Charge]) -> None:
        """Takes the points that this request costs from the caller's budgets. If this needs a round trip to Redis, only
        starts it; `charged` waits for the result.

        Raises RateLimited if a budget is known to be too low, BadInput if a charge is higher than a full budget.
        """
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
        """Waits for the charge that `charge` has started; call `charge` first. Returns what is left of the budget after
        the charge. Raises RateLimited if a budget is too low.
        """
        if self._charging:
            try:
                self.allowance = await asyncio.shield(self._charging)
            except Exhausted as error:
                self.allowance = error.allowance
                raise
        assert self.allowance is not None  # `charge` is called before anything is executed
        return self.allowance

    async def check_account(self) -> None:
        """Raises AccountDeleted if the viewer's account is being deleted, unless the operation is for deleted accounts.
        Does nothing if the profile cannot be read.

        If the account was deleted, raises Unauthenticated, and the process forgets which user the token identifies: a
        client that repeats the request with a token that was issued later becomes a new user.
        """
        if self.viewer and self._account:
            (viewer,) = await self._account
            if not isinstance(viewer, UserRow):
                return
            if viewer.deletion is None:
                self.shared.checked_accounts[viewer.user_id] = True
                return
            if viewer.deletion == DeletionState.DONE:
                self.shared.signed_in.pop((self.viewer.issuer, self.viewer.subject), None)
                raise Unauthenticated("This account was deleted. Sign in again.")
            if not self.is_for_deleted:
                raise deleted(viewer)

    async def next_event(self) -> None:
        """Prepares for the next event of a subscription: pays for the event, and lets all values be read again.

        If a budget is too low, waits until the budget has enough points. The values of the event are read after the
        wait, so they are never outdated.
        """
        while True:
            try:
                self.charge(self.event_charges)
                await self.charged()
                break
            except RateLimited as error:
                await asyncio.sleep((error.retry_after or 1.0) * random.uniform(1, 1.5))  # noqa: S311 - jitter
        self.forget()
        await self.catch_up()

    async def catch_up(self) -> None:
        """Waits until this process knows whether changes currently go through Redis or directly to Postgres (the write
        mode). Does nothing for a caller without token and device id, who cannot have made changes.

        Then starts to read the viewer's profile for `check_account`, in the round trip of the first values that the
        request reads, unless this process has just done so.

        Called before every answer and event, so that the caller sees the changes that other processes have acknowledged
        to this caller.
        """
        if self.actor_id is not None:
            await self.state.write_mode.catch_up()
        if self.viewer and self.viewer.user_id not in self.shared.checked_accounts:
            self._account = self.content.kept_users.ask([self.viewer.user_id], each=True)

    def forget(self) -> None:
        """Replaces the loaders, so that all values are read again, and none comes from this process's local cache.

        Called after a write, and before each event of a subscription.
        """
        release(*self._replaced_loaders)
        self._replaced_loaders = self.lists, self.own, self.content
        self._load_anew(local=False)

    def release(self) -> None:
        """Frees the memory of all loaders. Call it after the last use of the context."""
        release(self.lists, self.own, self.content, *self._replaced_loaders)

    def require_viewer(self) -> Viewer:
        """Returns the viewer. Raises Unauthenticated if the request has no token."""
        if self.viewer is None:
            raise Unauthenticated("Sign in to do this.")
        return self.viewer

    def require_scope(self, *scopes: str) -> Viewer:
        """Returns the viewer. Raises Unauthenticated if the request has no token, Forbidden if the viewer has none of
        these scopes.
        """
        viewer = self.require_viewer()
        check_scopes(viewer.scopes, scopes)
        return viewer

    def has_role(self, least: ModeratorRole) -> bool:
        """Returns whether the viewer has at least this role in moderation."""
        return self.viewer is not None and self.viewer.role is not None and self.viewer.role >= least

    def require_role(self, least: ModeratorRole) -> Viewer:
        """Returns the viewer. Raises Unauthenticated if the request has no token, Forbidden if the viewer does not have
        at least this role in moderation.
        """
        viewer = self.require_viewer()
        check_role(viewer.role, least)
        return viewer

    def _load_anew(self, *, local: bool) -> None:
        common = self.state, self.shared, self.degraded, self._reader, local
        self.lists = Lists(*common)
        self.own = Own(*common, self.lists)
        self.content = Content(*common, self.lists, self.own)
