"""createCollection, updateCollection and deleteCollection: each checks its input and appends one change to the write
log, which acknowledges the change.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import orjson

from commands import profile_rules
from commands.changes import Change, DirectWrite, Fields, run_loaded
from commands.write import Write, read_back
from context import Context
from domain import texts
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.ids import CollectionId, parse_id
from models.collections import CollectionRow
from models.saves import DEFAULT
from state import State
from store.moderation import word_lists
from store.postgres.client import PostgresDown, Transaction
from store.reactions import collections
from store.reactions.collections import CollectionChange, CollectionsNotCached, CollectionVerb
from store.write_log.operations import Operation, Outcome, Status

_LONGEST_NAME = 100
_ATTEMPTS = 4
"""How often a change is tried. The first attempt tells whether the name must be judged. A further repetition is needed
if another device changes the collection meanwhile, which is rare.
"""


@dataclass(frozen=True, slots=True)
class _Collection(Change):
    """A new, changed or deleted collection. The value of the outcome is the id of the collection. The status is ABSENT
    if the actor has no such collection, LIMIT if the actor has too many, and UNJUDGED if the collection would be public
    with a name that was not judged.
    """

    change: CollectionChange
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Changes the cached collections. Reads them from Postgres if they are not cached."""

        async def run() -> Outcome | CollectionsNotCached:
            return await state.collections.change(actor_id, self.change, operation, self.data)

        async def load(_: CollectionsNotCached) -> None:
            await state.collections.warm([actor_id])

        return await run_loaded(run, load, "Your collections")

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns an entry with the collection after the change."""
        change, held = self.change, await held_by(direct.transaction, direct.actor_id)
        was = held.get(change.collection_id)
        if change.verb is CollectionVerb.CREATE:
            if len(held) >= direct.state.settings.collection_limit:
                return Status.LIMIT
        elif was is None:
            return Status.ABSENT
        after = change.after(direct.actor_id, was)
        if after != was and not change.allows(after):
            return Status.UNJUDGED
        return [{**change.fields(after), "data": self.data}]

    @property
    def value(self) -> str:
        """Returns the id of the collection."""
        return f" {self.change.collection_id}"


async def held_by(transaction: Transaction, user_id: int) -> dict[int, CollectionRow]:
    """Returns a user's collections, by id."""
    rows = (await collections.of_users(transaction, [user_id]))[user_id]
    return {row.collection_id: row for row in rows}


async def create(context: Context, name: str, is_public: bool, idempotency_key: str) -> CollectionRow | Unavailable:
    """Creates a collection of the viewer, exactly once. Returns the collection; Unavailable if it was created but
    cannot be read.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TEXT_EMPTY, TEXT_TOO_LONG, TEXT_INVALID,
    COLLECTION_LIMIT_REACHED, SUSPENDED or IDEMPOTENCY_MISMATCH; with TEXT_NOT_ALLOWED for the name of a public
    collection; with TARGET_DELETED if this is a repeat, and the collection was deleted since.
    """
    async with Write(context, "createCollection", idempotency_key, name, is_public, unless_suspended=True) as write:
        checked = _checked(name)
        change = CollectionChange(CollectionVerb.CREATE, context.state.new_id(), checked, is_public)
        await _append(context, write, change)
    outcome = write.outcome
    assert outcome.value  # the id of the collection, also when a retry is answered
    context.forget()
    return await read_back(_own(context, "createCollection", int(outcome.value)))


async def update(
    context: Context, collection_id: str, name: str | None, is_public: bool | None, idempotency_key: str | None
) -> CollectionRow | Unavailable:
    """Changes the name of a collection of the viewer, or whether others may see it, exactly once. Returns the
    collection, as `create` does.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED (as `create`),
    TEXT_EMPTY, TEXT_TOO_LONG, TEXT_INVALID, TEXT_NOT_ALLOWED (as `create`), SUSPENDED or IDEMPOTENCY_MISMATCH.
    """
    parts = collection_id, name, is_public
    async with Write(context, "updateCollection", idempotency_key, *parts, unless_suspended=True) as write:
        own = own_id(context, collection_id, "collectionId")
        checked = None if name is None else _checked(name)
        await _append(context, write, CollectionChange(CollectionVerb.UPDATE, own, checked, is_public))
    context.forget()
    return await read_back(_own(context, "updateCollection", own))


