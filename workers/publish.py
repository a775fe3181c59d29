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
from store.lists import Item
from workers.events import Event, Reacted
from workers.likes import latest

_DAY_MS = 86_400_000
_CHUNK = 200
_USER_COUNTS_DAYS = 7


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
    fresh = await counts.read(state.postgres, refs)
    by_days: dict[int, list[EntityRef]] = {}
    for ref in fresh:
        business = state.businesses_by_id.get(ref.business_id)
        by_days.setdefault(business.counts_days if business else _USER_COUNTS_DAYS, []).append(ref)
    for days, some in by_days.items():
        values = [(keys.counts(ref), counts.encode(fresh[ref])) for ref in some]
        await state.cache.publish(values, days * _DAY_MS)


async def _publish_likers(state: State, reacted: Sequence[Reacted]) -> None:
    by_cap: dict[int, dict[str, list[Item]]] = {}
    for event in latest(reacted).values():
        business = state.businesses_by_id.get(event.ref.business_id)
        if business is None:
            continue  # no longer configured: nobody can read the list
        sign = 1 if event.state == Reaction.LIKE else -1
        changes = by_cap.setdefault(business.cached_likers, {}).setdefault(keys.likers(event.ref), [])
        changes.append(Item(sign * event.moment, event.actor_id))
    for cap, by_list in by_cap.items():
        changed = list(by_list.items())
        for at in range(0, len(changed), _CHUNK):
            await lists.publish(state.cache, changed[at : at + _CHUNK], cap=cap, life_ms=_DAY_MS)
