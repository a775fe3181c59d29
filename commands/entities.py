"""registerEntities, removeEntities and eraseEntities: they create, change, remove and erase entities, which are objects
of the product's own systems, such as videos or articles.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from commands import targets, topics
from context import Context
from domain import texts
from domain.errors import BadInput, Refused, UserErrorCode
from domain.ids import KEY, EntityId, UserId, parse_id
from models.entities import EntityRow
from projections import outgoing
from state import State
from store.content import entities, erasures
from store.content.entities import BeingErased, EntityKey, Registration
from store.outgoing.new_events import OutgoingEvents
from store.people.identities import users_of
from store.postgres.client import Transaction

MOST_ENTITIES = 100
_LONGEST_TITLE = 500


@dataclass(frozen=True, slots=True)
class OwnerRef:
    """Names the user who owns an entity, by Plaudit id or by the id at the identity provider; exactly one of these is
    set.
    """

    id: str | None
    external_id: str | None


@dataclass(frozen=True, slots=True)
class EntityData:
    """One entity in the input of registerEntities. `sets_owner`, `sets_title` and `sets_url` tell whether the input
    contains the field: if so, None removes the value; otherwise the stored value stays.
    """

    business: str
    key: str
    sets_owner: bool = False
    owner: OwnerRef | None = None
    sets_title: bool = False
    title: str | None = None
    sets_url: bool = False
    url: str | None = None
    comments_closed: bool | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes it."""
    topics: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    """The names of the labels, which replace all labels of the entity; None changes nothing."""


async def register(context: Context, entities: Sequence[EntityData]) -> list[EntityRow]:
    """Creates up to 100 entities, updates existing ones and restores removed ones, all or none. Returns the entities in
    the order of the input.

    Raises Unauthenticated; Forbidden without the scope `entities:write`, or if the token is for other businesses;
    BadInput for no or too many entities, an invalid key or id, or an unknown business; Refused with TARGET_NOT_FOUND
    for an unknown owner, TARGET_DELETED for an entity that is being erased, INVALID for an invalid URL or an entity
    that is listed twice, TEXT_TOO_LONG, TEXT_INVALID, TOO_MANY_TOPICS or TOPIC_INVALID.
    """
    issuer = context.require_scope("entities:write").issuer
    if not 1 <= len(entities) <= MOST_ENTITIES:
        raise BadInput(f"Pass 1 to {MOST_ENTITIES} entities.")
    for data in entities:
        _check_place(context, data)
    if len({(data.business, data.key) for data in entities}) < len(entities):
        raise Refused.because(UserErrorCode.INVALID, "An entity is listed twice.", "entities")
    owners = await _owners(context, issuer, entities)
    registrations = [
        _registration(context, data, owner_id, str(i))
        for i, (data, owner_id) in enumerate(zip(entities, owners, strict=True))
    ]
    try:
        await _write(context.state, lambda transaction: context.state.entities.register(transaction, registrations))
    except BeingErased as erased:
        at = next(i for i, new in enumerate(registrations) if new[:2] in erased.keys)
        message = "This entity is being erased. Register it when that is finished."
        raise Refused.because(UserErrorCode.TARGET_DELETED, message, "entities", str(at)) from None
    context.forget()
    rows = await context.content.kept_entities.ask([(r.business_id, r.key) for r in registrations])
    return [row for row in rows if row]


async def remove(context: Context, ids: Sequence[str]) -> list[str]:
    """Removes up to 100 entities, all or none. Returns their ids. An entity that is not registered, or was removed
    before, stays as it is.

    Raises Unauthenticated; Forbidden without the scope `entities:write`, or if the token is for other businesses;
    BadInput for no or too many ids, an invalid id, the id of another type, or an unknown business.
    """
    keys = _keys(context, ids)
    await _write(context.state, lambda transaction: context.state.entities.remove(transaction, keys))
    context.forget()
    return list(ids)


async def erase(context: Context, ids: Sequence[str]) -> list[str]:
    """Removes up to 100 entities, all or none, and makes workers erase them with everything below them
    (workers/deletions/erase.py). Returns their ids. Entities that are being erased, or were erased before and not
    registered again, stay as they are.

    Raises Unauthenticated; Forbidden without the scope `entities:write`, or if the token is for other businesses;
    BadInput for no or too many ids, an invalid id, the id of another type, or an unknown business; Refused with
    TARGET_NOT_FOUND for an entity that was never registered.
    """
    keys = _keys(context, ids)

    async def write(transaction: Transaction) -> list[EntityRow]:
        rows, unknown = await context.state.entities.erase(transaction, keys)
        if at := [str(i) for i, id_ in enumerate(ids) if _key(context, id_) in unknown]:
            raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no entity with this id.", "ids", at[0])
        await erasures.begin(transaction, [row.ref for row in rows], context.state.now_ms())
        return rows

    await _write(context.state, write)
    context.forget()
    return list(ids)


