"""Users: creates users at their first request or in bulk, finds users by identity, and edits profiles."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from commands import images, profile_rules, suspended
from context import Context
from domain import handles, languages, texts
from domain.errors import AccountDeleted, BadInput, Refused, UserErrorCode
from identity.claims import Claims
from loaders.shared import SharedLoaders
from models.profiles import ProfileField
from models.users import UserRow
from projections import outgoing
from state import State
from store.cache.values import UNFENCED
from store.moderation import word_lists
from store.outgoing.new_events import OutgoingEvents
from store.people import deletions, held_handles, users
from store.people.identities import Identity, claim_one, users_of
from store.postgres.client import Transaction
from store.redis.client import RedisDown

MOST_USERS = 100
_LONGEST_NAME, _LONGEST_BIO = 64, 500


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user to create. The user gets the first free handle of `handles`; if none is free, the first of them with
    digits appended. A display name that cannot be stored is dropped.

    If `is_trusted` is false, the user chose the handles and the name, and the external reviewer checks them.
    """

    identity: Identity
    handles: Sequence[str]
    display_name: str | None
    avatar_url: str | None
    is_trusted: bool = True


async def identify(
    state: State, shared: SharedLoaders, claims: Claims, pay: Callable[[], Awaitable[None]] | None = None
) -> int:
    """Returns the id of the user that the claims of a token identify. If the identity is unknown, calls `pay`, which
    charges for the creation, and creates the user. Remembers known identities in `shared`. Raises AccountDeleted if the
    user was deleted after the token was issued, PostgresDown, and what `pay` raises.
    """
    identity = (claims.issuer, claims.subject)
    user_id = await known(shared, identity)
    if user_id is None:
        if pay:
            await pay()
        await _check_not_deleted(state, identity, claims)
        await word_lists.follow(state.postgres, state.moderation)
        (user_id,) = await ensure(state, [_from_token(state, identity, claims)])
        shared.signed_in[identity] = user_id
    return user_id


async def _check_not_deleted(state: State, identity: Identity, claims: Claims) -> None:
    """Raises AccountDeleted if the user of an identity was deleted after the token was issued. Only a token that was
    issued later creates a new user.
    """
    deleted_ms = await deletions.deleted_ms(state.postgres, identity)
    if deleted_ms is not None and (claims.issued is None or claims.issued * 1000 <= deleted_ms):
        raise AccountDeleted


async def known(shared: SharedLoaders, identity: Identity) -> int | None:
    """Returns the id of the user who has an identity (issuer and subject of a token); None if the identity is unknown.
    Remembers known identities in `shared`.
    """
    if identity in shared.signed_in:
        return shared.signed_in[identity]
    (user_id,) = await shared.identities.get_many([identity])
    if user_id is not None:
        shared.signed_in[identity] = user_id
    return user_id


def _from_token(state: State, identity: Identity, claims: Claims) -> NewUser:
    """Returns the new user that a token describes. Leaves out names and handles that moderation or length rules refuse,
    and a picture that profiles may not show.
    """
    user = UserRow(state.new_id(), "", "", None, "", 0)
    picture = None
    with suppress(Refused):
        picture = claims.picture and images.check_url(state, claims.picture)

    def shown(name: str | None) -> str | None:
        """Returns a name in the form of a display name; None if it may not be one."""
        with suppress(Refused):
            line = name and texts.line(name[:_LONGEST_NAME], _LONGEST_NAME)
            if line and profile_rules.allows(state, replace(user, display_name=line), ProfileField.DISPLAY_NAME):
                return line
        return None

    def allowed(handle: str) -> bool:
        return profile_rules.allows(state, replace(user, handle=handle), ProfileField.HANDLE)

    separators = state.settings.people.handle_separators
    names = claims.handle, claims.name, claims.email
    candidates = handles.candidates(*names, separators=separators, allowed=allowed)
    named = claims.handle or ""
    is_address = "@" in named
    is_shown = not is_address and (handle := handles.from_name(named, separators)) and allowed(handle)
    name = shown(claims.name) or (shown(named) if is_shown else None)
    return NewUser(identity, candidates, name, picture, is_trusted=False)


