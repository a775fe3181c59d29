"""What a batch has changed, to everybody's caches: absolute values read back after the commit, never deltas.

Everything here follows from the batch's keys alone, so that it can be done twice, late, or by another worker.
"""

import asyncio
from collections.abc import Iterable, Sequence

from models.counters import EntityRef
from models.likes import Reaction
from settings import USERS
from state import State
from store import counts, keys, lists
from store.cache import Cached
from store.likes import states_of
from store.lists import Item
from workers.events import Event, Reacted

_DAY_MS = 86_400_000
_CHUNK = 200


async def publish(state: State, events: Sequence[Event], moved: Iterable[EntityRef]) -> None:
    """Counters and likers of what the events touched, where they are cached."""
    reacted = [event for event in events if isinstance(event, Reacted)]
    owners = {EntityRef(USERS, event.owner_id) for event in reacted if event.owner_id}
    counted = sorted({event.ref for event in events} | owners | set(moved))
    await asyncio.gather(publish_counts(state, counted), _publish_likers(state, reacted))


async def publish_counts(state: State, refs: Sequence[EntityRef]) -> None:
    """Reads counters back and replaces older cached ones."""
    await asyncio.gather(*[_publish_chunk(state, refs[at : at + _CHUNK]) for at in range(0, len(refs), _CHUNK)])


async def _publish_chunk(state: State, refs: Sequence[EntityRef]) -> None:
    by_life: dict[int, list[tuple[str, Cached]]] = {}
    for ref, fresh in (await counts.read_encoded(state.postgres, refs)).items():
        by_life.setdefault(state.counts_life_ms(ref.business_id), []).append((keys.counts(ref), fresh))
    for life_ms, values in by_life.items():
        await state.cache.publish(values, life_ms)


async def _publish_likers(state: State, reacted: Sequence[Reacted]) -> None:
    """What the rows say by now of everybody who reacted: an event that lost against a newer one adds nobody."""
    places = sorted(
        {(event.actor_id, event.ref) for event in reacted if event.ref.business_id in state.businesses_by_id}
    )
    by_cap: dict[int, dict[str, list[Item]]] = {}
    for user_id, ref, reaction, moment in await states_of(state.postgres, places):
        cap = state.businesses_by_id[ref.business_id].cached_likers
        change = Item(moment if reaction == Reaction.LIKE else -moment, user_id)
        by_cap.setdefault(cap, {}).setdefault(keys.likers(ref), []).append(change)
    for cap, by_list in by_cap.items():
        changed = list(by_list.items())
        for at in range(0, len(changed), _CHUNK):
            await lists.publish(state.cache, changed[at : at + _CHUNK], cap=cap, life_ms=_DAY_MS)