async def delete(context: Context, collection_id: str, idempotency_key: str | None) -> str:
    """Deletes a collection of the viewer, exactly once. Workers then remove the saves in it. Returns its id.

    Raises Unauthenticated, BadInput, Unavailable; Refused with TARGET_NOT_FOUND or IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "deleteCollection", idempotency_key, collection_id) as write:
        own = own_id(context, collection_id, "collectionId")
        await _append(context, write, CollectionChange(CollectionVerb.DELETE, own))
    context.forget()
    return collection_id


async def _append(context: Context, write: Write, change: CollectionChange) -> None:
    entry = orjson.dumps({"actor": write.actor_id, "collection": change.collection_id})
    for _ in range(_ATTEMPTS):
        outcome = await write.append(_Collection(change, entry))
        match outcome.status:
            case Status.LIMIT:
                message = f"You can have at most {context.state.settings.collection_limit} collections."
                raise Refused.because(UserErrorCode.COLLECTION_LIMIT_REACHED, message)
            case Status.ABSENT:
                raise absent(context)
            case Status.UNJUDGED:
                change = change._replace(judged=await _judged(context, change))
            case _:
                return
    raise Unavailable("This collection is being changed.")


async def _judged(context: Context, change: CollectionChange) -> str | None:
    """Returns the name of the collection after a change; None if the collection is private then. Raises Refused if the
    moderation rules do not allow the name of a public collection.
    """
    context.forget()  # the collection may have changed since it was read
    state, owner_id = context.state, context.require_viewer().user_id
    rows = (await context.loaders.collections.load(owner_id)).rows
    was = next((row for row in rows if row.collection_id == change.collection_id), None)
    after = change.after(owner_id, was)
    if not after.is_public:
        return None
    with suppress(PostgresDown):  # then the newest list that this process knows is in force
        await word_lists.follow(state.postgres, state.moderation)
    field = "isPublic" if change.name is None else "name"
    profile_rules.check_text(state, after.submission(state.now_ms()), field)
    return after.name


def own_id(context: Context, collection_id: str, *field: str) -> int:
    """Returns the number of a collection of the viewer. Raises BadInput for an invalid id, Refused for an id that is
    not of a collection of the viewer. Does not check that the collection exists.
    """
    parsed = parse_id(collection_id)
    if not isinstance(parsed, CollectionId) or parsed.owner_id != context.require_viewer().user_id:
        raise not_found(*field)
    if parsed.id <= DEFAULT:
        raise not_found(*field)
    return parsed.id


def not_found(*field: str) -> Refused:
    """Returns the error for an id that is not of an existing collection of the viewer."""
    return Refused.because(UserErrorCode.TARGET_NOT_FOUND, "You have no collection with this id.", *field)


def absent(context: Context) -> Refused | Unavailable:
    """Returns the error for a collection of the viewer that the write log does not know. Unavailable if that may be
    because Redis is down: then a new collection may not be stored yet, and a refusal would be stored with the
    idempotency key.
    """
    return Unavailable() if context.state.redis.is_unavailable else not_found("collectionId")


def _checked(name: str) -> str:
    checked = texts.line(name, _LONGEST_NAME, "name")
    if not checked:
        raise Refused.because(UserErrorCode.TEXT_EMPTY, "A collection needs a name.", "name")
    return checked


async def _own(context: Context, mutation: str, collection_id: int) -> CollectionRow:
    """Returns a collection that the viewer has created. Raises Refused if it was deleted since, Unavailable if that is
    unknown: while Redis is down, a new collection may not be stored yet.
    """
    found = await context.loaders.collections.load(context.require_viewer().user_id)
    rows = found.shown(context.degraded, f"Mutation.{mutation}")
    if row := next((row for row in rows if row.collection_id == collection_id), None):
        return row
    if context.state.redis.is_unavailable:
        raise Unavailable
    raise Refused.because(UserErrorCode.TARGET_DELETED, "This collection was deleted.")
