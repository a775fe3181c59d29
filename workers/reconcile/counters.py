"""Compares counters with the number of rows that each of them counts."""

from collections.abc import Iterable, Sequence
from functools import partial

from models.counters import CounterKind, EntityRef
from models.likes import counter_of
from projections import hot_scores
from settings import Business
from state import State
from store.own_sets.kinds import STATE_COUNTERS
from store.reconcile.batches import BATCH
from store.reconcile.counters import COUNTED, Counted, actions, correct, drifting_batches, states
from workers.publish import publish_counts
from workers.reconcile.batches import Compare, Compared


async def compare(state: State) -> Compare:
    """Compares every kind of counter in every business that has this kind. Yields the results."""
    for business_id, names in _kinds(state.settings.businesses).items():
        async for counted, count, entities in drifting_batches(state.postgres, list(names), business_id):
            if count:
                repair = partial(_repair, state, counted, business_id, entities)
                yield Compared(names[counted], count, len(entities), repair)


def _kinds(businesses: Iterable[Business]) -> dict[int, dict[Counted, str]]:
    """Returns the kinds of counters that each business has, by the number of the business. Each kind of counter comes
    with its name.
    """
    own = {
        business.id: {actions(counter.id): f"{business.name}.{counter.name}" for counter in business.counters}
        | {states(number): _name(number) for number in _of_reactions(business)}
        for business in businesses
    }
    kinds: dict[int, dict[Counted, str]] = {}
    for counted in COUNTED:
        for business_id in counted.businesses or sorted(own):
            kinds.setdefault(business_id, {})[counted] = _name(counted.kind)
    return {business_id: names | own.get(business_id, {}) for business_id, names in kinds.items()}


def _of_reactions(business: Business) -> Sequence[int]:
    """Returns the numbers of the counters of the kinds of reactions that a business defines."""
    if not business.reactions:
        return ()
    return [CounterKind.LIKES_BY_OTHER_KINDS, *(counter_of(kind.id) for kind in business.reactions)]


def _name(number: int) -> str:
    return STATE_COUNTERS[number][1].name if number in STATE_COUNTERS else CounterKind(number).name.lower()


async def _repair(state: State, counted: Counted, business_id: int, entities: Sequence[int]) -> None:
    for at in range(0, len(entities), BATCH):
        await _repair_batch(state, counted, business_id, entities[at : at + BATCH])


async def _repair_batch(state: State, counted: Counted, business_id: int, entities: Sequence[int]) -> None:
    async with state.postgres.transaction() as transaction:
        await correct(transaction, counted, business_id, entities)
    refs = [EntityRef(business_id, entity_id) for entity_id in entities]
    await publish_counts(state, refs)
    await hot_scores.publish(state, refs)