async def ensure(state: State, new_users: Sequence[NewUser]) -> list[int]:
    """Returns the ids of the users that have the identities of `new_users`, in order. Creates users for unknown
    identities, in one transaction. Existing users stay unchanged.
    """
    identities = sorted({user.identity for user in new_users})
    by_identity = {user.identity: user for user in new_users}
    async with state.postgres.transaction() as transaction:
        made = await _make(state, transaction, {i: (by_identity[i], state.new_id()) for i in identities})
        fence = UNFENCED
        with suppress(RedisDown):  # at worst, caches say for half a minute that the new users do not exist
            fence = await users.fence_new(state.cache, transaction, identities, [user.handle for user in made])
        events_out = OutgoingEvents(state.keys.partition_of)
        for profile in made:
            outgoing.profile(events_out, profile, is_new=True)
        await events_out.write(transaction)
    with suppress(RedisDown):
        await state.cache.unfence(fence)
    found = await users_of(state.postgres, identities)
    return [found[user.identity] for user in new_users]


async def _make(
    state: State, transaction: Transaction, new_users: dict[Identity, tuple[NewUser, int]]
) -> list[UserRow]:
    """Creates the users whose identities are new, each with the id that `new_users` gives it. Returns their profiles.

    Claims identities before handles, each in sorted order, so that two concurrent registrations cannot deadlock.
    """
    new = [user for i, user in new_users.items() if await claim_one(transaction, i, user[1])]
    new.sort(key=lambda one: one[0].handles[0])
    return [await _insert(state, transaction, user, user_id) for user, user_id in new]


async def _insert(state: State, transaction: Transaction, user: NewUser, user_id: int) -> UserRow:
    """Inserts a profile under the first free handle, and queues its texts for the external reviewer unless the user is
    trusted. Returns the profile.
    """
    handle = await claim_handle(state, transaction, user.handles, user_id)
    name = user.display_name if user.display_name and texts.is_storable(user.display_name) else ""
    display_name = name.strip()[:_LONGEST_NAME].strip() or handle
    profile = UserRow(user_id, handle, display_name, user.avatar_url, bio="", version=1)
    await users.insert(transaction, profile)
    if not user.is_trusted:
        await profile_rules.ask_reviewer(state, transaction, user_id, [ProfileField.HANDLE, ProfileField.DISPLAY_NAME])
    return profile


async def claim_handle(state: State, transaction: Transaction, candidates: Sequence[str], user_id: int) -> str:
    """Claims a handle for a user, and returns the handle: the first free one of `candidates` or, if none is free, the
    first candidate with digits appended. Raises RuntimeError if none is free.
    """
    for handle in handles.with_suffixes(candidates):
        if await held_handles.claim(transaction, handle, user_id, state.settings.people.handle_hold):
            return handle
    raise RuntimeError("no free handle was found, even with ten random digits appended")


@dataclass(frozen=True, slots=True)
class UserData:
    """One user in the input of registerUsers, before the values are checked."""

    external_id: str
    handle: str | None
    display_name: str | None
    avatar_url: str | None

    def checked(self, state: State, issuer: str, at: str) -> NewUser:
        """Returns the user to create, with every value in the form in which it is stored. `issuer` is the identity
        provider of the external id, `at` the index of the user in the input. Raises BadInput or Refused for an invalid
        value.
        """
        name, picture = self.display_name, self.avatar_url
        separators = state.settings.people.handle_separators
        handle = None if self.handle is None else handles.checked(self.handle, "users", at, "handle")
        return NewUser(
            identity=(issuer, texts.identifier(self.external_id, "An external id")),
            handles=[handle] if handle else handles.candidates(name, separators=separators),
            display_name=name and texts.line(name, _LONGEST_NAME, "users", at, "displayName"),
            avatar_url=None if picture is None else images.check_url(state, picture, "users", at, "avatarUrl"),
        )


async def register(context: Context, new_users: Sequence[UserData]) -> list[UserRow]:
    """Creates up to 100 users of the caller's issuer. If a handle is taken, digits are appended to it. Existing users
    stay unchanged. Returns all users, in order.

    Raises Unauthenticated; Forbidden without the scope `users:write`; BadInput for no or too many users or an invalid
    external id; Refused for an invalid handle, name or URL.
    """
    issuer = context.require_scope("users:write").issuer
    if not 1 <= len(new_users) <= MOST_USERS:
        raise BadInput(f"Pass 1 to {MOST_USERS} users.")
    state = context.state
    ids = await ensure(state, [data.checked(state, issuer, str(i)) for i, data in enumerate(new_users)])
    context.forget()
    return [user for user in await context.content.kept_users.ask(ids) if user]