def _keys(context: Context, ids: Sequence[str]) -> list[EntityKey]:
    """Returns the numbers of the businesses and the keys of the entities with these API ids, each once and in order.
    Raises Unauthenticated; Forbidden without the scope `entities:write`; BadInput for no or too many ids; and what
    `_key` raises.
    """
    context.require_scope("entities:write")
    if not 1 <= len(ids) <= MOST_ENTITIES:
        raise BadInput(f"Pass 1 to {MOST_ENTITIES} ids.")
    return sorted({_key(context, id_) for id_ in ids})


def _key(context: Context, id_: str) -> EntityKey:
    """Returns the number of the business and the key that the API id of an entity contains. Raises BadInput for an
    invalid id, the id of another type or an unknown business, Forbidden if the token is for other businesses.
    """
    parsed = parse_id(id_)
    if not isinstance(parsed, EntityId):
        raise BadInput(f"{texts.quoted(id_)} is not the id of an entity.")
    targets.check_business(context, parsed.business)
    business = context.state.external.get(parsed.business)
    if business is None:
        raise BadInput(texts.no_business(parsed.business))
    return business.id, parsed.key


def _check_place(context: Context, data: EntityData) -> None:
    targets.check_business(context, data.business)
    if data.business not in context.state.external:
        raise BadInput(texts.no_business(data.business))
    if not KEY.fullmatch(data.key):
        raise BadInput("A key is 1 to 64 of the characters A-Z a-z 0-9 . _ ~ -")


async def _owners(context: Context, issuer: str, entities: Sequence[EntityData]) -> list[int | None]:
    """Returns for each entity the user id of the owner that the input names, or None if it names none. External ids are
    those of the identity provider `issuer`. Raises Refused if a user does not exist, BadInput for an invalid id.
    """
    subjects = {one.owner.external_id for one in entities if one.owner and one.owner.external_id is not None}
    identities = [(issuer, texts.identifier(subject, "An external id")) for subject in subjects]
    by_subject = {s: user for (_, s), user in (await users_of(context.state.postgres, identities)).items()}

    async def owner(i: int, data: EntityData) -> int | None:
        if data.owner is None:
            return None
        found = by_subject.get(data.owner.external_id) if data.owner.external_id else await _user(context, data.owner)
        if found is None:
            message = "There is no user with this id."
            raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, message, "entities", str(i), "owner")
        return found

    return [await owner(i, data) for i, data in enumerate(entities)]


async def _user(context: Context, ref: OwnerRef) -> int | None:
    parsed = parse_id(ref.id or "")
    if not isinstance(parsed, UserId):
        return None
    user = await context.content.kept_users.load(parsed.id)
    return user.user_id if user else None


def _registration(context: Context, data: EntityData, owner_id: int | None, at: str) -> Registration:
    business, most_topics = context.state.external[data.business], context.state.settings.content.post_topics
    return Registration(
        business_id=business.id,
        key=data.key,
        new_id=context.state.new_id(),
        sets_owner=data.sets_owner,
        owner_id=owner_id,
        sets_title=data.sets_title,
        title=None if data.title is None else texts.line(data.title, _LONGEST_TITLE, "entities", at, "title"),
        sets_url=data.sets_url,
        url=None if data.url is None else texts.url(data.url, "entities", at, "url"),
        comments_closed=data.comments_closed,
        custom=data.custom,
        topics=None if data.topics is None else topics.checked(data.topics, most_topics, "entities", at),
        labels=None
        if data.labels is None
        else context.state.labels.bits_of(data.labels, "entities", at, "labels", author=False),
        post_id=context.state.new_id() if business.in_feeds else 0,
    )


async def _write(state: State, write: Callable[[Transaction], Awaitable[list[EntityRow]]]) -> None:
    """Commits the changes that `write` makes, and their outgoing events. `write` returns the changed entities. Their
    cached copies are fenced: readers cannot cache an old copy after the commit (ADR 4).
    """
    async with state.postgres.transaction() as transaction:
        changed = await write(transaction)
        fence = await entities.fence(state.cache, transaction, changed)
        events_out = OutgoingEvents(state.keys.partition_of)
        for row in changed:
            outgoing.entity(events_out, row, state.labels)
        await events_out.write(transaction)
    await state.cache.unfence(fence)
