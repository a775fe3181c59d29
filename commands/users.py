"""Users: made on first sight or in bulk, found by identity, edited by themselves."""

import random
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import texts
from auth import Claims
from context import Context
from errors import BadInput, Refused, UserErrorCode
from loaders.shared import SharedLoaders
from models.users import UserRow
from state import State
from store import keys, users
from store.cache import UNFENCED
from store.postgres import Transaction
from store.redis import RedisDown
from store.users import Identity

MOST_USERS = 100
_LONGEST_NAME, _LONGEST_BIO = 64, 500


@dataclass(frozen=True, slots=True)
class NewUser:
    """What a registration says of a user. Unstorable names are dropped, wishes for a handle are bent to fit."""

    identity: Identity
    handle: str | None
    display_name: str | None
    avatar_url: str | None


async def identify(
    state: State, shared: SharedLoaders, claims: Claims, pay: Callable[[], Awaitable[None]] | None = None
) -> int:
    """The user a token speaks for; made on first sight, with the token's name and handle, once `pay` has returned."""
    identity = (claims.issuer, claims.subject)
    if identity in shared.signed_in:
        return shared.signed_in[identity]
    (user_id,) = await shared.identities.get_many([identity])
    if user_id is None:
        if pay:
            await pay()
        wish = NewUser(identity, claims.handle or claims.name, claims.name, None)
        (user_id,) = await ensure(state, [wish])
    shared.signed_in[identity] = user_id
    return user_id


async def ensure(state: State, wishes: Sequence[NewUser]) -> list[int]:
    """The users of these identities, in order; those nobody has seen before are made, in one transaction."""
    identities = sorted({wish.identity for wish in wishes})
    by_identity = {wish.identity: wish for wish in wishes}
    async with state.postgres.transaction() as transaction:
        handles = await _make(transaction, {i: (by_identity[i], state.new_id()) for i in identities})
        stale = [keys.identity(*identity) for identity in identities]
        fence = UNFENCED
        with suppress(RedisDown):  # of somebody new a cache says for half a minute, at most, that they are not there
            fence = await state.cache.fence(transaction, stale + [keys.handle(handle) for handle in handles])
    with suppress(RedisDown):
        await state.cache.unfence(fence)
    found = await users.by_identity(state.postgres, identities)
    return [found[wish.identity] for wish in wishes]


async def _make(transaction: Transaction, wishes: dict[Identity, tuple[NewUser, int]]) -> list[str]:
    """Makes the users whose identities nobody has yet. Returns their handles.

    Identities first and handles after them, each in order, so that two registrations never wait in a circle.
    """
    new = [wish for i, wish in wishes.items() if await users.claim_identity(transaction, i, wish[1])]
    new.sort(key=lambda one: _bent(one[0].handle or ""))
    return [await _insert(transaction, wish, user_id) for wish, user_id in new]


async def _insert(transaction: Transaction, wish: NewUser, user_id: int) -> str:
    """The profile under a free handle, which is returned."""
    handle = await _free_handle(transaction, _bent(wish.handle or ""), user_id)
    name = wish.display_name if wish.display_name and texts.is_storable(wish.display_name) else ""
    display_name = name.strip()[:_LONGEST_NAME].strip() or handle
    await users.insert(transaction, user_id, handle, display_name, wish.avatar_url)
    return handle


async def _free_handle(transaction: Transaction, wish: str, user_id: int) -> str:
    """The wished-for handle, or the wish with the shortest suffix that makes it unique."""
    for digits in (0, 2, 3, 4, 6, 8, 10):
        suffix = "".join(random.choices("0123456789", k=digits))  # noqa: S311 - not a secret
        handle = wish[: 30 - digits] + suffix
        if await users.claim_handle(transaction, handle, user_id):
            return handle
    raise RuntimeError("ten random digits were taken: this cannot be chance")


def _bent(wish: str) -> str:
    """The handle nearest to what somebody's identity provider calls them."""
    bent = re.sub(r"[^a-z0-9_]+", "_", wish.lower().split("@")[0]).strip("_")[:30]
    return bent if texts.HANDLE.fullmatch(bent) else "user"


