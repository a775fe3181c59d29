"""upsertUsers: creates users, or changes existing ones, so that they are as in the product's own system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from commands import profile_rules
from commands.users import MOST_USERS, ProfileChange, claim_handle
from context import Context
from domain import handles, texts
from domain.errors import BadInput, Refused, Unavailable, UserError, UserErrorCode
from models.base import ms
from models.deletions import DeletionState
from models.users import UserRow
from projections import outgoing
from state import State
from store.archive import imported_ids, new_ids
from store.moderation import profile_reviews
from store.outgoing.new_events import OutgoingEvents
from store.people import held_handles, identities, users
from store.people.identities import Identity
from store.postgres.client import Transaction, again_after_deadlock

_HOLD = 0.0
"""Seconds for which a handle that a user gave up is kept from other users. Zero, because the product's own system
decides who has a handle.
"""
_EARLIEST_MS = ms(datetime(2000, 1, 1, tzinfo=UTC))
"""The earliest time at which a user can have joined."""


@dataclass(frozen=True, slots=True)
class UserUpsert:
    """One user in the input of upsertUsers, before the values are checked."""

    external_id: str
    change: ProfileChange
    created_at: datetime | None = None
    """When a new user joined; None: now. The id of the user contains this time."""


@dataclass(slots=True)
class _Batch:
    """The changes to the users in one request, by the user's identity (issuer and external id). `errors` has the errors
    of users who are left unchanged.
    """

    separators: str
    """The separators that may be in handles made of names (`handle_separators`)."""
    changes: dict[Identity, ProfileChange] = field(default_factory=dict)
    paths: dict[Identity, tuple[str, str]] = field(default_factory=dict)
    """The path of each user in the input, such as `("users", "0")`."""
    created: dict[Identity, int] = field(default_factory=dict)
    """When users joined, in milliseconds since the Unix epoch. Lacks users whose input does not say it."""
    errors: list[UserError] = field(default_factory=list)

    def refuse_handle(self, identity: Identity) -> None:
        """Adds an error for a user whose new handle belongs to another user."""
        message = "Another user has this handle."
        self.errors.append(UserError(UserErrorCode.HANDLE_TAKEN, message, (*self.paths[identity], "handle")))

    def in_order(self) -> list[tuple[Identity, ProfileChange]]:
        """Returns the identity and the change of each user, sorted by the first handle that the user gets or tries.
        Concurrent requests then claim handles in the same order, and do not deadlock.
        """
        return sorted(self.changes.items(), key=lambda one: (_handles(one[1], self.separators)[0], one[0]))


async def upsert(context: Context, items: Sequence[UserUpsert]) -> tuple[list[UserRow | None], list[UserError]]:
    """Creates and changes up to 100 users of the caller's issuer. Returns the users and the errors, both in the order
    of the items. An item with an error changes nothing and has None in place of its user; the other items are written
    in one transaction.

    Raises Unauthenticated, Forbidden without the scope `users:write`, BadInput for no or too many items, Unavailable.
    """
    issuer = context.require_scope("users:write").issuer
    if not 1 <= len(items) <= MOST_USERS:
        raise BadInput(f"Pass 1 to {MOST_USERS} users.")
    batch = _Batch(context.state.settings.people.handle_separators)
    wanted = [_add(context.state, batch, issuer, item, ("users", str(i))) for i, item in enumerate(items)]
    ids = await _write_again(context.state, batch) if batch.changes else {}
    context.forget()
    found = await context.content.kept_users.ask([ids[one] for one in wanted if one in ids])
    by_id = {user.user_id: user for user in found if user}
    batch.errors.sort(key=_item)
    return [by_id.get(ids[one]) if one in ids else None for one in wanted], batch.errors


def _item(error: UserError) -> int:
    assert error.field
    return int(error.field[1])


def _add(state: State, batch: _Batch, issuer: str, item: UserUpsert, at: tuple[str, str]) -> Identity | None:
    """Adds an item of the input to the batch and returns the identity of its user. For an invalid item, adds its errors
    instead and returns None. `at` is the path of the item in the input.
    """
    try:
        identity = issuer, texts.identifier(item.external_id, "An external id")
        change = item.change.checked(state, *at)
        created_ms = None if item.created_at is None else _checked_time(state, item.created_at, *at)
    except BadInput as error:
        batch.errors.append(UserError(UserErrorCode.INVALID, error.message, (*at, "externalId")))
        return None
    except Refused as refused:
        batch.errors += refused.errors
        return None
    if identity in batch.changes:
        message = "A user is listed twice."
        batch.errors.append(UserError(UserErrorCode.INVALID, message, (*at, "externalId")))
        return None
    batch.changes[identity], batch.paths[identity] = change, at
    if created_ms is not None:
        batch.created[identity] = created_ms
    return identity


def _checked_time(state: State, time: datetime, *at: str) -> int:
    """Returns the time at which a user joined, in milliseconds since the Unix epoch. Raises Refused if it is in the
    future or before the year 2000.
    """
    if not _EARLIEST_MS <= ms(time) <= state.now_ms():
        message = "createdAt must be in the past, and not before the year 2000."
        raise Refused.because(UserErrorCode.INVALID, message, *at, "createdAt")
    return ms(time)


async def _write_again(state: State, batch: _Batch) -> dict[Identity, int]:
    """Commits the batch, again after each deadlock. Deadlocks are possible: a user may try several handles, and handles
    that users give up are in no order. Returns the user id of each identity, without the users who were refused.
    """
    refused = len(batch.errors)

    async def write() -> dict[Identity, int]:
        del batch.errors[refused:]
        return await _write(state, batch)

    return await again_after_deadlock(write)


async def _write(state: State, batch: _Batch) -> dict[Identity, int]:
    """Commits the batch. Returns the user id of each identity, without the users who were refused because another user
    has the handle. Adds the errors of these users to the batch.

    Locks identities, then profiles, then handles, each of them in order.
    """
    events_out = OutgoingEvents(state.keys.partition_of)
    async with state.postgres.transaction() as transaction:
        new = await _new_ids(state, transaction, batch)
        ids = await identities.claim(transaction, new)
        known = {ids[identity]: change for identity, change in batch.changes.items() if ids[identity] != new[identity]}
        rows = await _lock_changed(transaction, known) if known else {}
        stale: set[str] = set()
        for identity, change in batch.in_order():
            user_id = ids[identity]
            changed = await _upsert(state, transaction, identity, rows.get(user_id), user_id, change, events_out)
            if changed is None:
                batch.refuse_handle(identity)
                del ids[identity]
                if user_id not in rows:
                    await identities.release(transaction, identity, user_id)
            stale |= changed or set()
        fence = await state.cache.fence(transaction, sorted(stale))
        await events_out.write(transaction)
    await state.cache.unfence(fence)
    return ids


async def _new_ids(state: State, transaction: Transaction, batch: _Batch) -> dict[Identity, int]:
    """Returns an id for each user, in case the user is new."""
    found = {identity: state.new_id() for identity in batch.changes}
    if batch.created:
        await imported_ids.hold(transaction)
        times = {"\n".join(identity): created_ms for identity, created_ms in batch.created.items()}
        chosen = await new_ids.choose(times, partial(imported_ids.taken, transaction, "users"))
        found |= {identity: chosen["\n".join(identity)] for identity in batch.created}
    return found


async def _lock_changed(transaction: Transaction, changes: Mapping[int, ProfileChange]) -> dict[int, UserRow]:
    """Returns the profiles of the users in `changes`, by id. Locks the rows of users whose profile will differ
    afterwards, in the order of the ids.
    """
    rows = await users.by_id_in(transaction, list(changes))
    for user_id in sorted(rows):
        if changes[user_id].applied(rows[user_id]) != rows[user_id] and (row := await users.lock(transaction, user_id)):
            if row.deletion == DeletionState.DONE:
                raise Unavailable("A user was deleted meanwhile. Repeat the request.")
            rows[user_id] = row
    return rows


async def _upsert(
    state: State,
    transaction: Transaction,
    identity: Identity,
    before: UserRow | None,
    user_id: int,
    change: ProfileChange,
    events_out: OutgoingEvents,
) -> set[str] | None:
    """Creates a user or, if `before` is the user's profile, changes it, and adds the outgoing event to `events_out`.
    Changed texts are not sent to the external reviewer any more. Returns the keys of the cached copies that are now
    outdated. Returns None, and changes nothing, if another user has the handle.
    """
    if before is None:
        user = await _new_user(state, transaction, user_id, change)
        if user is None:
            return None
        await users.insert(transaction, user)
        outgoing.profile(events_out, user, is_new=True)
        return {identities.cache_key(identity), held_handles.cache_key(user.handle)}
    after = change.applied(before)
    if after == before:
        return set()
    if after.handle != before.handle and not await held_handles.change(
        transaction, user_id, before.handle, after.handle, _HOLD
    ):
        return None
    await users.update(transaction, before, after)
    outgoing.profile(events_out, after)
    await profile_reviews.withdraw(transaction, user_id, profile_rules.changed(before, after))
    return users.stale_keys(before, after)


async def _new_user(state: State, transaction: Transaction, user_id: int, change: ProfileChange) -> UserRow | None:
    """Claims the handle of a new user and returns the profile; None if another user has the handle. Without a handle in
    the input, one is made of the name.
    """
    handle = change.handle
    if handle is None:
        wanted = _handles(change, state.settings.people.handle_separators)
        handle = await claim_handle(state, transaction, wanted, user_id)
    elif not await held_handles.claim(transaction, handle, user_id, _HOLD):
        return None
    return change.applied(UserRow(user_id, handle, change.display_name or handle, None, bio="", version=1))


def _handles(change: ProfileChange, separators: str) -> list[str]:
    """Returns the handles to try for a new user."""
    return [change.handle] if change.handle else handles.candidates(change.display_name, separators=separators)
