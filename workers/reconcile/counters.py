"""Compares counters with the number of rows that each of them counts."""

from collections.abc import Sequence
from functools import partial

from models.counters import CounterKind, EntityRef
from projections import hot_scores
from settings import COMMENTS, POSTS
from state import State
from store.reconcile.counters import COUNTED, Counted, actions, correct, drifting_batches
from workers.publish import publish_counts
from workers.reconcile.batches import Compare, Compared


async def compare(state: State) -> Compare:
    """Compares every kind of counter in every business that has this kind."""
    kinds = [
        (counted, business_id, CounterKind(counted.kind).name.lower())
        for counted in COUNTED
        for business_id in counted.businesses or sorted(state.businesses_by_id)
    ]
    kinds += [
        (actions(counter.id), business.id, f"{business.name}.{counter.name}")
        for business in state.settings.businesses
        for counter in business.counters
    ]
    for counted, business_id, name in kinds:
        async for count, entities in drifting_batches(state.postgres, counted, business_id):
            repair = partial(_repair, state, counted, business_id, entities)
            yield Compared(name, count, len(entities), repair)


async def _repair(state: State, counted: Counted, business_id: int, entities: Sequence[int]) -> None:
    async with state.postgres.transaction() as transaction:
        await correct(transaction, counted, business_id, entities)
    await publish_counts(state, [EntityRef(business_id, entity_id) for entity_id in entities])
    if business_id == POSTS:
        await hot_scores.publish_posts(state, entities)
    elif business_id == COMMENTS:
        await hot_scores.publish_comments(state, entities)