def checked_language(tag: str, *field: str) -> str:
    """Returns a language tag in its usual spelling, such as `zh-Hans`. Raises Refused, with `field` as the path of the
    input field, if it does not have the form of BCP 47.
    """
    found = languages.canonical(tag)
    if found is None:
        raise Refused.because(UserErrorCode.INVALID, "This is not a language tag such as en or zh-Hans.", *field)
    return found


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """The fields of a profile to set. A field that is None stays unchanged, except `avatar_url` if `sets_avatar` is
    true. An empty text in `custom` removes the custom data, and an empty text in `language` the language.
    """

    handle: str | None = None
    display_name: str | None = None
    bio: str | None = None
    sets_avatar: bool = False
    avatar_url: str | None = None
    is_private: bool | None = None
    custom: str | None = None
    age_band: str | None = None
    """The age band; an empty text removes it. Only services set it."""
    language: str | None = None

    def checked(self, state: State, *at: str, handle_rule: str = handles.RULE) -> "ProfileChange":
        """Returns a copy with every value in the form in which it is stored. Raises Refused for an invalid value. `at`
        is the path of the change in the input, and `handle_rule` the message about an invalid handle.
        """
        name, name_at = self.display_name, (*at, "displayName")
        if self.age_band and self.age_band not in state.labels.bands:
            raise Refused.because(UserErrorCode.INVALID, "This is not a configured age band.", *at, "ageBand")
        picture, picture_at = self.avatar_url, (*at, "avatarUrl")
        return replace(
            self,
            handle=None if self.handle is None else handles.checked(self.handle, *at, "handle", message=handle_rule),
            display_name=None if name is None else texts.line(name, _LONGEST_NAME, *name_at, empty=False),
            bio=None if self.bio is None else texts.user_text(self.bio, _LONGEST_BIO, *at, "bio"),
            avatar_url=None if picture is None else images.check_url(state, picture, *picture_at),
            language=self.language and checked_language(self.language, *at, "language"),
        )

    def applied(self, user: UserRow) -> UserRow:
        """Returns a copy of a profile with this change."""
        return replace(
            user,
            handle=user.handle if self.handle is None else self.handle,
            display_name=user.display_name if self.display_name is None else self.display_name,
            bio=user.bio if self.bio is None else self.bio,
            avatar_url=self.avatar_url if self.sets_avatar else user.avatar_url,
            is_private=user.is_private if self.is_private is None else self.is_private,
            custom=user.custom if self.custom is None else self.custom or None,
            age_band=user.age_band if self.age_band is None else self.age_band or None,
            language=user.language if self.language is None else self.language or None,
        )


async def update_profile(context: Context, change: ProfileChange) -> UserRow:
    """Edits the viewer's own profile. Returns the new profile.

    Raises Unauthenticated, Unavailable; Refused with SUSPENDED, HANDLE_TAKEN or TEXT_NOT_ALLOWED, or for an invalid
    value.
    """
    user_id = context.require_viewer().user_id
    state, cache = context.state, context.state.cache
    change = change.checked(state, handle_rule=handles.choice_rule(state.settings.people.handle_separators))
    async with state.postgres.transaction() as transaction:
        before = await users.lock(transaction, user_id)
        assert before is not None  # every viewer has a row
        suspended.check(context, before)
        after = change.applied(before)
        if after.handle != before.handle:
            await _check_choice(state, transaction, user_id, after.handle)
        await word_lists.follow(transaction, state.moderation)
        profile_rules.check(state, after, fields := profile_rules.changed(before, after))
        hold = state.settings.people.handle_hold
        if after.handle != before.handle and not await held_handles.change(
            transaction, user_id, before.handle, after.handle, hold
        ):
            message = "This handle belongs to another user, or did until recently."
            raise Refused.because(UserErrorCode.HANDLE_TAKEN, message, "handle")
        await users.update(transaction, before, after)
        await profile_rules.ask_reviewer(state, transaction, user_id, fields)
        fence = await users.fence_changed(cache, transaction, before, after)
        events_out = OutgoingEvents(state.keys.partition_of)
        outgoing.profile(events_out, after)
        await events_out.write(transaction)
    await cache.unfence(fence)
    context.forget()
    return replace(after, version=before.version + 1)


async def _check_choice(state: State, transaction: Transaction, user_id: int, handle: str) -> None:
    """Raises Refused for a handle that users may not choose, unless it is held for this user. So users can take back a
    former handle, such as one that a service assigned.
    """
    people = state.settings.people
    try:
        handles.check_choice(handle, people.handle_separators, "handle")
    except Refused:
        if (await held_handles.holders_in(transaction, [handle], people.handle_hold)).get(handle) != user_id:
            raise
