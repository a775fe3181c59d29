"""Imports users. If there is a user with the same issuer and external id, the user stays as it is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from archive.importing.known import name_of_user
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item, Removed
from archive.records import User
from commands.users import ProfileChange, claim_handle
from domain import handles
from domain.custom import encoded
from models.base import ms
from models.users import SuspensionMode, UserRow
from projections import outgoing
from projections.entries import suspensions
from store.archive import imported_ids, new_ids, user_rows
from store.outgoing.new_events import OutgoingEvents
from store.people import deletions, identities, users
from store.people.identities import Identity
from store.postgres.client import Transaction


class _New(NamedTuple):
    """A user to create: the record, the checked profile, the handles to try, and the time of creation in milliseconds
    since the Unix epoch.
    """

    item: Item[User]
    profile: UserRow
    handles: Sequence[str]
    created_ms: int

    @property
    def wish(self) -> str | None:
        """Returns the handle of the record; None if it has none."""
        return self.item.record.handle


async def store(run: Import, items: Sequence[Item[User]]) -> None:
    """Imports a chunk of users."""
    wanted = {_identity(run, item.record): item for item in items}
    known = await patiently(lambda: identities.users_of(run.state.postgres, sorted(wanted)))
    deleted = await patiently(lambda: deletions.deleted_among(run.state.postgres, sorted(wanted.keys() - known.keys())))
    new: dict[Identity, _New] = {}
    for item in items:
        try:
            checked = _checked(run, item)
        except REJECTED as error:
            run.reject(item, error)
            continue
        identity = _identity(run, item.record)
        if identity in deleted:
            run.reject(item, Invalid("This user was deleted."))
        elif identity not in known:
            new.setdefault(identity, checked)
    if run.is_check:
        run.declare("user", ((name_of_user(identity), (run.made_up_id(),)) for identity in new))
    elif new:
        for one, change in await patiently(partial(_write, run, new)):
            run.note(one.item, change)


def _identity(run: Import, record: User) -> Identity:
    return record.issuer or run.library.issuer, record.external_id


def _checked(run: Import, item: Item[User]) -> _New:
    """Returns the user of a record. If the handle of the record is not allowed, the user has similar handles to try.
    Raises an exception of REJECTED if another value is invalid.
    """
    record = item.record
    own = handles.canonical(record.handle) if record.handle else None
    change = ProfileChange(
        display_name=record.display_name,
        bio=record.bio,
        sets_avatar=True,
        avatar_url=record.avatar_url,
        is_private=record.is_private,
        custom=None if record.custom is None else encoded(record.custom),
        age_band=record.age_band,
        language=record.language,
    ).checked(run.state)
    separators = run.state.settings.people.handle_separators
    names = record.handle, change.display_name
    candidates = [own] if own else handles.candidates(*names, separators=separators)
    created_ms = run.state.now_ms() if record.created_at is None else run.time(record.created_at)
    suspension = record.suspension
    profile = replace(
        change.applied(UserRow(0, "", "", None, "", 1)),
        suspended=None if suspension is None else int(SuspensionMode[suspension.mode]),
        suspended_until_ms=ms(suspension.until) if suspension and suspension.until else None,
        suspension_reason=suspension.reason if suspension else None,
    )
    return _New(item, profile, candidates, created_ms)


async def _write(run: Import, new: dict[Identity, _New]) -> list[tuple[_New, str]]:
    """Creates users in one transaction. Returns the users whose handle is not that of the record, each with a sentence
    that says so.
    """
    state = run.state
    async with run.writing() as transaction:
        await imported_ids.hold(transaction)
        if await deletions.deleted_among(transaction, sorted(new)):
            raise Removed
        names = {name_of_user(identity): identity for identity in new}
        chosen = await new_ids.choose(
            {name: new[identity].created_ms for name, identity in names.items()},
            partial(imported_ids.taken, transaction, "users"),
        )
        own = {names[name]: id_ for name, id_ in chosen.items()}
        claimed = await identities.claim(transaction, own)
        ours = {id_: new[identity] for identity, id_ in own.items() if claimed[identity] == id_}
        rows = await _with_handles(run, transaction, ours)
        await user_rows.insert(transaction, rows)
        await user_rows.hold_handles(transaction, list(_former(ours)))
        await run.send(transaction, partial(_add_events, rows))
        fence = await users.fence_new(state.cache, transaction, sorted(new), [row.handle for row in rows])
    await state.cache.unfence(fence)
    return [
        (one, f"The handle {one.wish} is not available. The handle of the user is {row.handle}.")
        for row in rows
        if (one := ours[row.user_id]).wish and one.wish.lower() != row.handle
    ]


def _add_events(rows: Iterable[UserRow], events: OutgoingEvents) -> None:
    for row in rows:
        outgoing.profile(events, row, is_new=True)
        if row.suspended:
            suspensions.add_outgoing(events, row)


async def _with_handles(run: Import, transaction: Transaction, new: dict[int, _New]) -> list[UserRow]:
    """Claims a handle for each new user, given by id. Returns the profiles with ids and handles."""
    first: dict[str, int] = {}
    for id_, one in new.items():
        first.setdefault(one.handles[0], id_)
    free = await user_rows.claim_handles(transaction, list(first.items()))
    rows = []
    for id_, one in sorted(new.items(), key=lambda pair: pair[1].handles[0]):
        handle = one.handles[0]
        if handle not in free or first[handle] != id_:
            handle = await claim_handle(run.state, transaction, one.handles, id_)
        rows.append(replace(one.profile, user_id=id_, handle=handle, display_name=one.profile.display_name or handle))
    return rows


def _former(new: dict[int, _New]) -> Iterable[tuple[str, int, datetime]]:
    """Yields the former handles of new users that are valid, as (handle, user, time), without duplicates."""
    seen = set[str]()
    for id_, one in new.items():
        for former in one.item.record.former_handles:
            handle = handles.canonical(former.handle)
            if handle and handle not in seen:
                seen.add(handle)
                yield handle, id_, former.freed_at
