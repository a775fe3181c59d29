"""createCollection, updateCollection and deleteCollection: collections are named groups of a user's saves. Each
mutation checks its input and appends one change to the write log, which acknowledges the change.
"""

from contextlib import suppress
from dataclasses import replace

import orjson

from commands import profile_rules
from commands.own_sets import OwnChange
from commands.write import Write, read_back
from context import Context
from domain import texts
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.ids import CollectionId, parse_id
from models.collections import COLLECTION, CollectionRow
from models.counters import EntityRef
from models.own_sets import Transition
from models.saves import DEFAULT
from settings import COLLECTIONS
from store.moderation import word_lists
from store.postgres.client import PostgresDown
from store.reactions.collections import held_among
from store.write_log.operations import Status

_LONGEST_NAME = 100
_ATTEMPTS = 4
"""How often the change of a collection is tried. An attempt fails if another device changes the collection between
reading and writing.
"""


async def create(context: Context, name: str, is_public: bool, idempotency_key: str) -> CollectionRow | Unavailable:
    """Creates a collection of the viewer, exactly once. Returns the collection; Unavailable if it was created but
    cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TEXT_EMPTY, TEXT_TOO_LONG, TEXT_INVALID,
    COLLECTION_LIMIT_REACHED, SUSPENDED or IDEMPOTENCY_MISMATCH; with TEXT_NOT_ALLOWED if moderation does not allow the
    name of a public collection; with TARGET_DELETED if this is a repeated request, and the collection was deleted
    since.
    """
    async with Write(context, "createCollection", idempotency_key, name, is_public, unless_suspended=True) as write:
        await write.ready()
        new = CollectionRow(write.actor_id, context.state.new_id(), _checked(name), is_public)
        await _check_name(context, new, "name")
        await _append(context, write, new)
    outcome = write.outcome
    assert outcome.value  # the id of the collection, also when a retry is answered
    context.forget()
    return await read_back(_own(context, "createCollection", int(outcome.value)))


async def update(
    context: Context, collection_id: str, name: str | None, is_public: bool | None, idempotency_key: str | None
) -> CollectionRow | Unavailable:
    """Changes the name of a collection of the viewer, or whether others may see the collection, exactly once. None
    leaves `name` or `is_public` unchanged. Returns the collection; Unavailable if it was changed but cannot be read.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, TEXT_EMPTY,
    TEXT_TOO_LONG, TEXT_INVALID, SUSPENDED or IDEMPOTENCY_MISMATCH; with TEXT_NOT_ALLOWED if moderation does not allow
    the name of a public collection; with NOT_ALLOWED if a moderator has made the collection private and it is to be
    public; with TARGET_DELETED if the collection was changed, and deleted since.
    """
    parts = collection_id, name, is_public
    async with Write(context, "updateCollection", idempotency_key, *parts, unless_suspended=True) as write:
        own = own_id(context, collection_id, "collectionId")
        checked = None if name is None else _checked(name)
        context.own.collections.ask([write.actor_id])
        await write.ready()
        await _update(context, write, own, checked, is_public)
    context.forget()
    return await read_back(_own(context, "updateCollection", own))


async def delete(context: Context, collection_id: str, idempotency_key: str | None) -> str:
    """Deletes a collection of the viewer, exactly once. Workers then remove the saves in the collection. Returns the id
    of the collection.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND or IDEMPOTENCY_MISMATCH.
    """
    async with Write(context, "deleteCollection", idempotency_key, collection_id) as write:
        own = own_id(context, collection_id, "collectionId")
        transition = Transition(COLLECTION, EntityRef(COLLECTIONS, own), 0, _entry(write, own), must_be=True)
        if (await write.append(OwnChange(transition))).status is Status.ABSENT:
            raise absent(context)
    context.forget()
    return collection_id


async def _update(context: Context, write: Write, collection_id: int, name: str | None, is_public: bool | None) -> None:
    """Changes the name of a collection, or whether others may see the collection; None leaves a value unchanged. Raises
    Refused if the viewer has no such collection or the name is not allowed; Unavailable if the collection cannot be
    read, or if every attempt fails because the viewer changes it from another device.
    """
    for _ in range(_ATTEMPTS):
        found = await context.own.collections.load(write.actor_id)
        was = next((row for row in found.rows if row.collection_id == collection_id), None)
        if was is None:
            raise found.error or absent(context)
        after = replace(
            was,
            name=was.name if name is None else name,
            is_public=was.is_public if is_public is None else is_public,
        )
        if after != was:
            await _check_name(context, after, "isPublic" if name is None else "name")
            await _check_not_held(context, after)
        if await _append(context, write, after, was):
            return
        context.forget()
    raise Unavailable("This collection is being changed.")


