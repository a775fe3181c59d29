"""Imports follows of topics and entities."""

from collections import Counter
from collections.abc import Mapping, Sequence

from archive.fields import EntityTarget
from archive.importing import limits
from archive.importing.known import Known
from archive.importing.run import REJECTED, Import, Invalid, Item
from archive.records import ContentFollow
from domain import topics
from models.content_follows import CONTENT_FOLLOWERS
from models.counters import EntityRef
from models.topics import TopicRow
from store.people import content_follows
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas

Named = tuple[str, int]
"""The name of a followed topic (empty for an entity), and the version of the follow."""


async def store(run: Import, items: Sequence[Item[ContentFollow]]) -> None:
    """Imports a chunk of follows."""
    entities = [one.target for _, one in items if isinstance(one.target, EntityTarget)]
    known = await run.library.known([one.user for _, one in items], entities)
    rows: dict[tuple[int, EntityRef], tuple[Item[ContentFollow], Named]] = {}
    for item in items:
        try:
            ref, name = _target(known, item.record)
            pair, row = (known.user(item.record.user), ref), (name, run.version(item.record.created_at))
        except REJECTED as error:
            run.reject(item, error)
            continue
        if pair not in rows or rows[pair][1][1] < row[1]:
            rows[pair] = item, row
    if not run.is_check:
        await limits.write(run, known, "content_follow", run.state.settings.people.content_follow_limit, rows, _write)


def _target(known: Known, record: ContentFollow) -> tuple[EntityRef, str]:
    """Returns the followed object, and the name of a topic; an empty text for an entity. Raises Invalid for a text that
    cannot be a topic, Unknown for an entity that does not exist.
    """
    if isinstance(record.target, EntityTarget):
        return known.target(record.target).ref, ""
    name = topics.spelling(record.target.topic)
    if name is None:
        raise Invalid(f"{record.target.topic} cannot be a topic.")
    return TopicRow(name).ref, name


async def _write(transaction: Transaction, rows: Mapping[tuple[int, EntityRef], Named]) -> None:
    """Writes follows and the counters of followers."""
    values = [(user, *ref, name, True, version) for (user, ref), (name, version) in rows.items()]
    counts = Counter[EntityRef]()
    for _, business, entity, was in await content_follows.write(transaction, values):
        counts[EntityRef(business, entity)] += not was
    deltas = CounterDeltas({})
    for ref, delta in counts.items():
        if delta:
            deltas.add(ref, CONTENT_FOLLOWERS, delta)
    await deltas.write(transaction)
