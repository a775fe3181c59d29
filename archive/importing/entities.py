"""Imports entities. Entities that are registered already stay as they are."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from zlib import crc32

from archive.fields import EARLIEST, EntityTarget
from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import Entity
from commands.topics import checked as checked_topics
from domain import texts
from domain.custom import encoded
from domain.labels import Labels
from domain.versions import version_at
from models.base import ms
from models.comment_settings import CommentPolicy
from models.entities import EntityRow
from models.patches import CommentSettingsPatch
from projections import outgoing
from state import State
from store.archive import imported_ids, new_ids
from store.content import comment_settings, entities
from store.content.entities import EntityKey, Registration
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction

_LONGEST_TITLE = 500
_FIRST_VERSION = version_at(ms(EARLIEST))
"""The version of the comment policies of imported entities. Records of entities have no time, so the version is lower
than that of any change by a user.
"""


async def store(run: Import, items: Sequence[Item[Entity]]) -> None:
    """Imports a chunk of entities."""
    places = [EntityTarget(business=one.business, key=one.key) for _, one in items]
    owners = [one.owner for _, one in items if one.owner is not None]
    known = await run.library.known(owners, places)
    new: dict[tuple[str, str], tuple[Entity, Registration]] = {}
    for item in items:
        record = item.record
        place = record.business, record.key
        try:
            if record.business not in run.state.external:
                raise Invalid(texts.no_business(record.business))
            owner_id = None if record.owner is None else known.user(record.owner)
            registration = _registration(run, record, owner_id)
            _moderator_labels(run, record)
            if place in known.entities:
                known.target(EntityTarget(business=record.business, key=record.key))  # raises Unknown if it is erased
        except REJECTED as error:
            run.reject(item, error)
            continue
        if place not in known.entities:
            new.setdefault(place, (record, registration))
    if run.is_check:
        values = new.values()
        run.declare(
            "entity",
            ((f"{r.business} {r.key}", (one.business_id, run.made_up_id(), one.owner_id)) for r, one in values),
        )
    elif new:
        await patiently(lambda: _write(run, known, list(new.values())))


def _registration(run: Import, record: Entity, owner_id: int | None) -> Registration:
    return Registration(
        business_id=run.state.external[record.business].id,
        key=record.key,
        new_id=0,  # chosen in the transaction
        sets_owner=True,
        owner_id=owner_id,
        sets_title=True,
        title=None if record.title is None else texts.line(record.title, _LONGEST_TITLE, "title"),
        sets_url=True,
        url=None if record.url is None else texts.url(record.url, "url"),
        comments_closed=record.comments_closed,
        custom=None if record.custom is None else encoded(record.custom),
        labels=run.state.labels.bits_of(record.labels, "labels", author=False),
        topics=checked_topics(record.topics, run.state.settings.content.post_topics),
    )


async def _ids(transaction: Transaction, new: Sequence[Registration]) -> dict[str, int]:
    """Chooses an id for each new entity. Returns the ids by business and key.

    Records of entities have no time of creation, so the ids contain times of January and February 2000. Cached own sets
    of users assume that no reaction or save is older than the id of the entity (`oldest_moment` in
    store/own_sets/own_sets.py). An id with the time of the import would be newer than the imported reactions.
    """
    await imported_ids.hold(transaction)
    names = [f"{one.business_id} {one.key}" for one in new]
    businesses = {one.business_id for one in new}
    return await new_ids.choose(
        {name: ms(EARLIEST) + crc32(name.encode()) for name in names},
        lambda ids: imported_ids.taken_entities(transaction, businesses, ids),
    )


async def _write(run: Import, known: Known, new: Sequence[tuple[Entity, Registration]]) -> None:
    state = run.state
    async with run.writing(known) as transaction:
        ids = await _ids(transaction, [registration for _, registration in new])
        rows = await state.entities.register(
            transaction, [one._replace(new_id=ids[f"{one.business_id} {one.key}"]) for _, one in new]
        )
        labels = {(one.business_id, one.key): _moderator_labels(run, record) for record, one in new}
        removed = [(one.business_id, one.key) for record, one in new if record.removed]
        rows += [one for row in rows if (one := await _with_labels(state, transaction, row, labels))]
        after = {row.ref: row for row in rows + await state.entities.remove(transaction, removed)}
        patches = [
            CommentSettingsPatch(_FIRST_VERSION, (one.business_id, one.key), CommentPolicy[record.comment_policy])
            for record, one in new
            if record.comment_policy != CommentPolicy.EVERYONE.name
        ]
        await comment_settings.write(transaction, patches)
        await run.send(transaction, partial(_add_events, after.values(), state.labels))
        fence = await entities.fence(state.cache, transaction, rows)
    await state.cache.unfence(fence)


async def _with_labels(
    state: State, transaction: Transaction, row: EntityRow, labels: Mapping[EntityKey, int]
) -> EntityRow | None:
    """Sets the labels of moderators on an imported entity. Returns the entity; None if it has no such labels."""
    bits = labels[row.business_id, row.key]
    return await state.entities.label(transaction, row.ref, bits, _FIRST_VERSION) if bits else None


def _moderator_labels(run: Import, record: Entity) -> int:
    return run.state.labels.bits_of(record.moderator_labels, "moderatorLabels", author=False)


def _add_events(rows: Iterable[EntityRow], labels: Labels, events: OutgoingEvents) -> None:
    for row in rows:
        outgoing.entity(events, row, labels)