async def _append(context: Context, write: Write, after: CollectionRow, was: CollectionRow | None = None) -> bool:
    """Appends the new collection `after`, or the change of the collection `was` to `after`. Returns False, and appends
    nothing, if `was` is not its current state any more.

    Raises Refused if the viewer has too many collections. If `was` is deleted or not known, raises Refused or, while
    Redis is down, Unavailable.
    """
    entry = _entry(write, after.collection_id, name=after.name, public=after.is_public)
    transition = Transition(
        COLLECTION,
        after.ref,
        1,
        entry,
        must_be=was is not None,
        text=after.text,
        expected=was.text if was else "",
        value=str(after.collection_id),
    )
    match (await write.append(OwnChange(transition))).status:
        case Status.LIMIT:
            message = f"You can have at most {context.state.settings.people.collection_limit} collections."
            raise Refused.because(UserErrorCode.COLLECTION_LIMIT_REACHED, message)
        case Status.ABSENT:
            raise absent(context)
        case status:
            return status is not Status.CHANGED


def _entry(write: Write, collection_id: int, **after: object) -> bytes:
    return orjson.dumps({"actor": write.actor_id, "collection": collection_id, **after})


async def _check_name(context: Context, collection: CollectionRow, field: str) -> None:
    """Raises Refused if the collection is public and the moderation rules do not allow its name. `field` is the input
    field that the error names.
    """
    if collection.is_public:
        with suppress(PostgresDown):  # then the newest list that this process knows is in force
            await word_lists.follow(context.state.postgres, context.state.moderation)
        profile_rules.check_text(context.state, collection.submission(context.state.now_ms()), field)


async def _check_not_held(context: Context, collection: CollectionRow) -> None:
    """Raises Refused if the collection is public, and a moderator has made it private. While Postgres is down, nothing
    is refused, and workers keep the collection private.
    """
    if collection.is_public:
        with suppress(PostgresDown):
            if await held_among(context.state.postgres, [(collection.owner_id, collection.collection_id)]):
                message = "A moderator has made this collection private."
                raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "isPublic")


def own_id(context: Context, collection_id: str, *field: str) -> int:
    """Converts the API id of a collection of the viewer to its number. Does not check that the collection exists.
    `field` is the path of the input field with the id.

    Raises BadInput for an invalid id, Refused for an id that is not of a collection of the viewer.
    """
    parsed = parse_id(collection_id)
    if not isinstance(parsed, CollectionId) or parsed.owner_id != context.require_viewer().user_id:
        raise not_found(*field)
    if parsed.id <= DEFAULT:
        raise not_found(*field)
    return parsed.id


def not_found(*field: str) -> Refused:
    """Returns the error for an id that is not of an existing collection of the viewer. `field` is the path of the input
    field with the id.
    """
    return Refused.because(UserErrorCode.TARGET_NOT_FOUND, "You have no collection with this id.", *field)


def absent(context: Context) -> Refused | Unavailable:
    """Returns the error for a collection of the viewer that was not found: Refused or, while Redis is down,
    Unavailable. While Redis is down, a new collection may not be stored yet, and a refusal would be wrong but recorded
    under the idempotency key.
    """
    return Unavailable() if context.state.redis.is_unavailable else not_found("collectionId")


def _checked(name: str) -> str:
    checked = texts.line(name, _LONGEST_NAME, "name")
    if not checked:
        raise Refused.because(UserErrorCode.TEXT_EMPTY, "A collection needs a name.", "name")
    return checked


async def _own(context: Context, mutation: str, collection_id: int) -> CollectionRow:
    """Returns a collection that the viewer has just created or changed with the mutation `mutation`. Raises Refused
    with TARGET_DELETED if the collection was deleted since; Unavailable if that is unknown, because a new collection
    may not be stored yet while Redis is down.
    """
    found = await context.own.collections.load(context.require_viewer().user_id)
    rows = found.shown(context.degraded, f"Mutation.{mutation}")
    if row := next((row for row in rows if row.collection_id == collection_id), None):
        return row
    if context.state.redis.is_unavailable:
        raise Unavailable
    raise Refused.because(UserErrorCode.TARGET_DELETED, "This collection was deleted.")