@dataclass(frozen=True, slots=True)
class UserWish:
    """A user as the owner of an identity provider describes them."""

    external_id: str
    handle: str | None
    display_name: str | None
    avatar_url: str | None

    def checked(self, issuer: str, at: str) -> NewUser:
        """With every value in its stored form. Raises BadInput or Refused for one that cannot be stored."""
        name, avatar_url = self.display_name, self.avatar_url
        return NewUser(
            identity=(issuer, texts.name(self.external_id, "an external id")),
            handle=None if self.handle is None else texts.handle(self.handle, "users", at, "handle"),
            display_name=name and texts.written(name, _LONGEST_NAME, "users", at, "displayName"),
            avatar_url=None if avatar_url is None else texts.url(avatar_url, "users", at, "avatarUrl"),
        )


async def register(context: Context, wishes: Sequence[UserWish]) -> list[UserRow]:
    """Makes or finds up to a hundred users of the caller's own issuer. Profiles that exist stay as they are.

    Raises Forbidden without the scope, BadInput for none or too many, Refused for a handle, name or address that
    cannot be one. A taken handle gets a suffix.
    """
    issuer = context.require_scope("users:write").issuer
    if not 1 <= len(wishes) <= MOST_USERS:
        raise BadInput(f"Name 1 to {MOST_USERS} users.")
    ids = await ensure(context.state, [wish.checked(issuer, str(i)) for i, wish in enumerate(wishes)])
    context.forget()
    return [user for user in await context.loaders.users.load_many(ids) if user]


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """The fields to set, by their names in UserRow; absent ones stay as they are."""

    handle: str | None = None
    display_name: str | None = None
    bio: str | None = None
    sets_avatar: bool = False
    avatar_url: str | None = None

    def checked(self) -> "ProfileChange":
        """With every value in its stored form. Raises Refused for one that cannot be stored."""
        return replace(
            self,
            handle=None if self.handle is None else texts.handle(self.handle, "handle"),
            display_name=None
            if self.display_name is None
            else texts.written(self.display_name, _LONGEST_NAME, "displayName", empty=False),
            bio=None if self.bio is None else texts.written(self.bio, _LONGEST_BIO, "bio"),
            avatar_url=None if self.avatar_url is None else texts.url(self.avatar_url, "avatarUrl"),
        )

    def applied(self, user: UserRow) -> UserRow:
        """The profile after the change."""
        return replace(
            user,
            handle=user.handle if self.handle is None else self.handle,
            display_name=user.display_name if self.display_name is None else self.display_name,
            bio=user.bio if self.bio is None else self.bio,
            avatar_url=self.avatar_url if self.sets_avatar else user.avatar_url,
        )


async def update_profile(context: Context, change: ProfileChange) -> UserRow:
    """Edits the viewer's own profile.

    Raises Unauthenticated; Refused with HANDLE_TAKEN, or with what is wrong with a text.
    """
    user_id = context.require_viewer().user_id
    change = change.checked()
    cache = context.state.cache
    async with context.state.postgres.transaction() as transaction:
        before = await users.lock(transaction, user_id)
        assert before is not None  # every viewer has a row
        after = change.applied(before)
        if after.handle != before.handle:
            await _rename(transaction, before, after)
        await users.update(transaction, after)
        stale = {keys.user(user_id), keys.handle(before.handle), keys.handle(after.handle)}
        fence = await cache.fence(transaction, sorted(stale))
    await cache.unfence(fence)
    context.forget()
    return replace(after, version=before.version + 1)


async def _rename(transaction: Transaction, before: UserRow, after: UserRow) -> None:
    if not await users.claim_handle(transaction, after.handle, after.user_id):
        raise Refused.because(UserErrorCode.HANDLE_TAKEN, "Somebody else has this handle.", "handle")
    await users.release_handle(transaction, before.handle, before.user_id)
